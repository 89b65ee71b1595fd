import type { Policy } from "../core/contracts/policy.ts";
import { runsSomething } from "../core/words/touch.ts";

/** Denies commands that another agent would run, outside our sandbox, although a sandbox is required. */
export const unheld: Policy = {
  name: "sandbox",
  speaksOf: ["run"],
  judge: ({ touches }) =>
    runsSomething(touches)
      ? {
          answer: "deny",
          by: "sandbox",
          reason: "commands.sandbox is required, and Toolgate's sandbox would not contain it",
        }
      : undefined,
};
