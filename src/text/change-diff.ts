import { decode } from "./decode.ts";
import { unifiedDiff } from "./diff.ts";

type Content = Uint8Array | null;

/** One file's change as people and models read it; bytes that are no text are only counted. */
export function changeDiff(name: string, before: Content, after: Content): string {
  const from = before === null ? "" : decode(before)?.text;
  const to = after === null ? "" : decode(after)?.text;
  if (from === undefined || to === undefined) return `Binary file ${name}: ${size(before)} -> ${size(after)}\n`;
  const diff = unifiedDiff(from, to, {
    from: before === null ? "/dev/null" : `a/${name}`,
    to: after === null ? "/dev/null" : `b/${name}`,
  });
  if (diff !== "") return diff;
  if (before === null) return `New empty file ${name}\n`;
  if (after === null) return `Empty file ${name} removed\n`;
  return `${name}: no difference in its text\n`;
}

const size = (content: Content): string => (content === null ? "none" : `${content.length} bytes`);
