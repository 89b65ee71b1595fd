import type { Facts, Policy } from "../contracts/policy.ts";
import type { Ready } from "../words/ready.ts";
import type { Touch } from "../words/touch.ts";
import type { Answer, Condition, Judgement, Reserve, Verdict } from "../words/verdict.ts";

const SILENCE: Verdict = { answer: "ask", by: "silence", reason: "no policy allowed it" };

const ANSWERS: readonly unknown[] = ["allow", "ask", "deny"] satisfies Answer[];

/** A policy that throws, or gives an answer that is not understood, denies. */
export function opinion(policy: Policy, ready: Ready, facts: Facts): Opinion | undefined {
  try {
    const said = policy.judge(ready, facts) ?? undefined;
    if (said === undefined || isUnderstood(said)) return said;
    return failed(policy, `it answered ${String(said.answer)}`);
  } catch (error) {
    return failed(policy, error instanceof Error ? error.message : "it threw something that is not an error");
  }
}

const isUnderstood = ({ answer, reserve, notes }: Opinion): boolean =>
  (answer === undefined ? reserve !== undefined || notes !== undefined : ANSWERS.includes(answer)) &&
  (reserve === undefined || reserve.every(isLimit));

/** Written so that NaN, for which every comparison is false, is refused. */
const isLimit = ({ key, limit, window, amount }: Reserve): boolean =>
  typeof key === "string" && limit >= 0 && (window ?? 1) > 0 && (amount ?? 0) >= 0;

const failed = ({ name }: Policy, why: string): Verdict => ({
  answer: "deny",
  by: name,
  reason: `the policy failed: ${why}`,
});

/** The stricter verdict. Of equals the first, but an ask that no grant can answer comes before one that a grant can. */
function stricter(a: Verdict | undefined, b: Verdict): Verdict {
  if (a === undefined) return b;
  if (a.answer === b.answer) return a.answer === "ask" && a.grantable && !b.grantable ? b : a;
  if (a.answer === "deny" || b.answer === "allow") return a;
  return b;
}

export type Opinion = Verdict | Condition;

/** Deny beats ask, ask beats allow, and silence means ask. Each policy's opinion is added to `said`. */
export function judge(policies: readonly Policy[], ready: Ready, facts: Facts, said?: Opinion[]): Judgement {
  let verdict: Verdict | undefined;
  let exclude: string[] | undefined;
  let reserve: (Reserve & { by: string })[] | undefined;
  let notes: string[] | undefined;
  let asks: Verdict[] | undefined;
  let rules: Verdict[] | undefined;
  for (const policy of concerned(policies, ready)) {
    const found = opinion(policy, ready, facts);
    if (found === undefined) continue;
    said?.push(found);
    if (found.reserve?.length)
      reserve = [...(reserve ?? []), ...found.reserve.map((each) => ({ ...each, by: found.by }))];
    if (found.notes?.length) notes = [...(notes ?? []), ...found.notes];
    if (found.answer === undefined) continue;
    verdict = stricter(verdict, found);
    if (found.exclude?.length) exclude = [...(exclude ?? []), ...found.exclude];
    if (found.answer === "ask" && found.grantable) asks = [...(asks ?? []), found];
    if (found.answer === "allow" && found.covers) rules = [...(rules ?? []), found];
  }
  if (verdict?.answer === "ask" && verdict.grantable && asks) verdict = answered(asks, rules, ready.touches);
  verdict ??= SILENCE;
  // most calls are allowed by the mode alone, and copying costs time
  if (!exclude && !reserve && !notes && !verdict.covers) return verdict as Judgement;
  const { covers: _, reserve: __, ...plain } = verdict;
  return { ...plain, ...(exclude && { exclude }), ...(reserve && { reserve }), ...(notes && { notes }) };
}

const byAction = new WeakMap<readonly Policy[], Map<string, readonly Policy[]>>();

/** The policies to consult: those that speak of the action. All are consulted about changes and mixed touches. */
function concerned(policies: readonly Policy[], { touches, changes }: Ready): readonly Policy[] {
  const action = touches[0]?.action ?? "";
  if (changes.length > 0 || touches.some((touch) => touch.action !== action)) return policies;
  const known = byAction.get(policies) ?? new Map<string, readonly Policy[]>();
  const asked = known.get(action);
  if (asked) return asked;
  const speaking = policies.filter(({ speaksOf }) => !speaksOf || speaksOf.some((each) => each === action));
  byAction.set(policies, known.set(action, speaking));
  return speaking;
}

/** Drops asks whose touches rules cover entirely. The first ask left decides, for the touches of all that are left. */
function answered(asks: readonly Verdict[], rules: readonly Verdict[] = [], touches: readonly Touch[]): Verdict {
  const isCovered = (touch: Touch) => rules.some(({ covers }) => covers?.has(touch));
  const open = asks.filter(({ about = touches }) => rules.length === 0 || !about.every(isCovered));
  const [first] = open;
  if (!first) return rules[0] as Verdict;
  return { ...first, about: [...new Set(open.flatMap(({ about = touches }) => about))] };
}

/** Removes a policy's power to answer what other policies ask: only rules of the configuration have it. */
export const restricting = (policy: Policy): Policy => ({
  name: policy.name,
  ...(policy.content && { content: true }),
  ...(policy.speaksOf && { speaksOf: policy.speaksOf }),
  ...(policy.found && { found: policy.found }),
  ...(policy.minds && { minds: policy.minds }),
  judge(ready, facts) {
    const said = policy.judge(ready, facts);
    if (!said?.covers) return said;
    const { covers: _, ...rest } = said;
    return rest;
  },
});
