import type { Hold, HoldAnswer, HoldSpace, Keeper, Wanted } from "../contracts/store/holds.ts";

/** What a tool may do with holds: take and release its own, and see all. */
export interface HoldView {
  /** Takes each glob by itself, from the workspace's root on. Waits for changes under way there. */
  lockPaths(globs: readonly string[], milliseconds: number): Promise<HoldAnswer[]>;
  hold(wanted: readonly Wanted[], milliseconds: number): Promise<HoldAnswer[]>;
  letGo(tokens: readonly string[]): Promise<string[]>;
  holds(space?: HoldSpace): Promise<Hold[]>;
}

/** The keeper's name for people and models. */
export const keeperName = ({ agent, session }: Keeper): string => `agent ${agent} (session ${session})`;

/** How much longer a hold lasts, in words. */
export function timeLeft({ until }: Pick<Hold, "until">, now: number): string {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
