import { type Change, isLinkMode } from "../core/contracts/workspace.ts";
import { belowRoot } from "../core/words/touch.ts";
import { base85Lines } from "./base85.ts";
import { unifiedDiff } from "./diff.ts";

type Content = Uint8Array | null;

/** What git needs for binary contents: the object's hash, and its bytes compressed by zlib. */
type GitObjects = { nameOf(content: Uint8Array): string; deflate(content: Uint8Array): Uint8Array };

type File = { name: string; content: Uint8Array; mode: string };
/** One entry of a diff; it has both sides if a file is changed or renamed. */
type Entry = { from: File; to: File } | { from: File; to?: undefined } | { from?: undefined; to: File };

const FILE = "100644";
const NO_OBJECT = "0".repeat(40);

/** Changes as a patch for `git apply`, byte for byte: text, links, executable bits and binary files. */
export const gitDiff = (changes: readonly Change[], objects: GitObjects): string =>
  renamed(changes.flatMap(entriesOf))
    .map((entry) => entryDiff(entry, objects))
    .join("");

function entriesOf({ place, before, after, modeBefore, mode = modeBefore }: Change): Entry[] {
  const name = belowRoot(place);
  const from = before && { name, content: before, mode: gitMode(modeBefore) };
  const to = after && { name, content: after, mode: gitMode(mode) };
  if (!from || !to) return from ? [{ from }] : to ? [{ to }] : [];
  // a link in place of a file, or the reverse, is a deletion and an addition
  return from.mode !== to.mode && [from, to].some((each) => each.mode === "120000")
    ? [{ from }, { to }]
    : [{ from, to }];
}

const gitMode = (mode: number | undefined): string =>
  mode === undefined ? FILE : isLinkMode(mode) ? "120000" : mode & 0o100 ? "100755" : FILE;

/** A deleted file that was added unchanged elsewhere was moved. */
function renamed(entries: readonly Entry[]): Entry[] {
  const gone = new Map<string, Entry[]>();
  const keyOf = ({ content, mode }: File) => `${mode} ${content.length} ${content.subarray(0, 64).join()}`;
  for (const entry of entries)
    if (entry.from && !entry.to && entry.from.content.length > 0)
      gone.set(keyOf(entry.from), [...(gone.get(keyOf(entry.from)) ?? []), entry]);
  const moved = new Set<Entry>();
  const made = entries.map((entry): Entry => {
    const { from, to } = entry;
    if (from || !to) return entry;
    const source = gone
      .get(keyOf(to))
      ?.find((each) => each.from && !moved.has(each) && isEqual(each.from.content, to.content));
    if (!source?.from) return entry;
    moved.add(source);
    return { from: source.from, to };
  });
  return made.filter((entry) => !moved.has(entry));
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function entryDiff({ from, to }: Entry, objects: GitObjects): string {
  const [old, now] = [from?.name ?? to?.name ?? "", to?.name ?? from?.name ?? ""];
  const head = [`diff --git ${quoted(`a/${old}`)} ${quoted(`b/${now}`)}`];
  if (!from) head.push(`new file mode ${to?.mode}`);
  else if (!to) head.push(`deleted file mode ${from.mode}`);
  else if (from.mode !== to.mode) head.push(`old mode ${from.mode}`, `new mode ${to.mode}`);
  if (old !== now) head.push("similarity index 100%", `rename from ${quoted(old)}`, `rename to ${quoted(now)}`);
  return `${head.join("\n")}\n${contentDiff(from, to, objects)}`;
}

function contentDiff(from: File | undefined, to: File | undefined, objects: GitObjects): string {
  const [before, after] = [from?.content ?? null, to?.content ?? null];
  if (before && after && isEqual(before, after)) return "";
  const [old, now] = [textOf(before), textOf(after)];
  if (old === undefined || now === undefined) return binaryDiff(before, after, objects);
  const names = { from: from ? marked(`a/${from.name}`) : "/dev/null", to: to ? marked(`b/${to.name}`) : "/dev/null" };
  // an empty file has no lines; the index line tells git that it is meant
  return unifiedDiff(old, now, names) || indexLine(before, after, objects);
}

/** The text with exactly these bytes; undefined if they are not text. */
function textOf(content: Content): string | undefined {
  if (content === null) return "";
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

const indexLine = (before: Content, after: Content, { nameOf }: GitObjects): string =>
  `index ${before ? nameOf(before) : NO_OBJECT}..${after ? nameOf(after) : NO_OBJECT}\n`;

function binaryDiff(before: Content, after: Content, objects: GitObjects): string {
  const literal = (content: Content) => {
    const bytes = content ?? new Uint8Array();
    return `literal ${bytes.length}\n${base85Lines(objects.deflate(bytes))}\n`;
  };
  return `${indexLine(before, after, objects)}GIT binary patch\n${literal(after)}${literal(before)}`;
}

/** After a name with blanks, a tab marks its end. */
const marked = (name: string): string => {
  const safe = quoted(name);
  return safe === name && name.includes(" ") ? `${name}\t` : safe;
};

const ESCAPES: Readonly<Record<string, string>> = { "\n": "n", "\t": "t", "\r": "r", '"': '"', "\\": "\\" };

/** Quotes names as git does if they could be misread. */
const quoted = (name: string): string =>
  /[\p{Cc}"\\]/u.test(name)
    ? `"${name.replaceAll(/[\p{Cc}"\\]/gu, (each) => `\\${ESCAPES[each] ?? octal(each)}`)}"`
    : name;

const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => byte.toString(8).padStart(3, "0")).join("\\");
