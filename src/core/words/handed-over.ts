import type { Answer } from "./verdict.ts";

/** What whoever performs a call is told before. `next` says what to do instead, where it is not allowed. */
export type HandedOver = {
  answer: Answer;
  by: string;
  reason: string;
  next?: string;
};

/**
 * `key` is how its end will be told. `asks`: whoever performs the call puts an ask to a person; else it is a no, unless the
 * gate has somebody to ask. `unique`: under this key there is one call, and whoever hands it over twice means the same.
 */
export type HandOverOptions = { key: string; asks: boolean; unique?: boolean };

/** How a call that somebody else performed has ended, as far as they tell. */
export type HandedBack = {
  failed?: string;
  output?: string;
};
