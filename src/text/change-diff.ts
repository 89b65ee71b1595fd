import { decode, originOf } from "./decode.ts";
import { type DiffNames, diffOfEdits, unifiedDiff } from "./diff.ts";

type Content = Uint8Array | null;

/** One file's change as people and models read it; bytes that are no text are only counted. */
export function changeDiff(name: string, before: Content, after: Content): string {
  const names = { from: before === null ? "/dev/null" : `a/${name}`, to: after === null ? "/dev/null" : `b/${name}` };
  const diff = editedDiff(before, after, names) ?? wholeDiff(before, after, names);
  if (diff === undefined) return `Binary file ${name}: ${size(before)} -> ${size(after)}\n`;
  if (diff !== "") return diff;
  if (before === null) return `New empty file ${name}\n`;
  if (after === null) return `Empty file ${name} removed\n`;
  return `${name}: no difference in its text\n`;
}

/** When the edits are known, the diff is made from them without reading either text whole. */
function editedDiff(before: Content, after: Content, names: DiffNames): string | undefined {
  const origin = after === null ? undefined : originOf(after);
  return origin && origin.bytes === before ? diffOfEdits(origin.text, origin.edits, names) : undefined;
}

function wholeDiff(before: Content, after: Content, names: DiffNames): string | undefined {
  const from = before === null ? "" : decode(before)?.text;
  const to = after === null ? "" : decode(after)?.text;
  return from === undefined || to === undefined ? undefined : unifiedDiff(from, to, names);
}

const size = (content: Content): string => (content === null ? "none" : `${content.length} bytes`);
