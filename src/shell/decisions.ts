import type { Claim } from "../core/words/touch.ts";
import type { Decision, Flow } from "./walk.ts";

// every decision is written out here: a copy by `...` has a shape of its own, and an engine reads one shape faster than many

export const decided = (
  kind: Decision["class"],
  risk: Decision["risk"],
  rule: string,
  touches: Claim[],
  flow: Flow,
): Decision => ({ class: kind, risk, rule, touches, flow });

/** The same command, of another class. */
export const reclassed = (
  { risk, rule, touches, flow }: Decision,
  kind: Decision["class"],
  otherRule = rule,
  otherRisk = risk,
): Decision => decided(kind, otherRisk, otherRule, touches, flow);

export const withTouches = ({ class: kind, risk, rule, flow }: Decision, touches: Claim[]): Decision =>
  decided(kind, risk, rule, touches, flow);

export const withFlow = ({ class: kind, risk, rule, touches }: Decision, flow: Flow): Decision =>
  decided(kind, risk, rule, touches, flow);
