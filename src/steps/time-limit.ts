import { Ending } from "../core/result.ts";
import type { Step } from "../core/step.ts";

const DEFAULT_MS = 120_000;
/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Stops what takes too long. The time a person thinks, also inside a call below, does not count. */
export const timeLimit: Step = {
  name: "time-limit",
  applies: () => true,
  async around({ ready, life, clock }, next) {
    const { timeLimit: own = DEFAULT_MS } = ready.tool.definition ?? {};
    const limit = typeof own === "number" ? own : own(ready.input as never);
    const started = clock.ticks() - life.thoughtMs;
    let cancel = clock.after(Math.min(limit, LONGEST_TIMER_MS), check);
    function check(): void {
      const left = limit - (clock.ticks() - life.thoughtMs - started);
      if (left <= 0) life.stop(tooLong(limit));
      else cancel = clock.after(Math.min(Math.max(left, 10), LONGEST_TIMER_MS), check);
    }
    try {
      return await next();
    } finally {
      cancel();
    }
  },
};

const tooLong = (limit: number) =>
  new Ending("timed-out", "TIMEOUT", `Stopped after ${limit / 1000} s.`, "Try a smaller piece of the work.");
