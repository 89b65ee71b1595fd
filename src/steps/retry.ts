import type { Step } from "../core/contracts/step.ts";
import type { Ready } from "../core/words/ready.ts";
import { Ending } from "../core/words/result.ts";
import { changesSomething, type Touch } from "../core/words/touch.ts";
import { mayPass, troubleOf } from "../core/words/trouble.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Methods that change nothing, according to HTTP. */
const LOOKING = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Retries what may succeed the next time, if the tool wants that. A call with effects is made once, unless the tool is
 * idempotent. `chance` is from 0 to 1 and sets a pause between half and all of its time, so that calls that failed
 * together do not retry together.
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
