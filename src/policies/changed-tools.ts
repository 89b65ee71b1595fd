import type { Policy } from "../core/contracts/policy.ts";

/** A server may describe a tool harmlessly until it is approved, and differently from then on. */
export const changedTools: Policy = {
  name: "changed-tools",
  speaksOf: ["use"],
  judge({ touches }) {
    for (const touch of touches)
      if (touch.action === "use" && touch.changed !== undefined)
        return {
          answer: "ask",
          by: "changed-tools",
          reason: `${touch.name} is described differently now than when it was approved`,
        };
    return undefined;
  },
};
