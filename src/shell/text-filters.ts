import { fromBase64, fromHex, rotated, unescaped } from "./code-values.ts";

/** What a program prints, given its words and its input. Undefined: nobody can tell. */
export type Filter = (words: readonly string[], stdin: string) => string | undefined;

const byLine =
  (change: (line: string) => string) =>
  (text: string): string =>
    text.split("\n").map(change).join("\n");

/** The value of an option, attached or as the next word. */
const optionValue = (words: readonly string[], option: RegExp): string | undefined => {
  const at = words.findIndex((word) => option.test(word));
  const attached = words[at]?.replace(option, "");
  return attached === "" ? words[at + 1] : attached;
};

/** `1,3-5,7-`: whether a position is among them. */
const chosen = (list: string): ((at: number) => boolean) => {
  const ranges = list.split(",").map((part) => /^(\d{0,6})(-?)(\d{0,6})$/.exec(part) ?? []);
  return (at) =>
    ranges.some(([, from, dash, to]) =>
      dash ? at >= Number(from || 1) && at <= Number(to || Number.POSITIVE_INFINITY) : at === Number(from),
    );
};

const cut: Filter = (words, stdin) => {
  const characters = optionValue(words, /^(?:-[bc]|--(?:bytes|characters)=)/);
  if (characters !== undefined) {
    const isIn = chosen(characters);
    return byLine((line) => [...line].filter((_, index) => isIn(index + 1)).join(""))(stdin);
  }
  const fields = optionValue(words, /^(?:-f|--fields=)/);
  if (fields === undefined) return undefined;
  const isIn = chosen(fields);
  const between = optionValue(words, /^(?:-d|--delimiter=)/) ?? "\t";
  const after = optionValue(words, /^--output-delimiter=/) ?? between;
  return byLine((line) =>
    line.includes(between)
      ? line
          .split(between)
          .filter((_, index) => isIn(index + 1))
          .join(after)
      : line,
  )(stdin);
};

