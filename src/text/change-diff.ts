import { isLinkMode } from "../core/contracts/workspace.ts";
import { decode, originOf } from "./decode.ts";
import { type DiffNames, diffOfEdits, unifiedDiff } from "./diff.ts";

type Content = Uint8Array | null;

type Modes = { modeBefore?: number; mode?: number };

/** The diff of one file for people and models, including its mode. Binary contents are only counted. */
export function changeDiff(given: string, before: Content, after: Content, modes: Modes = {}): string {
  const name = named(given);
  return linkTold(name, before, after, modes) ?? modeTold(before, after, modes) + textTold(name, before, after);
}

/** A name with control characters could pass for lines of the diff. */
const named = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);

function linkTold(name: string, before: Content, after: Content, { modeBefore, mode }: Modes): string | undefined {
  const target = (content: Content) => named(new TextDecoder().decode(content ?? undefined));
  if (after === null && isLinkMode(modeBefore)) return `Link ${name} removed; it led to ${target(before)}\n`;
  if (before === null && isLinkMode(mode)) return `New link ${name} to ${target(after)}\n`;
  return undefined;
}

function modeTold(before: Content, after: Content, { modeBefore, mode }: Modes): string {
  if (after === null || mode === undefined || mode === modeBefore) return "";
  const fresh = mode.toString(8).padStart(3, "0");
  if (before === null) return mode & 0o7111 ? `new file mode ${fresh}\n` : "";
  return modeBefore === undefined ? "" : `old mode ${modeBefore.toString(8).padStart(3, "0")}\nnew mode ${fresh}\n`;
}

function textTold(name: string, before: Content, after: Content): string {
  const names = { from: before === null ? "/dev/null" : `a/${name}`, to: after === null ? "/dev/null" : `b/${name}` };
  const edited = editedDiff(before, after, names);
  const [from, to] = edited === undefined ? [shownText(before), shownText(after)] : [];
  const diff = edited ?? (from === undefined || to === undefined ? undefined : unifiedDiff(from, to, names));
  if (diff === undefined) {
    const sizes = `Binary file ${name}: ${size(before)} -> ${size(after)}`;
    // what becomes of it is shown, whatever was there before
    if (after !== null && to !== undefined) return `${sizes}, now text\n${unifiedDiff("", to, names)}`;
    return `${sizes}${scriptTold(after)}\n`;
  }
  if (diff !== "") return diff;
  if (before === null) return `New empty file ${name}\n`;
  if (after === null) return `Empty file ${name} removed\n`;
  return `${name}: no difference in its text\n`;
}

/** If the edits are known, the diff is made from them without processing either text as a whole. */
function editedDiff(before: Content, after: Content, names: DiffNames): string | undefined {
  const origin = after === null ? undefined : originOf(after);
  return origin && origin.bytes === before ? diffOfEdits(origin.text, origin.edits, names) : undefined;
}

/** A shell runs a script that has some zero bytes in it, so they do not hide the rest; undefined for other binaries. */
function shownText(content: Content): string | undefined {
  if (content === null) return "";
  const text = decode(content)?.text;
  if (text !== undefined) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

const LONGEST_START = 500;

/** A system runs a file by its first line, whatever follows. */
function scriptTold(content: Content): string {
  if (content?.[0] !== 0x23 || content[1] !== 0x21) return "";
  const start = new TextDecoder("latin1").decode(content.subarray(0, LONGEST_START));
  return `, a script that starts with ${JSON.stringify(start)}`;
}

const size = (content: Content): string => (content === null ? "none" : `${content.length} bytes`);
