import type { CommandClass, Permission } from "./touch.ts";

export type Mode = "yolo" | "confirm-sensitive" | "confirm-all";
export type Autonomy = "full" | "supervised" | "readonly";

/** From the loosest to the strictest. */
export const MODES: readonly Mode[] = ["yolo", "confirm-sensitive", "confirm-all"];
export const AUTONOMIES: readonly Autonomy[] = ["full", "supervised", "readonly"];

/** What an agent may do besides reading: change files, delegate, and say that the work is finished. */
export type ActionGate = "Patch" | "Delegate" | "Finalize";

/** The most that a gate and everything below it may do. An absent field imposes nothing. */
export type Ceiling = {
  readonly mode: Mode;
  readonly autonomy?: Autonomy;
  /** Canonical names. */
  readonly tools?: readonly string[];
  readonly permissions?: readonly Permission[];
  /** Classes of commands that may be run. */
  readonly commands?: readonly CommandClass[];
  /** Globs of paths that may be touched, and of hosts that may be reached. One glob of every list must match. */
  readonly paths?: readonly (readonly string[])[];
  readonly hosts?: readonly (readonly string[])[];
  /** Actions that are open. All others are refused, whatever tools and permissions say. */
  readonly gates?: readonly ActionGate[];
  readonly plan?: boolean;
  readonly dryRun?: boolean;
};

/** A value that is not understood counts as the strictest. */
const understood = <T>(order: readonly T[], value: T | undefined): T | undefined =>
  value === undefined || order.includes(value) ? value : order.at(-1);

/** A missing value has index -1, so it is looser than the loosest. */
const stricter = <T>(order: readonly (T | undefined)[], a: T | undefined, given: T | undefined): T | undefined => {
  const b = understood(order, given);
  return order.indexOf(a) >= order.indexOf(b) ? a : b;
};

const both = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined =>
  a === undefined ? b : b === undefined ? a : a.filter((each) => b.includes(each));

/** What the maker of a gate may ask for: one list of paths or hosts is enough. */
export type Narrowing = Partial<Omit<Ceiling, "paths" | "hosts">> & {
  readonly paths?: readonly string[];
  readonly hosts?: readonly string[];
};

const allOf = (
  lists: Ceiling["paths"],
  more: readonly string[] | undefined,
): readonly (readonly string[])[] | undefined => (more === undefined ? lists : [...(lists ?? []), more]);

/** Effective = min(own, ceiling): no combination gets wider. */
export function meet(a: Ceiling, b: Narrowing): Ceiling {
  const autonomy = stricter(AUTONOMIES, a.autonomy, b.autonomy);
  const tools = both(a.tools, b.tools);
  const permissions = both(a.permissions, b.permissions);
  const commands = both(a.commands, b.commands);
  const gates = both(a.gates, b.gates);
  const paths = allOf(a.paths, b.paths);
  const hosts = allOf(a.hosts, b.hosts);
  return {
    mode: stricter(MODES, a.mode, b.mode) ?? a.mode,
    ...(autonomy && { autonomy }),
    ...(tools && { tools }),
    ...(permissions && { permissions }),
    ...(commands && { commands }),
    ...(paths && { paths }),
    ...(hosts && { hosts }),
    ...(gates && { gates }),
    ...((a.plan || b.plan) && { plan: true }),
    ...((a.dryRun || b.dryRun) && { dryRun: true }),
  };
}

/** What a session and all sessions below it may spend. */
export type Limits = {
  readonly maxCalls?: number;
  readonly maxChanges?: number;
  readonly maxActionsPerHour?: number;
  /** As reported by the program that calls the model. */
  readonly maxTokens?: number;
  readonly maxCost?: number;
};

/** The smallest value of each limit, for when all of them apply. */
export function strictest(all: readonly Limits[]): Limits {
  const least: { -readonly [Name in keyof Limits]: number } = {};
  for (const limits of all)
    for (const [name, value] of Object.entries(limits) as [keyof Limits, number][])
      least[name] = Math.min(value, least[name] ?? value);
  return least;
}
