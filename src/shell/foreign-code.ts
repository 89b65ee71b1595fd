import { blockedInCode, blockedInTexts } from "./anywhere.ts";
import { assembled } from "./assembled-code.ts";
import { plainField } from "./fields.ts";
import { runsWhatItFetches } from "./given-data.ts";
import { eachOf } from "./lists.ts";
import { walkText } from "./texts.ts";
import { doubt, type Walk } from "./walk.ts";

/** How most languages pass a quoted text to a shell. */
const SPAWN =
  /(?:(?:system|popen\w{0,9}|exec\w{0,9}|qx|shell_exec|passthru)\s{0,4}\(?|(?:spawn\w{0,9}|call|run|Cmd|check_\w{0,9}|getoutput|getstatusoutput|sh)\()\s{0,4}\[?(["'`])((?:\\.|(?!\1)[^\\])*)\1((?:\s{0,4},\s{0,4}\[?(?:"[^"\\]*"|'[^'\\]*'))*)/;
const SPAWNS = new RegExp(SPAWN, "g");
const BACKTICKS = /`([^`]+)`/g;
/** Calls that delete a folder tree in most languages, with a given path or the home folder. */
const REMOVES =
  /(?:rmtree|rm_rf?|rmSync|rmdirSync|removeSync|emptyDirSync|remove_dir(?:_all)?|remove_tree|remove_entry\w{0,9}|delete-directory|file delete -force|Remove-Item(?: -\w{1,12}){0,4}|unlink(?=\([^)]{0,40}recursive)|rm(?=\([^)]{0,40}recursive)|rimraf(?:\.sync)?|fs\.(?:promises\.)?rm)\s{0,4}\(?\s{0,4}(?:pathlib\.)?(?:Path\()?(?:(["'`])((?:(?!\1)[^\\])*)\1|(?<=[ ])([~/]\S{0,200})|[\w.]{0,24}(?:expanduser\(["']~\/?["']|homedir\(|home\())/g;
const ROOT = /(?<!\w)(\w{1,30})\s{0,4}=\s{0,4}(["'`])(\/|~|\/(?:etc|usr|home|var|boot|bin|lib))\2/;
const RENAMED = /\b(rmtree|rm_rf|rmSync|removeSync|remove_tree)(?:\s{1,4}as\s{1,4}|\s{0,4}:\s{0,4})(\w{1,30})/;

/** Resolves renamed imports and variables: `from shutil import rmtree as r; p = "/"; r(p)`. */
const withoutNames = (code: string): string => {
  const renamed = RENAMED.exec(code);
  const named = renamed ? code.replaceAll(`${renamed[2]}(`, `${renamed[1]}(`) : code;
  const root = ROOT.exec(named);
  if (!root) return named;
  // a call with this name alone: not `(path`, and not `(p + "/build")`
  return named.replace(
    new RegExp(String.raw`\(\s{0,4}(?:path\s{0,4}=\s{0,4})?${root[1]}(?=\s{0,4}[,)])`, "g"),
    `("${root[3]}"`,
  );
};

/** A network connection that is handed to a shell. */
const CONNECTS =
  /\bsocket\.socket\b|\bsocket\(|TCPSocket|fsockopen|\/inet\/(?:tcp|udp)\/|net\.(?:connect|Socket)|IO::Socket/i;
const HANDS_SHELL =
  /pty\.spawn|\bdup2\b|(?<!\d)>&\s?\w|\d>&\s?(?:[3-9]|\$?\w{0,20}sock)|<&\s?\d|\bexec\w{0,9}\W{1,6}(?:\/bin\/)?(?:ba|da|z)?sh\b|spawn\w{0,9}\W{1,6}(?:\/bin\/)?(?:ba|da|z)?sh\b|\w\s?\|&?\s?getline/;
const KILLS_ALL =
  /\bkill\s{0,4}\(?\s{0,4}(?:-1\b(?!\s{1,4}[\w$])|["']?-?(?:9|KILL|SIGKILL)["']?\s{0,4}(?:,|=>)\s{0,4}-1\b)/;
const OPENS_DEVICE =
  /\b(?:open|writeFile\w{0,4}|createWriteStream|fopen|file_put_contents)\b\W{0,4}\w{0,8}\W{0,6}["'`]>{0,2}\s?(\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper\/)\w{0,40})["'`](?:\s{0,4},\s{0,4}["'`][rb]{1,2}["'`])?/;

/** What code does by itself that would be blocked as a command. */
const harmIn = (code: string): string | undefined => {
  if (CONNECTS.test(code) && HANDS_SHELL.test(code)) return "a shell that takes its commands from the network";
  if (KILLS_ALL.test(code)) return "SIGKILL for every process";
  if (!code.includes("/dev/")) return undefined;
  const [opened, device] = OPENS_DEVICE.exec(code) ?? [];
  return opened !== undefined && !/,\s*["'`][rb]{1,2}["'`]$/.test(opened) ? `it writes to ${device}` : undefined;
};

/** `print "text" | "command"` and `"command" | getline`. */
const PIPED =
  /(?:print\w?\s{0,4}\(?\s{0,4}"((?:\\.|[^"\\]){0,1000})"\)?\s{0,4})?\|&?[\s(]{0,4}"((?:\\.|[^"\\]){0,1000})"|"((?:\\.|[^"\\]){0,1000})"[\s)]{0,4}\|&?\s{0,4}getline/g;
/** Languages in which a mark or a word makes a line a shell command. */
const BY_LINE = /^(?:tclsh|wish|expect|gdb|ed|ex|vi|vim|nvim|sqlite|psql|mysql)[\d.]*$/;
const LINES = /^[ \t]*(?:(?:exec|spawn|shell|\.shell|\.system|system)[ \t]+|:?!|\\!)(.+)$/gm;
const IN_BACKTICKS: ReadonlySet<string> = new Set(["ruby", "perl", "php"]);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A mark and one letter: `!x`. */
const SHORTEST = 2;

const walkPlain = (language: string, start: string, walk: Walk): void => {
  const run = (text: string | undefined): void => {
    if (text !== undefined) walkText(text, walk, undefined);
  };
  if (SPAWN.test(start))
    for (const [, , text = "", more = ""] of start.matchAll(SPAWNS))
      run(text.replace(/\\(["'`])/g, "$1") + more.slice(0, 1_024).replace(/,\s*\[?/g, " "));
  if (/rm|remove|delete|unlink|rimraf|emptyDir/i.test(start)) {
    for (const [, , quotedPath, path = quotedPath] of start.matchAll(REMOVES))
      run(`rm -rf ${path === undefined ? "~" : quoted(path)}`);
    const plain = withoutNames(start);
    if (plain !== start)
      for (const [, , path] of plain.matchAll(REMOVES)) if (path !== undefined) run(`rm -rf ${quoted(path)}`);
  }
  if (runsWhatItFetches(start)) doubt(walk, "it runs text fetched from the network", "blocked");
  const harm = harmIn(start);
  if (harm !== undefined) doubt(walk, harm, "blocked");
  if (start.includes("|"))
    for (const [, printed, into, from] of start.matchAll(PIPED))
      run(printed === undefined ? (into ?? from) : `printf %b ${quoted(printed)} | ${into}`);
  if (BY_LINE.test(language)) for (const [, text] of start.matchAll(LINES)) run(text);
  const reason = blockedInCode(start, walk);
  if (reason !== undefined) doubt(walk, `it gives a command to a shell: ${reason}`, "blocked");
  if (IN_BACKTICKS.has(language)) for (const [, text] of start.matchAll(BACKTICKS)) run(text);
};

/** Languages that run a command behind a word or a mark of their own. */
const BY_WORDS = /^(?:osascript|n?vim|vi|ex|psql|mysql|sqlite)/;
/** Without any of this, code neither runs nor deletes anything, whatever texts it makes. */
const MAY_RUN =
  /\b(?:os|pty|posix|shutil|importlib|ctypes|builtins|globals|locals|vars|vm|fs|rm)\b|child_|subproc|constructor|binding|exec|eval|getattr|__|system|popen|spawn|process|fork|Function|(?:require|import)\s{0,4}\(\s{0,4}[^"'\s]|import\s{0,4}\(|qx|`|%x|open|unlink|remove|rmdir|rmtree|send|method|shell|call|passthru|\$\w{1,40}\s{0,4}\(|[&|]\s{0,4}["{$(]|getline|Open3|Command|\brun|\bexe|!|iex|Invoke|shell|concat/i;

const isRefused = ({ floor, segments }: Walk): boolean =>
  floor === "blocked" || segments.some((segment) => segment.class === "blocked");

/** Finds what code in another language plainly passes to a shell or removes. */
export const walkCode = (language: string, code: string, walk: Walk): void => {
  if (code.length < SHORTEST) return;
  const start = code.slice(0, 8_192);
  const made = MAY_RUN.test(start) ? assembled(language, start) : start;
  walkPlain(language, start, walk);
  if (made === start || isRefused(walk)) return;
  walkPlain(language, made, walk);
  const reason = BY_WORDS.test(language) ? blockedInTexts(eachOf([language, made], plainField), walk) : undefined;
  if (reason !== undefined) doubt(walk, `it gives a command to a shell: ${reason}`, "blocked");
};
