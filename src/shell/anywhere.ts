import { hasBlank, upTo } from "./blanks.ts";
import { ruleOf } from "./blocked.ts";
import { nameIn, plainField } from "./fields.ts";
import { eachOf } from "./lists.ts";
import { BLANK, COMMA, EQUALS } from "./marks.ts";
import { nameOf } from "./paths.ts";
import { blockedCommand, blockedWithin, WORTH } from "./tried.ts";
import { exhausted, type Field, type Walk } from "./walk.ts";

const named = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Their words are package names, page names or text for people, not commands. */
const NAMING = named(
  "apt apt-get aptitude dnf yum apk pacman brew zypper port snap flatpak dpkg rpm man info tldr whatis",
);
const SPEAKING = named("logger notify-send say espeak figlet toilet banner wall");
const MESSAGE = /^(?:-m|--(?:message|body|title|comment|description|notes|subject|prompt|text|query|reason|summary))$/;
/** Their one-letter options for prose: body, title, notes, description, comment. */
const POSTING = named("gh glab");
const POSTED = /^-[btndc]$/;
const POSTING_VERB = /^(?:issue|pr|mr|release|gist|repo|label|project|milestone|snippet|incident)$/;
const DASH = 45;
/** Most words are not options; this quick check avoids running the full pattern on them. */
const isOption = (text: string, pattern: RegExp): boolean => text.charCodeAt(0) === DASH && pattern.test(text);

/** Whether the word before this one is an option that takes a message. */
const isMessage = (fields: readonly Field[], index: number): boolean => {
  const before = (fields[index - 1] as Field).text;
  if (isOption(before, MESSAGE)) return true;
  if (!isOption(before, POSTED) || !POSTING_VERB.test(fields[1]?.text ?? "")) return false;
  return POSTING.has(nameOf((fields[0] as Field).text));
};

