import type { Step } from "../core/contracts/step.ts";
import type { Ready } from "../core/words/ready.ts";
import { Ending } from "../core/words/result.ts";
import { changesSomething, type Touch } from "../core/words/touch.ts";
import { mayPass, troubleOf } from "../core/words/trouble.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** What HTTP promises to change nothing. */
const LOOKING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Tries again what may succeed the next time, where the tool says that this is wanted. What has effects is made once,
 * unless the tool says that once or twice is the same. `chance` is from 0 to 1: a pause is between half and all of its
 * time, so that those who failed together do not come back together.
 */
export const retry = (chance: () => number): Step => ({
  name: "retry",
  applies: (ready) => attemptsOf(ready) > 1 && ready.changes.length === 0 && isRepeatable(ready),
  async around({ ready, life, clock }, next) {
    const attempts = attemptsOf(ready);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next();
      } catch (error) {
        const isOver = attempt >= attempts || life.stopped !== undefined || error instanceof Ending;
        if (isOver || !mayPass(troubleOf(error))) throw error;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS) * (0.5 + chance() / 2);
        await life.race(new Promise<void>((resolve) => void clock.after(pause, resolve)));
        life.check();
      }
    }
  },
});

const attemptsOf = ({ tool }: Ready): number => tool.definition?.retry?.attempts ?? 1;

const isRepeatable = ({ tool, touches }: Ready): boolean =>
  tool.definition?.idempotent === true || !changesSomething(touches.filter((touch) => !onlyLooks(touch)));

const onlyLooks = (touch: Touch): boolean => touch.action === "fetch" && LOOKING.has(touch.method.toUpperCase());
