import { fromBase64, fromHex } from "./code-values.ts";
import { isKnownField } from "./fields.ts";
import { linesOf } from "./floods.ts";
import { mergedText } from "./merging.ts";
import { fetches, MAY_FETCH, withoutEnding } from "./origins.ts";
import { nameOf, withoutSlashes } from "./paths.ts";
import { asksGitForPlace, gitPlace, isNewName, NEW_NAME } from "./printed-places.ts";
import { decodes, type Filter, firstOf, hasOperand, lastOf, matched, passes, TEXT_FILTERS } from "./text-filters.ts";
import {
  changedFlow,
  FETCHED,
  FETCHED_FLOW,
  type Field,
  type Flow,
  isKnown,
  SELECTED_FLOW,
  textFlow,
  UNKNOWN,
  UNKNOWN_FLOW,
  withoutStandIns,
} from "./walk.ts";

/** Where output comes from: the words alone (`starts`), or process numbers chosen by matching whole command lines (`selects`). */
const ORIGINS: ReadonlyMap<string, "starts" | "selects"> = new Map([
  ...["echo", "printf", "which", "type", "yes", "dirname", "basename", "realpath", "readlink", "pwd"].map(
    (name) => [name, "starts"] as const,
  ),
  ...["ps", "pidof", "pgrep"].map((name) => [name, "selects"] as const),
]);

/** Text past this size is not followed. */
const MOST = 16_384;

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

const NUL = "\u0000";
const character = (code: number): string => (code === 0 ? NUL : withoutStandIns(String.fromCharCode(code)));

/** Resolves backslash escapes; `\0` becomes a NUL. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex?: string, wide?: string, octal?: string, letter?: string) => {
      if (hex ?? wide) return character(Number.parseInt((hex ?? wide) as string, 16));
      if (octal) return character(Number.parseInt(octal, 8) & 255);
      return ESCAPES[letter as string] ?? whole;
    },
  );

const echoed = (words: readonly string[]): string => {
  let from = 1;
  let escapes = false;
  while (/^-[neE]+$/.test(words[from] ?? "")) {
    if (words[from]?.includes("e")) escapes = true;
    from++;
  }
  const text = words.slice(from).join(" ");
  return `${escapes ? unescaped(text) : text}\n`;
};

/** How often `printf` reuses its format for the remaining words. */
const MOST_ROUNDS = 64;

const printed = (words: readonly string[]): string | undefined => {
  const from = words[1] === "--" ? 2 : 1;
  if (words[1]?.startsWith("-") && from === 1) return undefined;
  const format = unescaped(words[from] ?? "");
  let rest = words.slice(from + 1);
  let text = "";
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let used = 0;
    text += format.replace(/%(?:%|[-+ 0#]*(?:[1-9]\d*)?(?:\.\d+)?([a-zA-Z]))/g, (_, kind?: string) => {
      if (kind === undefined) return "%";
      const value = rest[used++] ?? "";
      return kind === "b" ? unescaped(value) : value;
    });
    rest = rest.slice(used);
    if (used === 0 || rest.length === 0) return text;
  }
  // the real output is longer than what was assembled here
  return undefined;
};

const toBase64 = (text: string): string | undefined => {
  try {
    return `${btoa(text)}\n`;
  } catch {
    return undefined;
  }
};

