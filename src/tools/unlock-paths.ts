import * as z from "zod";
import { Tool } from "../core/words/tool.ts";

const tokens = () =>
  z.preprocess((given) => (typeof given === "string" ? [given] : given), z.array(z.string()).min(1).max(1000));

export const unlockPaths = Tool.define("unlock_paths", {
  description: "Release locks that you took with lock_paths, by their tokens.",
  permissions: { required: ["write"] },
  aliases: { args: { tokens: ["token"] } },
  get input() {
    return z.object({ tokens: tokens() });
  },
  touches: (input) => input.tokens.map((token) => ({ action: "remember", target: `unlock ${token}` })),
  async execute({ tokens: wanted }, { holding }) {
    const released = await holding.letGo(wanted);
    const others = wanted.filter((token) => !released.includes(token));
    const lines = [
      released.length > 0 ? `Released ${released.join(", ")}.` : "",
      others.length > 0 ? `Not held by you, or already released: ${others.join(", ")}.` : "",
    ];
    return {
      title: `Released ${released.length} of ${wanted.length}`,
      output: lines.filter(Boolean).join("\n"),
      metadata: { released, unknown: others },
    };
  },
});
