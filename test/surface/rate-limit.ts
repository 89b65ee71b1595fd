import type { Policy } from "../../src/index.ts";

/** At most so many calls of one tool within a time; the store does the counting. */
export const rateLimit = (tool: string, limit: number, window: number): Policy => ({
  name: "rate limit",
  judge: (ready) =>
    ready.tool.name === tool
      ? { by: "rate limit", reserve: [{ key: tool, limit, window, full: `${tool} may run ${limit} times a minute` }] }
      : undefined,
});
