/**
 * Lines of a file that a model was shown whole, or wrote itself. `last` before `first`: none of them. `of`: how many
 * lines there are, if that is known.
 */
export type Part = { readonly first: number; readonly last: number; readonly of?: number | undefined };

/**
 * The parts as few as possible; undefined if they are the whole file. Those that count other lines than the last part
 * does belong to another view of it, such as the cells of a notebook, and say nothing.
 */
export function united(parts: readonly Part[]): readonly Part[] | undefined {
  const of = parts.findLast((part) => part.of !== undefined)?.of;
  const sorted = parts
    .filter((part) => part.first <= part.last && (part.of === undefined || part.of === of))
    .sort((a, b) => a.first - b.first);
  const merged: Part[] = [];
  for (const { first, last } of sorted) {
    const before = merged.at(-1);
    if (before && first <= before.last + 1)
      merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, last), of };
    else merged.push({ first, last, of });
  }
  const { first, last } = merged[0] ?? { first: 1, last: 0 };
  return of !== undefined && first <= 1 && last >= of ? undefined : merged;
}

/** The same parts after a change: renumbered, without lines that changed unseen, with those that took known ones' place. */
export function partsAfter(parts: readonly Part[], before: Uint8Array, after: Uint8Array): readonly Part[] {
  const of = linesIn(after, 0, after.length);
  const { start, end, added } = changedRows(before, after);
  const all = linesIn(before, 0, before.length);
  const above = linesIn(before, 0, start);
  const removed = linesIn(before, start, end);
  const put = linesIn(after, start, start + added);
  const known = parts.filter((part) => part.of === undefined || part.of === all);
  const isKnown = removed === 0 || known.some(({ first, last }) => first <= above + 1 && last >= above + removed);
  return [
    ...known.map(({ first, last }) => ({ first, last: Math.min(last, above), of })),
    { first: above + 1, last: isKnown ? above + put : above, of },
    ...known.map(({ first, last }) => ({
      first: Math.max(first, above + removed + 1) + put - removed,
      last: last + put - removed,
      of,
    })),
  ];
}

const NEWLINE = 0x0a;

/** The bytes from `start` to `end` that differ, widened to whole lines, and how many bytes took their place. */
function changedRows(before: Uint8Array, after: Uint8Array): { start: number; end: number; added: number } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  const start = same === 0 ? 0 : before.lastIndexOf(NEWLINE, same - 1) + 1;
  const most = shorter - start;
  let kept = 0;
  while (kept < most && before[before.length - 1 - kept] === after[after.length - 1 - kept]) kept++;
  while (kept > 0 && !(isRowStart(before, before.length - kept) && isRowStart(after, after.length - kept))) kept--;
  return { start, end: before.length - kept, added: after.length - kept - start };
}

const isRowStart = (bytes: Uint8Array, at: number): boolean => at === 0 || bytes[at - 1] === NEWLINE;

/** A last line without a line break is a line, too. */
function linesIn(bytes: Uint8Array, from: number, to: number): number {
  let count = to > from && bytes[to - 1] !== NEWLINE ? 1 : 0;
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
