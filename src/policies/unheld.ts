import type { Policy } from "../core/contracts/policy.ts";
import { runsSomething } from "../core/words/touch.ts";

/** Where a sandbox is required and somebody else runs the commands, none of ours would hold them. */
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