const toHex = (words: readonly string[], text: string): string | undefined =>
  words.includes("-p") ? [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("") : undefined;

const ranges = (text: string): string =>
  unescaped(text).replace(/(.)-(.)/gs, (whole, from: string, to: string) => {
    const start = from.charCodeAt(0);
    const length = to.charCodeAt(0) - start + 1;
    return length > 0 && length < 256
      ? String.fromCharCode(...Array.from({ length }, (_, index) => start + index))
      : whole;
  });

const translated = (words: readonly string[], text: string): string | undefined => {
  const operands = words.slice(1).filter((word) => !/^-[a-zA-Z]+$/.test(word));
  const from = ranges(operands[0] ?? "");
  if (words.some((word) => /^-d$/.test(word))) return [...text].filter((char) => !from.includes(char)).join("");
  if (words.some((word) => /^-(?:cd|dc|Cd|dC)$/.test(word)))
    return [...text].filter((char) => from.includes(char) || /^\[:/.test(operands[0] ?? "")).join("");
  if (words.some((word) => /^-[a-zA-Z]+$/.test(word)) || operands.length !== 2) return undefined;
  const to = ranges(operands[1] as string);
  return [...text]
    .map((char) => {
      const at = from.lastIndexOf(char);
      return at < 0 || to === "" ? char : (to[Math.min(at, to.length - 1)] as string);
    })
    .join("");
};

const folderOf = (path: string): string => {
  const bare = path.replace(/(?<=[^/])\/+$/, "");
  const slash = bare.lastIndexOf("/");
  return slash < 0 ? "." : bare.slice(0, slash) || "/";
};

/** One line for each operand. */
const eachOperand =
  (line: (operand: string) => string): Filter =>
  (words) => {
    const operands = words.slice(1).filter((word) => !/^--?[a-zA-Z]*$/.test(word));
    return operands.length === 0 ? undefined : operands.map((operand) => `${line(operand)}\n`).join("");
  };

/** `basename a/b.c .c`; with options it is not followed. */
const named: Filter = ([, path, ending = "", ...more]) => {
  if (path === undefined || more.length > 0 || path.startsWith("-") || ending.startsWith("-")) return undefined;
  const name = nameOf(withoutSlashes(path)) || path;
  return `${name !== ending && name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name}\n`;
};

/** The path itself; its links are not followed. */
const paths = eachOperand((path) => path);
const programs = eachOperand((name) => `/usr/bin/${name}`);

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["echo", echoed],
  ["printf", printed],
  ["which", programs],
  ["type", (words, stdin) => (/^-[af]*[pP]/.test(words[1] ?? "") ? programs(words, stdin) : undefined)],
  ["dirname", eachOperand(folderOf)],
  ["basename", named],
  ["realpath", paths],
  ["readlink", paths],
  ["git", gitPlace],
  ["pwd", () => ".\n"],
  ["yes", (words) => `${words.slice(1).join(" ") || "y"}\n`],
  ["cat", passes],
  ["tee", (_, stdin) => stdin],
  ["grep", matched],
  ["pv", passes],
  ["sort", passes],
  ["uniq", passes],
  ["head", (words, stdin) => passes(words, firstOf(words, stdin))],
  ["tail", (words, stdin) => passes(words, lastOf(words, stdin))],
  ["tac", passes],
  ["dd", (words, stdin) => (words.some((word) => word.startsWith("if=")) ? undefined : stdin)],
  ["base64", (words, stdin) => (decodes(words) ? fromBase64(stdin) : toBase64(stdin))],
  // compressing and decompressing leaves the text unchanged
  ...["gzip", "gunzip", "zcat", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"].map(
    (name) => [name, passes] as const,
  ),
  [
    "openssl",
    (words, stdin) => (/^(?:enc|base64)$/.test(words[1] ?? "") && words.includes("-d") ? fromBase64(stdin) : undefined),
  ],
  ["xxd", (words, stdin) => (words.some((word) => /^-[a-z]*r/.test(word)) ? fromHex(stdin) : toHex(words, stdin))],
  [
    "rev",
    (words, stdin) =>
      hasOperand(words)
        ? undefined
        : stdin
            .split("\n")
            .map((line) => [...line].reverse().join(""))
            .join("\n"),
  ],
  ["tr", translated],
  ...TEXT_FILTERS,
]);

/** Programs that may print their input lines unchanged. */
const PASSING: ReadonlySet<string> = new Set(["tee", "sed", "grep", "head", "tail"]);

/** Programs that may print some of their input lines unchanged, whatever their words say. */
const MAY_PASS: ReadonlySet<string> = new Set(
  "awk gawk mawk nawk perl ruby tr cut paste column pr shuf nl jq".split(" "),
);

const selects = (program: string, words: readonly Field[]): boolean =>
  program !== "pgrep" || words.some((word) => /^-[a-zA-Z]*f|^--f/.test(word.text));

/** Programs that print their words in some form. */
const PRINTING: ReadonlySet<string> = new Set(["echo", "printf"]);

