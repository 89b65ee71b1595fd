import type { Code } from "../../core/words/code.ts";
import type { Claim } from "../../core/words/touch.ts";
import type { AnalyseOptions } from "../../shell/analyse.ts";
import { FOLLOWS, RUNS_PROJECT } from "../../shell/programs/program.ts";
import { fullScreenNames, isFullScreen } from "./command-words.ts";

/** A command line as what it would run and touch. Understanding shell is a large part, loaded for the first command. */
export async function runClaim(command: string, options: AnalyseOptions = {}): Promise<Claim> {
  const { analyse } = await import("../../shell/analyse.ts");
  const { class: kind, risk, reason, parsed, sure, uses, segments, touches } = analyse(command, options);
  const shown = segments.map(({ text, program, class: each, risk: danger, rule, words, plain }) => ({
    ...{ text, class: each, risk: danger, rule },
    ...(program !== undefined && { program }),
    words: words.map((word) => word ?? null),
    plain,
  }));
  const { newline, backticks, substitution } = uses;
  const runsProject = kind === "safe" && segments.some(({ rule }) => rule === RUNS_PROJECT);
  const followsLinks = kind === "safe" && segments.some(({ rule }) => rule === FOLLOWS);
  const reading = {
    ...{ risk, reason, parsed, sure, uses: { newline, backticks, substitution }, segments: shown },
    ...(runsProject && { runsProject }),
    ...(followsLinks && { followsLinks }),
  };
  return { action: "run", command, class: kind, inner: touches, reading };
}

/** The program of a line that would wait for somebody at a terminal, if there is one. */
export async function fullScreenIn(command: string): Promise<string | undefined> {
  const named = fullScreenNames(command);
  if (named.length === 0) return undefined;
  const { analyse } = await import("../../shell/analyse.ts");
  const { segments } = analyse(command);
  return named.find((name) => segments.some(({ words }) => isFullScreen(name, words)));
}

/** The files that decide what a command line runs. */
export async function codeOf(command: string, options: AnalyseOptions = {}): Promise<Code> {
  const { codeIn } = await import("../../shell/analyse.ts");
  return codeIn(command, options);
}
