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
  /** Null if they held a secret or were too long to keep. Then the call cannot be retried. */
  args: unknown;
  status: Status;
  error: { code: Code; message: string };
  category: Trouble;
  /** How often it was tried in total. */
  attempts: number;
  /** How often it ended as a dead letter. */
  rounds: number;
  firstAt: number;
  at: number;
  /** Null if it is not worth trying again by itself. */
  nextTry: number | null;
};

/** A letter before it is merged with one that the same call already has. */
export type NewLetter = Omit<DeadLetter, "rounds" | "firstAt" | "nextTry">;

const MINUTE_MS = 60_000;
const PAUSES_MINUTES = [1, 5, 15, 30, 60];

/** When the call is worth another try, after it has ended as a dead letter so many times. */
export function nextTryOf(category: Trouble, rounds: number, now: number): number | null {
  const pause = PAUSES_MINUTES[rounds - 1];
  return category === "INTERNAL" || pause === undefined ? null : now + pause * MINUTE_MS;
}

export const LETTERS = "dead-letters";
