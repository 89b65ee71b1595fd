import type { Code, Status } from "./result.ts";
import type { Trouble } from "./trouble.ts";

/** A call that failed through no fault of its own, kept so that it can be made again. */
export type DeadLetter = {
  id: string;
  call: string;
  session: string;
  agent: string;
  workspace: string;
  tool: string;
  target: string;
  /** null: they held a secret, or too much, and were not kept; then it cannot be retried. */
  args: unknown;
  status: Status;
  error: { code: Code; message: string };
  category: Trouble;
  /** How often it was tried in all. */
  attempts: number;
  /** How often it ended here. */
  rounds: number;
  firstAt: number;
  at: number;
  /** null: it is not worth another try by itself. */
  nextTry: number | null;
};

/** One that the same failed call may already have. */
export type NewLetter = Omit<DeadLetter, "rounds" | "firstAt" | "nextTry">;

const MINUTE_MS = 60_000;
const PAUSES_MINUTES = [1, 5, 15, 30, 60];

/** When the same call is worth another try, after it ended here so many times. */
export function nextTryOf(category: Trouble, rounds: number, now: number): number | null {
  const pause = PAUSES_MINUTES[rounds - 1];
  return category === "INTERNAL" || pause === undefined ? null : now + pause * MINUTE_MS;
}

export const LETTERS = "dead-letters";
