import * as z from "zod";
import { keeperName, timeLeft } from "../core/words/hold-view.ts";
import { Tool } from "../core/words/tool.ts";
import { onOneLine } from "./lib/shown-text.ts";

const USUAL_TTL_MS = 60_000;
const LONGEST_TTL_MS = 86_400_000;

export const boardClaim = Tool.define("board_claim", {
  description: "Claim something by name for a while, such as a topic or a service; release it by its token.",
  permissions: { required: ["read"] },
  aliases: { args: { resource: ["name"], ttl_ms: ["ttl"] } },
  get input() {
    return z.object({
      resource: z.string().trim().min(1).max(500).optional(),
      mode: z.enum(["read", "write", "exclusive"]).optional(),
      ttl_ms: z.int().min(1).max(LONGEST_TTL_MS).optional(),
      release: z.string().optional(),
    });
  },
  touches: ({ resource, release }) => [{ action: "remember", target: `claim ${resource ?? release ?? ""}` }],
  async execute({ resource, mode = "write", ttl_ms = USUAL_TTL_MS, release }, { holding, now }) {
    if (release !== undefined) {
      const released = await holding.letGo([release]);
      const output = released.length > 0 ? "Released." : "You do not hold this claim, or it has already ended.";
      return { title: "Released", output, metadata: { released } };
    }
    if (resource === undefined)
      return {
        success: false,
        output: "",
        error: { code: "VALIDATION_ERROR", message: "resource is required (string)", hint: "" },
      };
    const [answer] = await holding.hold([{ resources: [resource.toLowerCase()], shown: resource, mode }], ttl_ms);
    if (answer && "hold" in answer) {
      const { token, until } = answer.hold;
      const output = `Claimed ${onOneLine(resource)} (${mode}) for ${timeLeft(answer.hold, now())}, token ${token}.`;
      return { title: `Claimed ${onOneLine(resource)}`, output, metadata: { token, until, mode } };
    }
    const by = answer?.by;
    const message = by
      ? `${onOneLine(resource)} is claimed (${by.mode}) by ${keeperName(by)} for another ${timeLeft(by, now())}.`
      : `${onOneLine(resource)} could not be claimed.`;
    const holder = by && { session: by.session, agent: by.agent, mode: by.mode, until: by.until };
    return {
      success: false,
      output: "",
      metadata: { denied: holder },
      error: { code: "CONFLICT", message, hint: "Work on something else, or try again later." },
    };
  },
});
