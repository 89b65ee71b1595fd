import type { Held, Holder } from "../../core/contracts/store/locks.ts";
import { isWithin } from "../../core/words/containment.ts";

const TREE = "/**";

const rootOf = (path: string): string | undefined => (path.endsWith(TREE) ? path.slice(0, -TREE.length) : undefined);

/** `/a/**` covers `/a` and everything below it; any other path covers itself alone. */
function covers(path: string, other: string): boolean {
  const root = rootOf(path);
  if (root === undefined) return path === other;
  return isWithin(other, root || "/") || other.startsWith(`${root}\\`);
}

const overlap = (a: string, b: string): boolean => covers(a, b) || covers(b, a);

type Decision<L> = { held: L } | { take: string[]; dead: L[] };

/**
 * Decides whether these paths can be locked beside the existing locks. A child ignores its ancestors' locks but takes
 * its own as well: otherwise siblings, who ignore the same ancestor, would not see each other.
 */
export function decide<L extends Held>(
  paths: readonly string[],
  holder: Holder,
  existing: readonly L[],
  isDead: (lock: L) => boolean,
): Decision<L> {
  const exact = new Map<string, L[]>();
  const trees: L[] = [];
  for (const lock of existing) {
    if (rootOf(lock.path) !== undefined) trees.push(lock);
    else exact.set(lock.path, [...(exact.get(lock.path) ?? []), lock]);
  }
  const take: string[] = [];
  const dead: L[] = [];
  for (const path of [...new Set(paths)].sort()) {
    const near = rootOf(path) === undefined ? [...(exact.get(path) ?? []), ...trees] : existing;
    const mine = (lock: L): boolean => lock.token === holder.token && !isDead(lock);
    if (near.some((lock) => covers(lock.path, path) && mine(lock))) continue;
    for (const lock of near) {
      if (!overlap(lock.path, path)) continue;
      if (isDead(lock)) dead.push(lock);
      else if (lock.token !== holder.token && !holder.ancestors.includes(lock.call)) return { held: lock };
    }
    take.push(path);
  }
  return { take, dead };
}

export const heldOf = ({ path, token, call, since }: Held): Held => ({ path, token, call, since });

/** Paths that a call is waiting for, oldest first. */
export type Claim = Held;

export const claimsOf = (paths: readonly string[], { token, call }: Holder, since: number): Claim[] =>
  paths.map((path) => ({ path, token, call, since }));

/** The claim that these paths must wait behind, so that a call that needs many paths is not starved by smaller ones. */
export const aheadOf = (paths: readonly string[], holder: Holder, claims: readonly Claim[]): Claim | undefined =>
  claims.find(
    (claim) =>
      claim.token !== holder.token &&
      !holder.ancestors.includes(claim.call) &&
      paths.some((path) => overlap(path, claim.path)),
  );

/** A call that holds a lock, or is below one that does, does not queue: those ahead of it may wait for that lock. */
export const standsInLine = (holder: Holder, existing: readonly Held[]): boolean =>
  !existing.some((lock) => lock.token === holder.token || holder.ancestors.includes(lock.call));

/** A longer `setTimeout` would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const timerOf = (milliseconds: number): number => Math.min(Math.max(0, milliseconds), LONGEST_TIMER);
