import type { Claim } from "../../core/touch.ts";
import { type AnalyseOptions, analyse } from "../../shell/analyse.ts";

/** A command line as what it would run and touch. */
export function runClaim(command: string, options: AnalyseOptions = {}): Claim {
  const { class: kind, risk, reason, segments, touches } = analyse(command, options);
  const shown = segments.map(({ text, class: each, risk: danger, rule }) => ({
    text,
    class: each,
    risk: danger,
    rule,
  }));
  return { action: "run", command, class: kind, inner: touches, reading: { risk, reason, segments: shown } };
}
