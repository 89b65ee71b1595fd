import type { Reserved, Take } from "../../core/contracts/store/reservations.ts";
import { ToolFailure } from "../../core/words/result.ts";

/** Sums of fractions are off by less than this fraction of the limit. */
const INEXACT = 1e-9;

/** How long an amount can be given back, and counts in windows that nobody has asked about yet. */
export const KEPT_MS = 24 * 3_600_000;

export type Taken = { amount: number; at: number };

export const sumOf = (taken: readonly Taken[]): number => taken.reduce((sum, { amount }) => sum + amount, 0);

const hasRoom = ({ limit, amount }: Take, used: number): boolean => limit > 0 && used + amount <= limit * (1 + INEXACT);

/** In how many milliseconds there is room if nothing else is taken; `taken` is what counts now, oldest first. */
function freeIn(take: Take, taken: readonly Taken[], now: number): number | undefined {
  const { window } = take;
  if (window === undefined || !hasRoom(take, 0)) return undefined;
  let used = sumOf(taken);
  for (const { amount, at } of taken) {
    used -= amount;
    if (hasRoom(take, used)) return Math.max(0, at + window - now);
  }
  return undefined;
}

/** What counts against a take now; `taken` returns the rows of its window, oldest first. */
export type Counted = { used: number; taken(): readonly Taken[] };

/** The first take without room, counting what the takes before it add to the same key. */
export function firstFull(
  takes: readonly Take[],
  countedOf: (take: Take) => Counted,
  now: number,
): Exclude<Reserved, { token: string }> | undefined {
  const before = new Map<string, number>();
  for (const take of takes) {
    const amount = before.get(take.key) ?? 0;
    const { used, taken } = countedOf(take);
    if (!hasRoom(take, used + amount)) {
      const free = freeIn(take, amount > 0 ? [...taken(), { amount, at: now }] : taken(), now);
      return { full: { ...take }, used: used + amount, ...(free !== undefined && { freeIn: free }) };
    }
    before.set(take.key, amount + take.amount);
  }
  return undefined;
}

/**
 * A take with `once` gets a second key of its own; if that is already taken, it adds nothing more. `usedOf` returns how
 * much of a key is taken.
 */
export function unfolded(takes: readonly Take[], usedOf: (key: string) => number): Take[] {
  const own = new Set<string>();
  return takes.flatMap((take) => {
    if (take.once === undefined) return [take];
    const key = `${take.key} once ${take.once}`;
    if (own.has(key) || usedOf(key) > 0) return [{ ...take, amount: 0 }];
    own.add(key);
    return [take, { key, limit: 1, amount: 1 }];
  });
}

/** Negative amounts would make room for others. */
export function checkTakes(takes: readonly Take[]): void {
  for (const { key, amount, window } of takes)
    if (!(amount >= 0 && Number.isFinite(amount) && (window === undefined || window >= 0)))
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${amount} of ${key} cannot be reserved${window === undefined ? "" : ` within ${window} ms`}.`,
        "Reserve a finite amount that is not negative, within a window that is not negative either.",
      );
}
