import type { Policy } from "../core/contracts/policy.ts";
import { eachTouch, type RunTouch } from "../core/words/touch.ts";

export type BlockedCommands = {
  blockedCommands: readonly string[];
  /** Matches patterns that anybody may have written, within a time limit. */
  tryPatterns(patterns: readonly string[]): (text: string) => { pattern: string } | "too long" | undefined;
};

/** Commands that match a person's pattern never run, however they are spelled. */
export function blockedCommands({ blockedCommands: patterns, tryPatterns }: BlockedCommands): Policy {
  const find = tryPatterns(patterns);
  const deny = (reason: string) => ({ answer: "deny" as const, by: "guardrails", reason });
  return {
    name: "guardrails",
    speaksOf: ["run"],
    judge({ touches }) {
      if (patterns.length === 0) return undefined;
      for (const touch of eachTouch(touches)) {
        if (touch.action !== "run") continue;
        for (const text of readings(touch)) {
          const found = find(text);
          if (found === "too long") return deny("it takes too long to match against guardrails.blocked_commands");
          if (found) return deny(`Command blocked by guardrail: matches '${found.pattern}'`);
        }
      }
      return undefined;
    },
  };
}

/** The command as sent, on one line, and each command in it by its text and by the words that the shell makes of it. */
function readings({ command, reading }: RunTouch): Set<string> {
  const line = command.replace(/\\?\n\s*/g, " ");
  const commands = (reading?.segments ?? []).flatMap(({ text, words }) => [
    text,
    ...(words ? [words.map((word) => word ?? "?").join(" ")] : []),
  ]);
  return new Set([command, line, ...commands]);
}
