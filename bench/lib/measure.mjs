/**
 * Runs cases in turn, in the other order on odd rounds, so that whatever else the machine does meets all of them.
 * A case gives its own figure, or is timed in milliseconds.
 */
export async function interleave(cases, { rounds, warmups }) {
  const samples = new Map(cases.map(({ name }) => [name, []]));
  for (let round = -warmups; round < rounds; round++) {
    const order = round % 2 === 0 ? cases : [...cases].reverse();
    for (const { name, before, run } of order) {
      await before?.();
      const started = performance.now();
      const figure = (await run()) ?? performance.now() - started;
      if (round >= 0) samples.get(name).push(figure);
    }
  }
  return samples;
}

/**
 * The rows of a table. A ratio to the first case, or to `base`, is the median of the rounds' own ratios; with
 * `least` it is that of the two smallest figures, which says most where others use the machine as well.
 */
export async function compare({ title, unit, cases, base = cases[0].name, targets = [], notes = [], least, ...how }) {
  const samples = await interleave(cases, how);
  const rows = cases.map(({ name }) => {
    const own = samples.get(name);
    const min = Math.min(...own);
    const ratios = own.map((figure, round) => figure / samples.get(base)[round]);
    const ratio = least ? min / Math.min(...samples.get(base)) : median(ratios);
    return { name, median: median(own), min, max: Math.max(...own), ratio };
  });
  const noise = noiseOf(rows.find(({ name }) => name === base));
  return { title, unit, base, rounds: how.rounds, noise, rows, targets: targets.map(judged(rows)), notes };
}

/** `most` is the limit of the case's ratio, or of its median or smallest figure where `of` says so. */
const judged =
  (rows) =>
  ({ name, most, of = "ratio" }) => {
    const figure = rows.find((row) => row.name === name)[of];
    return { name, of, most, figure, met: figure <= most };
  };

/** A target that was counted and not timed. */
export const counted = (name, of, figure, most) => ({ name, of, most, figure, met: figure <= most });

export function median(figures) {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** How much the base differed from itself. */
const noiseOf = ({ min, max }) => max / min;
