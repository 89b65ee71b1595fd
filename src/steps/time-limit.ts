import type { Clock } from "../core/contracts/clock.ts";
import type { Running, Step } from "../core/contracts/step.ts";
import type { Ready } from "../core/words/ready.ts";
import { Ending } from "../core/words/result.ts";

const DEFAULT_MS = 120_000;
/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** What ends sooner shares one timer: one of its own would cost it as much as all policies together. */
const SOON_MS = 1;

type Watch = { cancel?: () => void; arm(): void };

/** Stops what takes too long. The time a person thinks, also inside a call below, does not count. */
export function timeLimit(): Step {
  let young = new Set<Watch>();
  let isSet = false;

  const armSoon = (watch: Watch, clock: Clock): void => {
    young.add(watch);
    if (isSet) return;
    isSet = true;
    clock.after(SOON_MS, armAll);
  };
  const armAll = (): void => {
    const grown = young;
    young = new Set();
    isSet = false;
    for (const watch of grown) watch.arm();
  };

  return {
    name: "time-limit",
    applies: () => true,
    async around(running, next) {
      const watch = watchOver(running, limitOf(running.ready));
      armSoon(watch, running.clock);
      try {
        return await next();
      } finally {
        young.delete(watch);
        watch.cancel?.();
      }
    },
  };
}

/** A limit that is no number would be none. */
function limitOf({ tool, input }: Ready): number {
  const own = tool.definition?.timeLimit ?? DEFAULT_MS;
  const limit: unknown = typeof own === "number" ? own : own(input as never);
  return typeof limit === "number" && !Number.isNaN(limit) ? limit : DEFAULT_MS;
}

function watchOver({ life, clock }: Running, limit: number): Watch {
  const started = clock.ticks() - life.thoughtMs;
  const watch: Watch = {
    arm() {
      const left = limit - (clock.ticks() - life.thoughtMs - started);
      if (left <= 0) life.stop(tooLong(limit));
      else watch.cancel = clock.after(Math.min(Math.max(left, 10), LONGEST_TIMER_MS), watch.arm);
    },
  };
  return watch;
}

const tooLong = (limit: number) =>
  new Ending("timed-out", "TIMEOUT", `Stopped after ${limit / 1000} s.`, "Try a smaller piece of the work.");
