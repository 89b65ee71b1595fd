import type { FoundLine } from "../../core/contracts/search.ts";
import { byPath } from "./search-notes.ts";

const LONGEST = 500;
/** How much is shown before the hit of a line that is cut. */
const LEAD = 100;

const isLowHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Shortens a long line to the part around its hit, and says how long the whole is. */
export function cutLine({ text, at = 0, left = 0 }: Pick<FoundLine, "text" | "at" | "left">): string {
  if (text.length <= LONGEST && left === 0) return text;
  let start = Math.max(0, Math.min(at - LEAD, text.length - LONGEST));
  let end = Math.min(text.length, start + LONGEST);
  if (isLowHalf(text, start)) start += 1;
  if (isLowHalf(text, end)) end -= 1;
  const part = text.slice(start, end);
  return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""} [${part.length} of ${text.length + left} characters]`;
}

/** Each file once, then its lines: `line:text` for a hit, `line-text` for context. */
export function shownLines(lines: readonly FoundLine[], around: { before: number; after: number }) {
  const groups = new Map<string, FoundLine[]>();
  for (const line of lines) {
    const group = groups.get(line.path);
    if (group) group.push(line);
    else groups.set(line.path, [line]);
  }
  let cut = 0;
  const shown = [...groups]
    .map(([path, group]) => ({ path, group: near(group, around) }))
    .filter(({ group }) => group.length > 0)
    .sort(byPath)
    .map(({ path, group }) => {
      const texts = group.map((line) => {
        const text = cutLine(line);
        if (text !== line.text) cut += 1;
        return `${line.line}${line.hit ? ":" : "-"}${text}`;
      });
      return [path, ...texts].join("\n");
    });
  return { text: shown.join("\n\n"), paths: shown.length, cut };
}

/** Drops context of hits that are not shown, and more context on one side than was asked for. */
function near(group: readonly FoundLine[], { before, after }: { before: number; after: number }): FoundLine[] {
  const hits = group.filter(({ hit }) => hit).map(({ line }) => line);
  return group.filter(({ line, hit }) => hit || hits.some((each) => each - before <= line && line <= each + after));
}
