import type { CommandReading } from "../core/words/touch.ts";

type Line = Pick<CommandReading, "parsed" | "uses"> & {
  segments: readonly { text: string; program?: string | undefined }[];
};

/**
 * For `commands.allowlist`, where every program must be listed: why a line is refused, or nothing. Substitutions,
 * backticks and newlines are always refused.
 */
export function allowlistProblem(reading: Line, allowed: readonly string[]): string | undefined {
  const { uses, segments } = reading;
  if (!reading.parsed) return "it is not valid shell";
  if (uses.newline) return "only one line at a time is allowed: give each command in a call of its own";
  if (uses.backticks) return "backticks are not allowed: run the inner command first, and use what it prints";
  if (uses.substitution) return "substitutions are not allowed: run the inner command first, and use what it prints";
  if (allowed.includes("*")) return undefined;
  for (const { program, text } of segments) {
    if (program === undefined) return `${text} does not name its program literally`;
    if (!allowed.includes(program)) return `${program} is not allowed; allowed are ${allowed.join(", ") || "none"}`;
  }
  return undefined;
}
