import type { Touch } from "../words/touch.ts";

/** Rules as texts. A standing yes is kept as rules where those are useful beyond exactly the same call. */
export interface StandingRules {
  /**
   * The narrowest useful rules that would answer a question about these touches. `known` are those saved before.
   * Returns undefined if only exactly this call can be allowed.
   */
  propose(about: readonly Touch[], tool: string, known: readonly string[]): Promise<readonly string[] | undefined>;
  /** The rules that together answer a question about all of these touches, or undefined if they do not. */
  covers(rules: readonly string[], about: readonly Touch[], tool: string): Promise<readonly string[] | undefined>;
}
