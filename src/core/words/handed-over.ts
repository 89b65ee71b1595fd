import type { Answer } from "./verdict.ts";

/** What the agent that performs the call is told beforehand. `next` says what to do instead of a denied call. */
export type HandedOver = {
  answer: Answer;
  by: string;
  reason: string;
  next?: string;
};

/**
 * `key`: under which its end will be reported. `asks`: the performing agent asks a person itself; else an ask is a no,
 * unless the gate can ask somebody. `unique`: the key stands for one call, so handing it over twice means the same.
 * `partly`: it shows a part of what it reads, and nobody can tell which.
 */
export type HandOverOptions = { key: string; asks: boolean; unique?: boolean; partly?: boolean };

/** How a call that another agent performed has ended, as far as it reports. */
export type HandedBack = {
  failed?: string;
  output?: string;
};
