import { blockedInCode } from "./anywhere.ts";
import { doubt, type Walk } from "./walk.ts";
import { walkText } from "./words.ts";

/** How most languages pass a quoted text to a shell. */
const SPAWN =
  /(?:(?:system|popen\w{0,9}|exec\w{0,9}|qx|shell_exec|passthru)\s{0,4}\(?|(?:spawn\w{0,9}|call|run|check_\w{0,9}|getoutput|getstatusoutput|sh)\()\s{0,4}\[?(["'`])((?:\\.|(?!\1)[^\\])*)\1((?:\s{0,4},\s{0,4}\[?(?:"[^"\\]*"|'[^'\\]*'))*)/;
const SPAWNS = new RegExp(SPAWN, "g");
const BACKTICKS = /`([^`]+)`/g;
/** What removes a folder and all below it, in most languages: what it is given, or the home folder. */
const REMOVES =
  /(?:rmtree|rm_rf?|rmSync|rmdirSync|removeSync|emptyDirSync|remove_dir_all|remove_entry\w{0,9}|rimraf(?:\.sync)?|fs\.(?:promises\.)?rm)\s{0,4}\(?\s{0,4}(?:(["'`])((?:(?!\1)[^\\])*)\1|[\w.]{0,24}(?:expanduser\(["']~\/?["']|homedir\(|home\())/g;
/** `print "text" | "command"` and `"command" | getline`. */
const PIPED =
  /(?:print\w?\s{0,4}\(?\s{0,4}"((?:\\.|[^"\\]){0,1000})"\)?\s{0,4})?\|&?\s{0,4}"((?:\\.|[^"\\]){0,1000})"|"((?:\\.|[^"\\]){0,1000})"\s{0,4}\|&?\s{0,4}getline/g;
/** Languages in which a mark or a word makes a line a shell command. */
const BY_LINE = /^(?:tclsh|wish|expect|gdb|ed|ex|vi|vim|nvim|sqlite|psql|mysql)[\d.]*$/;
const LINES = /^[ \t]*(?:(?:exec|spawn|shell|\.shell|\.system|system)[ \t]+|:?!|\\!)(.+)$/gm;
const IN_BACKTICKS: ReadonlySet<string> = new Set(["ruby", "perl", "php"]);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A mark and one letter: `!x`. */
const SHORTEST = 2;

/** Finds what code in another language plainly passes to a shell or removes. */
export const walkCode = (language: string, code: string, walk: Walk): void => {
  if (code.length < SHORTEST) return;
  const start = code.slice(0, 8_192);
  const run = (text: string | undefined): void => {
    if (text !== undefined) walkText(text, walk, undefined);
  };
  if (SPAWN.test(start))
    for (const [, , text = "", more = ""] of start.matchAll(SPAWNS))
      run(text.replace(/\\(["'`])/g, "$1") + more.slice(0, 1_024).replace(/,\s*\[?/g, " "));
  if (/rm|remove|rimraf|emptyDir/.test(start))
    for (const [, , path] of start.matchAll(REMOVES)) run(`rm -rf ${path === undefined ? "~" : quoted(path)}`);
  if (start.includes("|"))
    for (const [, printed, into, from] of start.matchAll(PIPED))
      run(printed === undefined ? (into ?? from) : `printf %s ${quoted(printed)} | ${into}`);
  if (BY_LINE.test(language)) for (const [, text] of start.matchAll(LINES)) run(text);
  const reason = blockedInCode(start, walk);
  if (reason !== undefined) doubt(walk, `it gives a command to a shell: ${reason}`, "blocked");
  if (IN_BACKTICKS.has(language)) for (const [, text] of start.matchAll(BACKTICKS)) run(text);
};
