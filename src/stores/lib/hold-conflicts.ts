import type { Asking, Hold, HoldMode, HoldSpace, Keeper, Wanted } from "../../core/contracts/store/holds.ts";
import { globsOverlap } from "../../text/glob-overlap.ts";

const clashes = (one: HoldMode, other: HoldMode): boolean =>
  one === "exclusive" || other === "exclusive" || (one === "write" && other === "write");

const isBy = (hold: Keeper, { session, agent }: Keeper): boolean => hold.session === session && hold.agent === agent;

const meet = (space: HoldSpace, a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => one === other || (space === "paths" && globsOverlap(one, other))));

const isAmong = (some: readonly string[], all: readonly string[]): boolean => some.every((each) => all.includes(each));

/** The first conflicting hold of another keeper. Expired holds must not be among `existing`. */
export const holdInTheWay = <H extends Hold>(
  space: HoldSpace,
  { resources, mode }: Omit<Wanted, "shown">,
  by: Asking,
  existing: readonly H[],
): H | undefined =>
  existing.find(
    (hold) =>
      hold.space === space &&
      clashes(hold.mode, mode) &&
      ![by, ...(by.above ?? [])].some((keeper) => isBy(hold, keeper)) &&
      meet(space, hold.resources, resources),
  );

/** The hold of the same keeper on exactly the same resources. */
export const sameHold = (
  space: HoldSpace,
  { resources }: Wanted,
  by: Keeper,
  existing: readonly Hold[],
): Hold | undefined =>
  existing.find(
    (hold) =>
      hold.space === space &&
      isBy(hold, by) &&
      isAmong(hold.resources, resources) &&
      isAmong(resources, hold.resources),
  );

export const mayLetGo = (hold: Hold, keeper: Keeper | undefined): boolean => !keeper || isBy(hold, keeper);

export function checkTime(milliseconds: number): void {
  if (!(milliseconds > 0)) throw new RangeError(`A hold must last longer than ${milliseconds} ms.`);
}
