import type { Touch } from "../core/words/touch.ts";
import { fits, lineTouch } from "./examples.ts";
import { matcherOf } from "./matching.ts";
import type { Rule } from "./rule.ts";
import { type Judged, RuleSet } from "./rule-set.ts";

/** A call of the record, as far as rules look at it. */
export type Recorded = { readonly tool: string; readonly touches: readonly Touch[] };

export type Minimised = {
  readonly kept: readonly Rule[];
  /** Allow rules that no recorded call needs, and rules that another one says already. */
  readonly dropped: readonly { readonly rule: Rule; readonly why: string }[];
};

/** How commands were read is not kept: they are read again. */
const judged = ({ tool, touches }: Recorded): Judged => ({
  tool: { name: tool },
  touches: touches.map((touch) =>
    touch.action === "run" ? { ...lineTouch(touch.command), inner: touch.inner } : touch,
  ),
});

const segmentsOf = ({ touches }: Judged) =>
  touches.flatMap((touch) => (touch.action === "run" ? (touch.reading?.segments ?? []) : []));

/** Which rules speak of a call, each by itself. */
export function rulesAbout(rules: readonly Rule[], call: Judged, now: number): Rule[] {
  return rules.filter((rule) => {
    const { deny, ask, covers, exclude } = new RuleSet([rule]).decide(call, now, true);
    if (deny !== undefined || ask !== undefined || covers.size > 0 || exclude.length > 0) return true;
    // of a line it may cover some commands and not all
    const { permitsSegment } = matcherOf(rule, {});
    return rule.kind === "allow" && segmentsOf(call).some(permitsSegment);
  });
}

/**
 * A smaller set that decides the same about every recorded call. What is forbidden stays forbidden whether or not
 * somebody tried it: of rules that ask or deny only those go that another one repeats.
 */
export function minimise(rules: readonly Rule[], history: readonly Recorded[]): Minimised {
  const calls = history.map(judged);
  const dropped: { rule: Rule; why: string }[] = [];
  let kept = [...rules];
  for (const rule of rules) {
    const other = kept.find((each) => each !== rule && each.kind === rule.kind && repeats(each, rule));
    if (!other) continue;
    kept = kept.filter((each) => each !== rule);
    dropped.push({ rule, why: `${other.statement.text} says it already` });
  }
  const before = calls.map((call) => signature(kept, call));
  // the most particular ones first, so that what is left is what covers most
  const allows = kept
    .filter(({ kind }) => kind === "allow")
    .sort((a, b) => b.statement.text.length - a.statement.text.length);
  for (const rule of allows) {
    const without = kept.filter((each) => each !== rule);
    if (!calls.every((call, index) => signature(without, call) === before[index])) continue;
    kept = without;
    dropped.push({ rule, why: "no recorded call needs it" });
  }
  return { kept, dropped };
}

function signature(rules: readonly Rule[], call: Judged): string {
  const { deny, ask, covers } = new RuleSet(rules).decide(call, 0, true);
  if (deny?.surely) return "deny";
  if (ask || deny) return "ask";
  return call.touches.map((touch) => (covers.has(touch) ? "covered" : "open")).join();
}

/** Whether a rule says all that another one says: the other's pattern, read as an example, is meant by it. */
function repeats(wider: Rule, narrower: Rule): boolean {
  if (wider.except.length > 0 || (wider.expires ?? Infinity) < (narrower.expires ?? Infinity)) return false;
  if (wider.statement.text === narrower.statement.text) return true;
  const { subject, pattern } = narrower.statement;
  if (pattern === undefined || JSON.stringify(subject) !== JSON.stringify(wider.statement.subject)) return false;
  return fits(wider, pattern.replace(/\*+/g, ANYTHING)) && !fits({ ...narrower, kind: wider.kind }, firstOf(wider));
}

const ANYTHING = "x-any-x";
const firstOf = ({ statement }: Rule): string => (statement.pattern ?? "").replace(/\*+/g, `${ANYTHING}2`);