/** Programs that print more than what they are given. */
const SOURCES: ReadonlySet<string> = new Set([...ORIGINS.keys(), ...MAY_FETCH, "yes", "seq", "mktemp"]);
const isSource = (program: string, fields: readonly Field[]): boolean => {
  if (SOURCES.has(withoutEnding(program)) || asksGitForPlace(program, fields)) return true;
  for (const field of fields) if (field.glob || !isKnownField(field)) return true;
  return false;
};

/** What comes out of a program, given what goes in. */
export const flowOf = (program: string, fields: readonly Field[], stdin: Flow | undefined): Flow => {
  if ((stdin === undefined || stdin === UNKNOWN_FLOW) && !isSource(program, fields)) return mergedFlow(program, fields);
  const flow = textFlowOf(program, fields, stdin);
  const lines = linesOf(program, fields, stdin);
  return lines === undefined ? flow : changedFlow(flow, { lines });
};

const textFlowOf = (program: string, fields: readonly Field[], stdin: Flow | undefined): Flow => {
  if (program === "mktemp" && isNewName(fields)) return NEW_NAME;
  const origin = asksGitForPlace(program, fields) ? "starts" : ORIGINS.get(program);
  if ((stdin?.fetched && origin !== "starts") || fetches(program, fields)) return FETCHED_FLOW;
  for (const field of fields) if (!isKnownField(field) && field.text.includes(FETCHED)) return FETCHED_FLOW;
  if (stdin?.text !== undefined && origin === undefined && !isKnown(stdin.text))
    return FILTERS.get(program) === passes || PASSING.has(program) ? stdin : ofKnownLines(program, fields, stdin);
  const filter = stdin?.text !== undefined || origin === "starts" ? FILTERS.get(program) : undefined;
  if (filter !== undefined) {
    const isOpen = !fields.every(isKnownField);
    if ((isOpen && !PRINTING.has(program)) || (stdin?.text?.length ?? 0) > MOST) return UNKNOWN_FLOW;
    const text = filter(
      fields.map((field) => field.text),
      stdin?.text ?? "",
    );
    if (isOpen) return flowFromText(text ?? "");
    if (text !== undefined) return printedFlow(text);
  }
  if (stdin?.selected || (origin === "selects" && selects(program, fields))) return SELECTED_FLOW;
  const merged = mergedFlow(program, fields);
  if (stdin?.text === undefined || !MAY_PASS.has(program) || merged.fetched) return merged;
  return flowFromText(OPEN + stdin.text + (merged.text ?? ""));
};

/** Where some lines are known, each of them may come out as it would alone. */
const ofKnownLines = (program: string, fields: readonly Field[], stdin: Flow): Flow => {
  const known = spokenLines(stdin).map((line) => `${line}\n`);
  const { text } = known.length > 0 ? textFlowOf(program, fields, textFlow(known.join(""))) : UNKNOWN_FLOW;
  return text === undefined ? UNKNOWN_FLOW : flowFromText(OPEN + text);
};

/** What really is printed may hold the characters that stand for something here. */
const printedFlow = (text: string): Flow => {
  const flow = textFlow(withoutStandIns(text));
  return text.includes(NUL) ? changedFlow(flow, { pieces: text.split(NUL).map(withoutStandIns) }) : flow;
};

const mergedFlow = (program: string, fields: readonly Field[]): Flow => {
  const text = mergedText(program, fields);
  return text === undefined || text.length > MOST ? UNKNOWN_FLOW : flowFromText(text);
};

/** The known part of a text may be a command, whatever the rest is. */
export const flowFromText = (text: string): Flow => {
  if (text.includes(FETCHED)) return FETCHED_FLOW;
  if (isKnown(text)) return textFlow(text);
  return withoutStandIns(text).trim() === "" ? UNKNOWN_FLOW : changedFlow(textFlow(text), { open: true });
};

/** The known lines of what a command may print; `inPart`: those, too, of which something is not known. */
export const spokenLines = (flow: Flow | undefined, inPart = false): readonly string[] =>
  flow?.text !== undefined && !isKnown(flow.text)
    ? flow.text.split("\n", MOST_SPOKEN).filter((line) => (inPart ? withoutStandIns(line) : knownOf(line)) !== "")
    : NOTHING;
const knownOf = (line: string): string => (isKnown(line) ? line : "");
const NOTHING: readonly string[] = [];
const MOST_SPOKEN = 9;

export const OPEN = `${UNKNOWN}\n`;
