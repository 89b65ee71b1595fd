import { type Rule, type RuleKind, readRule, type WrittenRule } from "../../rules/rule.ts";
import { spellings } from "../forbidden.ts";
import { forbidsAll, opensAll } from "../restrictions.ts";
import { row } from "../row.ts";
import type { Kind } from "../value-kinds.ts";

const accepts =
  "a list of rules such as write(src/**), or of mappings with rule, reason, except, match, not_match, expires";

/** Rules of one kind. Their meaning and examples are checked when the file is loaded. */
const ruleList = (kind: RuleKind): Kind<readonly WrittenRule[], readonly Rule[]> => ({
  accepts,
  schema(z) {
    const text = z.string({ error: accepts }).min(1, { error: accepts });
    const texts = z.array(text, { error: "a list of texts" });
    const whole = z.strictObject({
      rule: text,
      reason: text.optional(),
      except: texts.optional(),
      match: texts.optional(),
      not_match: texts.optional(),
      expires: text.optional(),
    });
    return z.array(z.union([text, whole], { error: accepts }), { error: accepts });
  },
  read: (written, workspace) =>
    written.flatMap((each) => {
      const rule = readRule(kind, each);
      return "problem" in rule ? [] : kind === "allow" ? [rule] : [rule, ...behindLinks(rule, workspace)];
    }),
  write: (rules) => [...new Set(rules.map(({ statement }) => statement.text))],
});

const ABOUT_PATHS: ReadonlySet<string> = new Set(["read", "list", "write", "delete"]);

/** Calls are judged by real paths, so a rule about a link must also apply to where the link leads. */
function behindLinks(rule: Rule, workspace: string): Rule[] {
  const { subject, pattern } = rule.statement;
  if (!("action" in subject) || !ABOUT_PATHS.has(subject.action) || !pattern || /^(?:~|\/)/.test(pattern)) return [];
  const [, behind] = spellings(pattern, workspace);
  return behind === undefined ? [] : [{ ...rule, statement: { ...rule.statement, pattern: behind } }];
}

export const rules = {
  "rules.allow": row({
    says: "What needs no question: see [Rules](rules.md). It never beats a deny, an ask rule or a guardrail.",
    kind: ruleList("allow"),
    default: [],
    rule: opensAll,
    to: "rules.allow",
  }),
  "rules.ask": row({
    says: "What always asks, even in yolo.",
    kind: ruleList("ask"),
    default: [],
    rule: forbidsAll,
    to: "rules.ask",
  }),
  "rules.deny": row({
    says: "What is refused, in every mode.",
    kind: ruleList("deny"),
    default: [],
    rule: forbidsAll,
    to: "rules.deny",
  }),
};