const LINE = String.raw`(?:[\d$]{1,6}|/[^/]{0,80}/I?)`;
/** The lines that an edit of sed is for: `2`, `1,$`, `0~2`, `/a/!`. */
const LINES = String.raw`(${LINE}(?:[,~]\+?${LINE})?\s{0,4}!?)?\s{0,4}`;
const EDIT = new RegExp(
  String.raw`^${LINES}(s|y)([^\w\s\\])((?:(?!\3)[^\\\n]|\\.)*)\3((?:(?!\3)[^\\\n]|\\[\s\S])*)\3([a-zA-Z\d]{0,6})$`,
);
const TEXT = new RegExp(String.raw`^${LINES}([aic])\\?\s{0,8}([\s\S]+)$`);
/** Characters, marks of an end, one kind of characters or any number of them: what is tried in one pass. */
const PLAIN = /^\^?(?:[\w\s:;,#@=!%&~"'<>-]|\\[/.|*$^&[\]\\]|\[\^?[\w \-./|]{1,40}\]|\.(?!\*))*(?:\.\*|\+)?\$?$/;
const MOST_TRIED = 2_048;

type Change = (line: string) => string;
/** A simple edit of sed as a change of lines. */
const editOf = (script: string): Change | undefined => {
  const [, lines, verb, mark = "", from = "", to = "", flags = ""] = EDIT.exec(script.trim()) ?? [];
  if (verb === undefined) return undefined;
  const change = changeOf(verb, mark, from, to, flags);
  return lines === undefined ? change : change && ((line) => both(line, change(line)));
};

/** Which lines it is for is not followed: any may stay as it is. */
const both = (line: string, changed: string): string => (line === changed ? line : `${line}\n${changed}`);

const changeOf = (verb: string, mark: string, from: string, to: string, flags: string): Change | undefined => {
  const plain = from.replaceAll(`\\${mark}`, mark);
  const after = unescaped(
    to
      .replaceAll(`\\${mark}`, mark)
      .replaceAll("$", "$$$$")
      .replace(/(?<!\\)&/g, "$$&"),
    false,
  );
  if (verb === "y") {
    const all = [...plain];
    return (line) => [...line].map((char) => (all.includes(char) ? (after[all.indexOf(char)] ?? char) : char)).join("");
  }
  if (!PLAIN.test(from) || /\+\$?$/.test(plain)) return undefined;
  const pattern = new RegExp(
    plain.replaceAll("/", "\\/"),
    `${flags.includes("g") ? "g" : ""}${/i/i.test(flags) ? "i" : ""}`,
  );
  return (line) => (line.length > MOST_TRIED ? line : line.replace(pattern, after));
};

/** The parts of a script between semicolons, which texts and patterns may not contain. */
const partsOf = (script: string): string[] =>
  script
    .split(/;|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** `a`, `i` and `c` of sed; `alone`: in place of every line. */
const written =
  (text: string, alone: boolean): Change =>
  (line) =>
    alone ? text : both(line, text);

const changeFor = (edit: string): Change | undefined => {
  const [, where, verb, text] = TEXT.exec(edit) ?? [];
  return text === undefined ? editOf(edit) : written(unescaped(text, false), verb === "c" && where === undefined);
};

const edited = (scripts: readonly string[], stdin: string): string => {
  const isEnded = stdin.endsWith("\n");
  const lines = (isEnded ? stdin.slice(0, -1) : stdin).split("\n");
  for (const script of scripts) {
    const whole = changeFor(script);
    for (const change of whole ? [whole] : partsOf(script).map(changeFor))
      if (change) for (const [index, line] of lines.entries()) lines[index] = change(line);
  }
  return `${lines.join("\n")}${isEnded ? "\n" : ""}`;
};

/** `grep -o`: what fits the pattern comes alone; how its options change that is not followed, so the lines stay. */
export const matched: Filter = (words, stdin) => {
  const pattern = words.slice(1).find((word) => !word.startsWith("-"));
  const isOnly = words.some((word) => /^-[a-zA-Z]*o/.test(word) || word === "--only-matching");
  if (!isOnly || pattern === undefined || !PLAIN.test(pattern) || stdin.length > MOST_TRIED) return stdin;
  const found = stdin.split("\n").flatMap((line) => line.match(new RegExp(pattern.replaceAll("/", "\\/"), "g")) ?? []);
  return stdin + found.map((text) => `${text}\n`).join("");
};

/** Other edits are not followed, so the lines may also come out unchanged. */
const substituted: Filter = (words, stdin) => {
  const named = words.flatMap((word, index) =>
    /^-[nEr]*e$|^--expression$/.test(words[index - 1] ?? "") ? [word] : [],
  );
  const first = words.slice(1).find((word) => !word.startsWith("-"));
  return edited(named.length > 0 ? named : first === undefined ? [] : [first], stdin);
};

/** `perl -pe 's/a/b/'`. */
const substitutedByCode: Filter = (words, stdin) => {
  const at = words.findIndex((word) => /^-[a-z]{1,8}e$/.test(word) && /[pn]/.test(word));
  const code = words[at + 1];
  return at < 0 || code === undefined ? undefined : edited(partsOf(code), stdin);
};

const BLANKS = /\s+/g;
/** Programs of awk, in which all blanks are single ones. */
const COLUMNS = /^ ?\{ ?print((?:\$\d{1,2}|\$NF|[ ,;]|"[^"]*")+)\} ?$/;
const COLUMN = /\$(\d{1,2}|NF)|"([^"]*)"|,/g;
const WITHOUT =
  /^ ?\{ ?(?:\$(\d{1,2}) ?= ?""|g?sub\( ?["/]([^"/]{1,80})["/] ?, ?"([^"]*)" ?\)) ?(?:; ?print(?: \$0)? ?;? ?\}|;? ?\} ?1) ?$|^ ?(?:1|\{ ?print(?: \$0)? ?;? ?\}) ?$/;

const columned: Filter = (words, stdin) => {
  const separator = optionValue(words, /^-F/) ?? " ";
  const program = (words.slice(1).find((word) => !word.startsWith("-")) ?? "").replace(BLANKS, " ");
  const columns = (line: string): string[] => (separator === " " ? line.trim().split(BLANKS) : line.split(separator));
  const printed = COLUMNS.exec(program)?.[1];
  if (printed !== undefined)
    return byLine((line) => {
      const all = columns(line);
      const inColumn = (column: string): string =>
        column === "0" ? line : ((column === "NF" ? all.at(-1) : all[Number(column) - 1]) ?? "");
      const put = ([, column, text]: RegExpExecArray): string =>
        column === undefined ? (text ?? " ") : inColumn(column);
      return line === "" ? "" : [...printed.matchAll(COLUMN)].map(put).join("");
    })(stdin);
  const found = WITHOUT.exec(program);
  if (!found) return undefined;
  const [, column, from, to = ""] = found;
  return byLine((line) => {
    if (from !== undefined) return line.replaceAll(from, () => to);
    return column === undefined
      ? line
      : columns(line)
          .map((text, index) => (index + 1 === Number(column) ? "" : text))
          .join(" ");
  })(stdin);
};

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const fromBase32 = (text: string): string | undefined => {
  const digits = text.replace(/[\s=]+/g, "").toUpperCase();
  if (!/^[A-Z2-7]*$/.test(digits)) return undefined;
  let bits = 0;
  let held = 0;
  let all = "";
  for (const digit of digits) {
    held = ((held << 5) | ALPHABET.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    all += String.fromCharCode((held >> bits) & 0xff);
  }
  return all;
};

export const decodes = (words: readonly string[]): boolean => words.some((word) => /^-[a-zA-Z]*[dD]|^--d/.test(word));

const fromAny: Filter = (words, stdin) => {
  if (!decodes(words)) return undefined;
  if (words.includes("--base32")) return fromBase32(stdin);
  return words.includes("--base16") ? fromHex(stdin) : fromBase64(stdin);
};

const inOneLine: Filter = (words, stdin) => {
  if (!words.some((word) => /^-[a-z]*s|^--serial/.test(word))) return undefined;
  const between = optionValue(words, /^(?:-s?d|--delimiters=)/) ?? "\t";
  return `${stdin
    .replace(/\n$/, "")
    .split("\n")
    .join(between[0] ?? "")}\n`;
};

const spread: Filter = (words, stdin) => {
  const between = optionValue(words, /^-s|^--separator=/);
  return between === undefined ? stdin : byLine((line) => line.split(between).join("  "))(stdin);
};

/** A number may be the value of the option before it: `head -n 1`. */
export const hasOperand = (words: readonly string[]): boolean =>
  words.slice(1).some((word) => !/^(?:-|\d+$|\/dev\/stdin$)/.test(word));

export const passes: Filter = (words, stdin) => (hasOperand(words) ? undefined : stdin);
const COUNTED = /^(?:-c|--bytes=)/;
/** `-c 4` of `head` and `tail`, where it is the only option and a character is a byte. */
const countIn = (words: readonly string[], stdin: string): string => {
  const options = words.slice(1).filter((word) => /^-./.test(word));
  return options.length === 1 && /^[\0-\x7f]*$/.test(stdin) ? (optionValue(words, COUNTED) ?? "") : "";
};
/** `head -c 4`, `tail -c +2`: some of the characters; all of it where lines are counted. */
export const firstOf = (words: readonly string[], stdin: string): string => {
  const count = countIn(words, stdin);
  return /^\d{1,6}$/.test(count) ? stdin.slice(0, Number(count)) : stdin;
};
export const lastOf = (words: readonly string[], stdin: string): string => {
  const count = countIn(words, stdin);
  if (/^\+\d{1,6}$/.test(count)) return stdin.slice(Math.max(0, Number(count) - 1));
  return /^\d{1,6}$/.test(count) ? stdin.slice(Math.max(0, stdin.length - Number(count))) : stdin;
};

const unchanged: Filter = (_, stdin) => stdin;

/** Programs that change or decode a text. */
export const TEXT_FILTERS: readonly (readonly [string, Filter])[] = [
  ["cut", cut],
  ["sed", substituted],
  ["gsed", substituted],
  ["perl", substitutedByCode],
  ["ruby", substitutedByCode],
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, columned] as const),
  ["base32", (words, stdin) => (decodes(words) ? fromBase32(stdin) : undefined)],
  ["basenc", fromAny],
  ["paste", inOneLine],
  ["column", spread],
  ["rot13", (_, stdin) => rotated(stdin)],
  // wrapping, blanks and alphabets: a command stays what it is
  ...["fold", "fmt", "expand", "unexpand", "col", "strings", "dos2unix", "m4"].map((name) => [name, passes] as const),
  ["iconv", unchanged],
];
