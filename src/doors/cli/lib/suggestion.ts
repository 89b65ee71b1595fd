/** What was probably meant, as a question; undefined if nothing is near. */
export function suggestion(word: string, candidates: readonly string[], prefix = ""): string | undefined {
  if (word === "") return undefined;
  const most = word.length < 4 ? 1 : 2;
  const near = candidates
    .map((candidate) => ({ candidate, far: candidate.startsWith(word) ? 0.5 : slips(word, candidate) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)[0];
  return near && `Did you mean ${prefix}${near.candidate}?`;
}

/** Letters to add, drop, change or swap to get from one word to the other. */
function slips(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const now = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped =
        from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (before[column - 2] ?? Infinity) + 1
          : Infinity;
      now.push(Math.min(last[column]! + 1, now[column - 1]! + 1, changed, swapped));
    }
    before = last;
    last = now;
  }
  return last[to.length]!;
}
