import type { Step } from "../core/contracts/step.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const TRANSIENT = new Set(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EBUSY", "EAGAIN", "EPIPE"]);

/** Tries again what may succeed the next time, where the tool says that this is wanted. */
export const retry: Step = {
  name: "retry",
  applies: ({ tool, changes }) => (tool.definition?.retry?.attempts ?? 1) > 1 && changes.length === 0,
  async around({ ready, life, clock }, next) {
    const attempts = ready.tool.definition?.retry?.attempts ?? 1;
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

const isTransient = (error: unknown): boolean => {
  const { code } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown };
  return typeof code === "string" && TRANSIENT.has(code);
};
