import type { Take } from "../../core/contracts/store/reservations.ts";
import { ToolFailure } from "../../core/words/result.ts";

/** Sums of fractions are off by less than this part of the limit. */
const INEXACT = 1e-9;

/** How long what was taken can be given back, and counts in windows that nobody has asked for yet. */
export const KEPT_MS = 24 * 3_600_000;

export type Taken = { amount: number; at: number };

export const sumOf = (taken: readonly Taken[]): number => taken.reduce((sum, { amount }) => sum + amount, 0);

export const hasRoom = ({ limit, amount }: Take, used: number): boolean =>
  limit > 0 && used + amount <= limit * (1 + INEXACT);

/** In how many milliseconds there is room, if nothing else is taken; `taken` is what counts now, oldest first. */
export function freeIn(take: Take, taken: readonly Taken[], now: number): number | undefined {
  const { window } = take;
  if (window === undefined || !hasRoom(take, 0)) return undefined;
  let used = sumOf(taken);
  for (const { amount, at } of taken) {
    used -= amount;
    if (hasRoom(take, used)) return Math.max(0, at + window - now);
  }
  return undefined;
}

/** An amount below nothing would make room for others. */
export function checkTakes(takes: readonly Take[]): void {
  for (const { key, amount, window } of takes)
    if (!(amount >= 0 && Number.isFinite(amount) && (window === undefined || window >= 0)))
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${amount} of ${key} cannot be reserved${window === undefined ? "" : ` within ${window} ms`}.`,
        "Reserve a finite amount that is not negative, within a window that is not negative either.",
      );
}