/** Why the words from a position on must never run, should an unknown program run them. */
const blockedFrom = (fields: readonly Field[], walk: Walk, fits = (_text: string) => true): string | undefined => {
  const first = walk.trying > 0 ? fields.findIndex(({ text }) => text === "--") : 0;
  if (first < 0) return undefined;
  for (let index = first + 1; index < fields.length; index++) {
    if (isMessage(fields, index)) continue;
    const rule = ruleOf(nameIn(fields[index] as Field));
    // a program's name alone is more likely an ordinary word
    if (rule === undefined || index + 1 >= fields.length || !fits((fields[index] as Field).text)) continue;
    if (exhausted(walk, (fields.length - index) >> 4)) return undefined;
    const reason = rule(withoutEnd(fields.slice(index)), walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** A bare name, or a path where the system keeps its programs: `someone/sudo` is probably something else. */
const isProgramName = (text: string): boolean => !text.includes("/") || /^\/(?:usr\/(?:local\/)?)?s?bin\//.test(text);

/** The same for a known program that also takes other words. */
export const blockedInWords = (fields: readonly Field[], walk: Walk): string | undefined =>
  blockedFrom(fields, walk, isProgramName);

/** `--exec /bin/rm -- -rf /`: what follows belongs to the program before it. */
const withoutEnd = (fields: readonly Field[]): readonly Field[] =>
  fields[1]?.text === "--" ? [fields[0] as Field, ...fields.slice(2)] : fields;

const VALUE = /^(?:(?:--?)?[\w.:-]+=|-[a-zA-Z](?=\S*\s))(.*)$/s;
/** How debuggers and consoles mark a shell command. */
const INTRODUCED =
  /(?:^|[\s;(])(?:(?:shell|exec|run|system|cmd|spawn)\s+|!\s*)(\S.*)$|[:+,](?:execute(?:-silent)?|become)\((.+)\)$/s;
/** A key that is pressed after the text. */
const ENDS = /(?:\\[nr]|\^[MJ])+/g;

/** `ext::sh -c x% y`: git runs the text after it. */
const TRANSPORT = /^ext::(.*)$/s;

/** Why a text must never be given to a shell, or to something that passes it on to one. */
const blockedText = (given: string, walk: Walk): string | undefined => {
  // a program's name may follow such a key without a space
  const text = given.replace(ENDS, "\n");
  if (!WORTH.test(text)) return undefined;
  const transport = text.startsWith("ext") ? TRANSPORT.exec(text)?.[1] : undefined;
  if (transport !== undefined)
    return blockedFrom(eachOf(["ext", ...transport.replaceAll("% ", " ").split(" ")], plainField), {
      ...walk,
      trying: 0,
    });
  const introduced = INTRODUCED.exec(text);
  const inner = introduced?.[1] ?? introduced?.[2];
  return (
    blockedCommand(text, walk) ??
    (inner === undefined ? undefined : blockedCommand(inner.replace(/\)$/, ""), walk)) ??
    (CALLS.test(text) ? blockedInCode(text, walk) : blockedWithin(text, walk, false))
  );
};

/** Code that starts a program; in prose the word is not followed by a bracket. */
const CALLS =
  /\b(?:system\d?|exec\w{0,9}|popen\w{0,9}|Popen|spawn\w{0,9}|create_subprocess\w{0,9}|cmd|Command)\(\s{0,4}["'`[\w]/;

/** The same for unknown programs that may read code: a call that starts a program, followed by its words. */
const CALLED =
  /(?<!\w)(?:\w{0,12}system\d?|exec\w{0,9}|popen\w{0,9}|Popen|spawn\w{0,9}|\w{0,12}cmd|execute|command|subprocess[.\w]{0,20})(?:\s{0,4}\(\s{0,4}|\s{1,4})["'\x60[]/;

/** `"a b"`: a quoted value in a configuration. */
const QUOTED = /^(["'])(.*)\1$/s;
/** Options and settings whose value is run as a command, whatever the program. */
const RUN_BY_NAME =
  /(?:pager|exec|command|cmd|program|script|shell|editor|rsh|launcher|wrapper|runner|helper|hook|askpass|viewer|browser|speller|preview|toolexec|vettool|rsync-path|run[_-]under|exec\.args)$/i;
/** For programs with their own language, which is analysed elsewhere. */
const RUN_BESIDE_CODE = /(?:pager|editor|browser)$/i;
const SETTING = /^(?:-|(?:editor|script-shell|shell|pager|viewer|browser)$)/;

/** Why the value of an option or setting whose name says that it is run must not run. */
export const blockedInValues = (fields: readonly Field[], walk: Walk, beside: boolean): string | undefined => {
  const run = beside ? RUN_BESIDE_CODE : RUN_BY_NAME;
  const started = blockedInSettings(fields, walk);
  if (started !== undefined) return started;
  for (let index = 1; index < fields.length; index++) {
    const { text: written, marks } = fields[index] as Field;
    if ((marks & (BLANK | COMMA)) === 0) continue;
    const before = (fields[index - 1] as Field).text;
    // `gcc -wrapper program,word`
    const wraps = isOption(before, WRAPPER) || isOption(written, WRAPPER);
    const text = wraps ? written.replaceAll(",", " ") : written;
    if (!hasBlank(text)) continue;
    const equals = text.indexOf("=");
    const isAttached = equals > 0 && text.startsWith("-") && run.test(text.slice(0, Math.min(equals, MOST_NAME)));
    if (!isAttached && !(SETTING.test(before) && before.length < MOST_NAME && run.test(before))) continue;
    const value = isAttached ? text.slice(equals + 1) : text;
    const reason = blockedText(QUOTED.exec(value)?.[2] ?? value, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};
const MOST_NAME = 80;

/** `mvn exec:exec`: the program and its words are two settings. */
const blockedInSettings = (fields: readonly Field[], walk: Walk): string | undefined => {
  const executable = settingIn(fields, EXECUTABLE);
  return executable === undefined ? undefined : blockedText(`${executable} ${settingIn(fields, GIVEN) ?? ""}`, walk);
};
const EXECUTABLE = "-Dexec.executable=";
const GIVEN = "-Dexec.args=";
const settingIn = (fields: readonly Field[], setting: string): string | undefined => {
  for (let index = 0; index < fields.length; index++) {
    const { text, marks } = fields[index] as Field;
    if ((marks & EQUALS) !== 0 && text.startsWith(setting)) return text.slice(setting.length);
  }
  return undefined;
};
const WRAPPER = /^--?wrapper(?:=|$)/;

/** How editors, databases and clients that read line by line mark a shell command. */
const LINE_OF_SHELL = /^[ \t]*(?:(?::|(?:\.\/)?~|[\d.,$%]{0,12}[rw] ?)?!|\\!|\.(?:shell|system)[ \t])[ \t]*(\S.*)$/gm;
/** Characters that each of these marks contains, for a quick check. */
const MARKED = /!|\.s/;
const MOST_INPUT = 4_096;

/** Why a program must not run with its input: a line goes to a shell, or `reads` finds something in it as code. */
export const blockedInInput = (given: string | undefined, walk: Walk, reads: boolean): string | undefined => {
  if (given === undefined) return undefined;
  const isMarked = MARKED.test(given);
  if ((!isMarked && !reads) || !WORTH.test(given)) return undefined;
  if (isMarked)
    for (const [, command = ""] of given.slice(0, MOST_INPUT).matchAll(LINE_OF_SHELL)) {
      const reason = blockedCommand(command, walk);
      if (reason !== undefined) return reason;
    }
  if (!reads) return undefined;
  const text = given.slice(0, MOST_INPUT);
  return CALLED.test(text) || STARTS_BEFORE.test(text) ? blockedInCode(text, walk) : blockedWithin(text, walk, false);
};

/** The value without its option or setting. */
const valueIn = (text: string): string => {
  const value = VALUE.exec(text)?.[1] ?? text;
  return (value.startsWith("-") ? OPTION_IN_VALUE : QUOTED).exec(value)?.at(-1) ?? value;
};
/** `--ssh-options=-oProxyCommand=…` */
const OPTION_IN_VALUE = /^--?[a-zA-Z][\w-]*=(.*)$/s;

/** The same for every word that is a whole command in itself, or has one as an option's value. */
export const blockedInTexts = (fields: readonly Field[], walk: Walk): string | undefined => {
  for (let index = 1; index < fields.length; index++) {
    const { text, marks } = fields[index] as Field;
    if ((marks & BLANK) === 0 || isMessage(fields, index) || isOption(upTo("=", text), MESSAGE)) continue;
    const reason = blockedText(valueIn(text), walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** Why the words after `--` must never run, for programs that run what stands there. */
export const blockedBehindDashes = (fields: readonly Field[], walk: Walk): string | undefined => {
  const dashes = fields.findIndex(({ text }) => text === "--");
  return dashes < 0 ? undefined : blockedFrom(fields.slice(dashes), walk);
};

/** Why a program that is not known must not run with these words. */
export const blockedAnywhere = (name: string, fields: readonly Field[], walk: Walk): string | undefined => {
  if (SPEAKING.has(name)) return undefined;
  return (NAMING.has(name) ? undefined : blockedFrom(fields, walk)) ?? blockedInTexts(fields, walk);
};

/** What starts another program, in most languages, however its words are quoted. */
const STARTS =
  /\b(?:system[23]?|exec\w{0,9}|popen\w{0,9}|Popen|spawn\w{0,9}|subprocess|child_process|create_subprocess\w{0,9}|proc_open|job_start|qx|syscmd|esyscmd|(?:async-)?shell-command\w{0,9}|call-process[\w-]{0,14}|ProcessBuilder|os[./]execute|os:cmd|os\.cmd|System\.cmd|Sys\.command|Open3|posix_spawn\w{0,2}|Deno\.(?:Command|run)|execa\w{0,9}|write18|callCommand|callProcess|readProcess|iex|Invoke-Expression|Start-Process|(?:from|to|FROM|TO) {1,4}(?:program|PROGRAM))\b|Bun\.\$|%x[^\w\s]|\bopen\b[^;\n]{0,40}["']\s{0,4}-?\||\bopen\b[^;\n]{0,200}\|\s{0,4}["']/;
/** Where the text comes first: `"…".execute()`, `"…".!`, `s" …" system`. */
const STARTS_BEFORE = /["']\)?\s{0,4}(?:\.(?:execute\b|!|lines\b)| system\b)/;
const NAMED_TEXT = /(?<!\w)(\w{1,40})\s{0,4}=\s{0,4}[[({]?(["'`])([^"'`\\\n]{1,500})\2/g;
const MOST_WORDS = 400;

/** Why code of another language must never run: a command in it, after something that starts programs. */
export const blockedInCode = (code: string, walk: Walk): string | undefined => {
  if (!WORTH.test(code)) return undefined;
  const at = STARTS_BEFORE.test(code) ? 0 : code.search(STARTS);
  if (at < 0) return blockedWithin(code, walk, false);
  const rest = code.slice(at);
  const used = new Set(rest.split(/\W+/));
  // `cmd = "…"; system(cmd)`
  const before = [...code.slice(0, at).matchAll(NAMED_TEXT)].flatMap(([, name = "", , text = ""]) =>
    used.has(name) ? [text] : [],
  );
  for (const text of [...before, rest]) {
    const reason = blockedWithin(text, walk, true);
    if (reason !== undefined) return reason;
  }
  return (
    blockedInLooseWords([...before, rest].join(" ; "), walk) ??
    (STARTS_TEXT.test(rest) ? undefined : blockedByText(code.slice(0, at), walk))
  );
};

/** `system("…")`, and not `system(c)`. */
const STARTS_TEXT = /^[\w.:$]{1,60}(?:["'`]\)\.\w{1,20})?(?:\s{0,4}[([{]{1,3}\s{0,4}|\s{1,4})["'`]/;
const TEXT = /(["'`])([\w./~-]{1,40} [^"'`\\\n]{1,500})\1/g;

/** `c = {"k": "…"}["k"]; system(c)`: a text that is a command as a whole may be what is started. */
const blockedByText = (code: string, walk: Walk): string | undefined => {
  for (const [, , text = ""] of code.matchAll(TEXT)) {
    const reason = ruleOf(nameOf(upTo(" ", text))) === undefined ? undefined : blockedCommand(text, walk);
    if (reason !== undefined) return reason;
  }
  return undefined;
};

/** The same word by word, for commands that are lists of texts. */
const blockedInLooseWords = (code: string, walk: Walk): string | undefined => {
  const words = eachOf(code.split(/[\s"'`,;|&<>()[\]{}]+/).slice(0, MOST_WORDS), plainField);
  for (let index = 0; index < words.length; index++) {
    const name = nameOf((words[index] as Field).text);
    const reason = ruleOf(name)?.(words.slice(index, index + 8), walk);
    if (reason !== undefined && (name !== "su" || words[index - 1]?.text === "system")) return reason;
  }
  return undefined;
};
