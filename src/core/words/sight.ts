/** Lines of a file that a model was shown, of how many there are. `last` before `first`: none of them. */
export type Part = { readonly first: number; readonly last: number; readonly of: number };

/** The parts as few as possible; undefined if they are the whole file. */
export function united(parts: readonly Part[]): readonly Part[] | undefined {
  const sorted = parts.filter(({ first, last }) => first <= last).sort((a, b) => a.first - b.first);
  const merged: Part[] = [];
  for (const part of sorted) {
    const before = merged.at(-1);
    if (before && part.first <= before.last + 1)
      merged[merged.length - 1] = {
        first: before.first,
        last: Math.max(before.last, part.last),
        of: Math.max(before.of, part.of),
      };
    else merged.push(part);
  }
  const [only] = merged;
  return only && merged.length === 1 && only.first <= 1 && only.last >= only.of ? undefined : merged;
}
