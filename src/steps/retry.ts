import type { Step } from "../core/contracts/step.ts";
import type { Ready } from "../core/words/ready.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const TRANSIENT: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ETIMEDOUT",
  "EBUSY",
  "EAGAIN",
  "EPIPE",
]);

/** Tries again what may succeed the next time, where the tool says that this is wanted. */
export const retry: Step = {
  name: "retry",
  applies: (ready) => attemptsOf(ready) > 1 && ready.changes.length === 0,
  async around({ ready, life, clock }, next) {
    const attempts = attemptsOf(ready);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next();
      } catch (error) {
        if (attempt >= attempts || !isTransient(error) || life.stopped) throw error;
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
        await life.race(new Promise<void>((resolve) => void clock.after(pause, resolve)));
        life.check();
      }
    }
  },
};

const attemptsOf = ({ tool }: Ready): number => tool.definition?.retry?.attempts ?? 1;

const isTransient = (error: unknown): boolean => {
  const { code } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown };
  return TRANSIENT.has(code);
};
