import type { Request } from "../match.ts";
import type { Steps } from "../turns.ts";
import { plainName } from "./file-names.ts";
import { type FileOperation, isFence, type PatchProblem, type RawLine } from "./patch-lines.ts";

const head = /^(?:(<{5,9}|-{5,9}) ?SEARCH>*|(<{5,9}) ?ORIGINAL)\s*$/;
const divider = /^(={5,9})\s*$/;
const tail = /^(?:>{5,9}|\+{5,9}) ?(?:REPLACE>*|UPDATED)\s*$/;
const lineMark = /^:(start|end)_line:\s*(\d+)?\s*$/;
const rule = /^-{5,}\s*$/;
/** A backslash before what would be a mark makes the line text. */
const escaped = /^\\(?=<{5,9}|={5,9}|>{5,9}|-{5,9}|\+{5,9}|:(?:start|end)_line:)/;

type Read = { operations: FileOperation[]; problems: PatchProblem[] };

export const isSearchReplace = (lines: readonly RawLine[]): boolean => lines.some(({ text }) => head.test(text));

/** Parses blocks of an old and a new text, each after the name of its file or another block of the same file. */
export function* readSearchReplace(lines: readonly RawLine[], path: string | undefined): Steps<Read> {
  const read: Read = { operations: [], problems: [] };
  let name = path;
  let from = 0;
  for (let at = 0; at < lines.length; at++) {
    const { number, text } = lines[at]!;
    if (divider.test(text) || tail.test(text))
      read.problems.push({ line: number, message: `"${text.trim()}" is outside a block` });
    const found = head.exec(text);
    if (!found) continue;
    name = nameAbove(lines.slice(from, at), name) ?? name;
    if (name === undefined)
      read.problems.push({ line: number, message: "no file is named: its name belongs on the line above the block" });
    const { block, next, problem } = readBlock(lines, at, found[1] ?? found[2]!);
    if (problem) read.problems.push(problem);
    if (block && name !== undefined) keep(read.operations, name, block, number);
    from = next;
    at = next - 1;
    yield;
  }
  return read;
}

/** Consecutive blocks of one file form one operation. */
function keep(operations: FileOperation[], path: string, block: Request, line: number): void {
  const last = operations.at(-1);
  if (last?.path === path) last.edits?.push(block);
  else operations.push({ kind: "update", path, hunks: [], edits: [block], line });
}

type Block = { block?: Request; problem?: PatchProblem; next: number };

function readBlock(lines: readonly RawLine[], at: number, mark: string): Block {
  const { number } = lines[at]!;
  const wrong = (line: number, message: string, next: number): Block => ({ problem: { line, message }, next });
  let end = at + 1;
  while (end < lines.length && !tail.test(lines[end]!.text) && !head.test(lines[end]!.text)) end++;
  if (end === lines.length) return wrong(number, "the block has no end: the patch may have been cut off", end);
  if (!tail.test(lines[end]!.text))
    return wrong(lines[end]!.number, `a block begins before the one of line ${number} has ended`, end);
  const next = end + 1;
  const { line, body } = readPlace(lines.slice(at + 1, end));
  const split = dividerOf(body, mark.length);
  if (typeof split === "string") return wrong(number, split, next);
  const fresh = body.slice(split + 1);
  const misplaced = fresh.find(({ text }) => lineMark.test(text));
  if (misplaced)
    return wrong(
      misplaced.number,
      `"${misplaced.text}" belongs below SEARCH; write "\\${misplaced.text}" for text`,
      next,
    );
  const block = { old: textOf(body.slice(0, split)), new: textOf(fresh), wholeLines: true };
  return { block: line === undefined ? block : { ...block, line }, next };
}

/** Parses the lines that say where the text is, and the rule below them. */
function readPlace(body: readonly RawLine[]): { line?: number; body: readonly RawLine[] } {
  let at = 0;
  let line: number | undefined;
  for (let found = lineMark.exec(body[at]?.text ?? ""); found; found = lineMark.exec(body[++at]?.text ?? ""))
    if (found[1] === "start" && Number(found[2]) > 0) line = Number(found[2]);
  const isRuled = at > 0 && rule.test(body[at]?.text ?? "");
  return { ...(line !== undefined && { line }), body: body.slice(isRuled ? at + 1 : at) };
}

/** Where the new text begins; of several candidates, the one that is as long as the other marks. */
function dividerOf(body: readonly RawLine[], length: number): number | string {
  const all = body.flatMap(({ text }, index) => (divider.test(text) ? [index] : []));
  const fitting = all.filter((index) => divider.exec(body[index]!.text)![1]!.length === length);
  const [only, ...others] = all.length > 1 ? fitting : all;
  if (all.length === 0) return 'the block has no "=======" between the old and the new text';
  if (only === undefined || others.length > 0)
    return 'the block has several lines of "=": write "\\=======" for one that is text';
  return only;
}

const textOf = (lines: readonly RawLine[]): string =>
  lines.map(({ text, ending }) => text.replace(escaped, "") + ending).join("");

/** The name of the file on the last line above, however it is decorated; undefined if there is none. */
function nameAbove(lines: readonly RawLine[], before: string | undefined): string | undefined {
  for (const { text } of [...lines].reverse()) {
    const inFence = /^(?:```|~~~)\S*\s+(\S+)\s*$|^(?:```|~~~)(\S*[./]\S*)\s*$/.exec(text);
    const given = inFence?.[1] ?? inFence?.[2];
    if (given === undefined && (isFence(text) || text.trim() === "")) continue;
    return given ?? nameOn(text, before);
  }
  return undefined;
}

/** The name on a line that is a name, or a sentence that contains one. */
function nameOn(text: string, before: string | undefined): string | undefined {
  const bare = text
    .trim()
    .replace(/^(?:#+|[-*>]|\/\/|\d+\.)\s+/, "")
    .replace(/^(?:file(?:name)?|path)\s*:\s*/i, "")
    .replace(/:$/, "");
  const dressed = /^(\*\*|__|[*`'"])(.*)\1$/
    .exec(bare)?.[2]
    ?.replace(/^`(.*)`$/, "$1")
    .replace(/:$/, "");
  const isWord = !/[\p{L}\p{N}]/u.test(bare) || (before !== undefined && !/\.\w|\//.test(bare));
  const name = dressed ?? (/\s/.test(bare) ? wordIn(bare, before) : isWord ? undefined : bare);
  return name === undefined || name === "" || /[<>|?*"`]/.test(name) ? undefined : plainName(name.trim());
}

const longestSentence = 500;

function wordIn(sentence: string, before: string | undefined): string | undefined {
  if (sentence.length > longestSentence) return undefined;
  const marked = [...sentence.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word!).filter((word) => /[./]/.test(word));
  const plain = sentence.match(/(?<![\w@./`-])[\w@./-]*\.[A-Za-z]\w*\b(?![\w./`-])/g) ?? [];
  const words = marked.length > 0 || before !== undefined ? marked : plain;
  return words.length === 1 ? words[0] : undefined;
}
