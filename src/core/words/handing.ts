import type { Answer } from "./verdict.ts";

/** What whoever performs a call is told before. `next` says what to do instead, where it is not allowed. */
export type HandedOver = {
  answer: Answer;
  by: string;
  reason: string;
  next?: string;
};

/** How a call that somebody else performed has ended, as far as they tell. */
export type HandedBack = {
  failed?: string;
  output?: string;
};
