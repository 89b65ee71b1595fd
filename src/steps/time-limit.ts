import { Ending } from "../core/result.ts";
import type { Step } from "../core/step.ts";

const DEFAULT_MS = 120_000;

/** Stops what takes too long. The time a person thinks, also inside a call below, does not count. */
export const timeLimit: Step = {
  name: "time-limit",
  applies: () => true,
  async around({ ready, life, clock }, next) {
    const limit = ready.tool.definition?.timeLimit ?? DEFAULT_MS;
    const started = clock.ticks() - life.thoughtMs;
    let cancel = clock.after(limit, check);
    function check(): void {
      const left = limit - (clock.ticks() - life.thoughtMs - started);
      if (left <= 0) life.stop(tooLong(limit));
      else cancel = clock.after(Math.max(left, 10), check);
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
