import type { Policy } from "../core/contracts/policy.ts";
import { describeTouch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import type { Rule } from "../rules/rule.ts";
import { type Hit, RuleSet } from "../rules/rule-set.ts";

export type RuleSettings = {
  rules: readonly Rule[];
  home?: string | undefined;
  roots?: readonly string[];
  now(): number;
};

/** What people wrote down: what is denied, what is asked about in every mode, and what is allowed without asking. */
export function rules({ rules: all, home, roots, now }: RuleSettings): Policy {
  const set = new RuleSet(all, { home, roots });
  const excluding = (exclude: readonly string[]) => (exclude.length > 0 ? { exclude } : {});
  return {
    name: "rules",
    judge(ready, { ceiling }): Verdict | undefined {
      const { deny, ask, covers, by, exclude } = set.decide(ready, now(), ceiling.mode !== "confirm-all");
      if (deny?.surely) return { answer: "deny", by: "rules", reason: reasonOf(deny) };
      const hit = ask ?? deny;
      if (hit) return { answer: "ask", by: "rules", reason: reasonOf(hit), ...excluding(exclude) };
      if (by.length > 0) return { answer: "allow", by: "rules", reason: allowedBy(by), covers, ...excluding(exclude) };
      return exclude.length > 0
        ? { answer: "allow", by: "rules", reason: "paths that a rule forbids are left out", exclude }
        : undefined;
    },
  };
}

const worded = ({ kind, statement }: Rule): string => `${kind}: ${statement.text}`;
const because = ({ reason }: Rule): string => (reason ? `: ${reason}` : "");

function reasonOf({ rule, touch, surely }: Hit): string {
  const what = touch && touch.action !== "run" ? ` (${describeTouch(touch)})` : "";
  if (!surely)
    return `the rule "${worded(rule)}" may apply to this${what}, and that cannot be decided for certain${because(rule)}`;
  return `the rule "${worded(rule)}" ${rule.kind === "deny" ? "forbids" : "asks about"} this${what}${because(rule)}`;
}

const allowedBy = (by: readonly Rule[]): string =>
  by.length === 1
    ? `the rule "${worded(by[0] as Rule)}" allows it${because(by[0] as Rule)}`
    : `the rules ${by.map((rule) => `"${worded(rule)}"`).join(" and ")} allow it`;
