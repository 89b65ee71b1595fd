import * as z from "zod";
import type { Hold, HoldAnswer } from "../core/contracts/store/holds.ts";
import { keeperName, timeLeft } from "../core/words/hold-view.ts";
import { Tool } from "../core/words/tool.ts";
import { onOneLine } from "./lib/shown-text.ts";

const USUAL_TTL_MS = 300_000;
const LONGEST_TTL_MS = 86_400_000;
const MOST_GLOBS = 100;

const globs = () =>
  z.preprocess(
    (given) => (typeof given === "string" ? [given] : given),
    z.array(z.string().max(1024)).min(1).max(MOST_GLOBS),
  );

export const lockPaths = Tool.define("lock_paths", {
  description: "Lock files by globs, so that no other agent changes them until you unlock them or the time is over.",
  permissions: { required: ["write"] },
  aliases: { args: { globs: ["paths", "patterns", "glob", "path", "pattern"], ttl_ms: ["ttl"] } },
  get input() {
    return z.object({ globs: globs(), ttl_ms: z.int().min(1).max(LONGEST_TTL_MS).optional() });
  },
  touches: (input) => input.globs.map((glob) => ({ action: "remember", target: `lock ${glob}` })),
  async execute({ globs: wanted, ttl_ms = USUAL_TTL_MS }, { holding, now }) {
    const answers = await holding.lockPaths([...new Set(wanted)], ttl_ms);
    const taken = answers.flatMap((answer) => ("hold" in answer ? [answer.hold] : []));
    const denied = answers.flatMap((answer) => ("by" in answer ? [deniedOf(answer, now())] : []));
    const lines = [
      ...taken.map((hold) => onOneLine(`Locked ${hold.shown} for ${timeLeft(hold, now())}, token ${hold.token}.`)),
      ...denied.map(({ glob, holder, locked, left }) =>
        onOneLine(`Denied ${glob}: ${holder} has locked ${locked} for another ${left}.`),
      ),
    ];
    const metadata = { tokens: taken.map(({ token }) => token), acquired: taken.map(acquiredOf), denied };
    if (taken.length === 0)
      return {
        success: false,
        output: "",
        metadata,
        error: { code: "CONFLICT", message: lines.join("\n"), hint: "Work on something else, or try again later." },
      };
    return {
      title: onOneLine(`Locked ${taken.map(({ shown }) => shown).join(", ")}`),
      output: lines.join("\n"),
      metadata,
    };
  },
});

const acquiredOf = ({ shown, token, until }: Hold) => ({ glob: shown, token, until });

const deniedOf = ({ wanted, by }: Extract<HoldAnswer, { by: Hold }>, now: number) => ({
  glob: wanted.shown,
  holder: keeperName(by),
  session: by.session,
  agent: by.agent,
  locked: by.shown,
  until: by.until,
  left: timeLeft(by, now),
});
