import type { Touch } from "../words/touch.ts";

/** Rules, as texts: what a person's standing yes is kept as where it is of use beyond the very same call. */
export interface StandingRules {
  /**
   * The narrowest rules of use that would answer a question about these touches. `known` are those that were saved
   * before. undefined: nothing but this very call can be allowed.
   */
  propose(about: readonly Touch[], tool: string, known: readonly string[]): Promise<readonly string[] | undefined>;
  /** Those of these rules that answer a question about all of these touches; undefined: they do not. */
  covers(rules: readonly string[], about: readonly Touch[], tool: string): Promise<readonly string[] | undefined>;
}
