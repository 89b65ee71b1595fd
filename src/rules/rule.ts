import { nearest } from "../text/nearest.ts";

/** What a rule may be about: the actions of touches, and sources of foreign tools. */
export const ACTIONS = [
  ...["read", "list", "write", "delete", "run", "fetch"],
  ...["mcp", "skill", "delegate", "remember", "schedule", "signal", "ask"],
] as const;
export type RuleAction = (typeof ACTIONS)[number];
const isAction = (name: string): name is RuleAction => (ACTIONS as readonly string[]).includes(name);

/** `write(src/**)`, `run(git commit *)`, `read_file`, `Bash(npm test)`: an action or a tool, and a pattern. */
export type Subject = { readonly action: RuleAction } | { readonly tool: string };
export type Statement = { readonly text: string; readonly subject: Subject; readonly pattern?: string };

/** A rule as people write it in a file. */
export type WrittenRule =
  | string
  | {
      readonly rule: string;
      readonly reason?: string | undefined;
      /** Patterns of the same kind that the rule excepts. */
      readonly except?: readonly string[] | undefined;
      /** Examples that the rule must match, and must not match. Checked when the file is loaded. */
      readonly match?: readonly string[] | undefined;
      readonly not_match?: readonly string[] | undefined;
      /** A day or a time after which the rule no longer counts. */
      readonly expires?: string | undefined;
    };

export type RuleKind = "allow" | "ask" | "deny";
export type Rule = {
  readonly kind: RuleKind;
  readonly statement: Statement;
  readonly reason?: string;
  readonly except: readonly string[];
  readonly expires?: number;
  /** As it is written in its file. */
  readonly written: WrittenRule;
};

const LONGEST = 1_000;
const SHAPE = /^([^\s()]+)(?:\((.*)\))?$/s;
const WORD = /^[\w.*:@/-]+$/;

/** The parsed statement, or what is wrong with the text. */
function readStatement(text: string): Statement | { problem: string } {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return { problem: `is longer than ${LONGEST} characters` };
  const found = SHAPE.exec(trimmed);
  if (!found) return { problem: "is no rule; write an action with a pattern, such as write(src/**), or a tool's name" };
  const [, name = "", inside] = found;
  if (isAction(name)) {
    const pattern = inside?.trim() ?? "";
    if (pattern === "") return { problem: `needs a pattern: ${name}(${EXAMPLES[name] ?? "*"})` };
    return { text: trimmed, subject: { action: name }, pattern };
  }
  if (!WORD.test(name)) return { problem: `starts with ${name}, which is neither an action nor a tool's name` };
  if (inside === undefined) return { text: trimmed, subject: { tool: name } };
  const pattern = inside.trim();
  const [near] = nearest(name, ACTIONS);
  if (pattern === "")
    return { problem: `needs a pattern between the brackets${near ? ` (did you mean ${near}?)` : ""}` };
  return { text: trimmed, subject: { tool: name }, pattern };
}

const EXAMPLES: Partial<Record<RuleAction, string>> = {
  read: "docs/**",
  list: "src/**",
  write: "src/**",
  delete: "build/**",
  run: "npm test",
  fetch: "docs.example.com",
  mcp: "github/*",
};

/** The parsed rule, or what is wrong with it. */
export function readRule(kind: RuleKind, written: WrittenRule): Rule | { problem: string } {
  const given = typeof written === "string" ? { rule: written } : written;
  const statement = readStatement(given.rule);
  if ("problem" in statement) return { problem: `"${given.rule.slice(0, 120)}" ${statement.problem}` };
  const expires = given.expires === undefined ? undefined : timeOf(given.expires);
  if (expires !== undefined && Number.isNaN(expires))
    return { problem: `"${statement.text}" expires ${given.expires}, which is not a date such as 2030-01-31` };
  return {
    kind,
    statement,
    ...(given.reason !== undefined && { reason: given.reason }),
    except: given.except ?? [],
    ...(expires !== undefined && { expires }),
    written,
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A day lasts until it has ended everywhere on earth. */
const timeOf = (text: string): number => Date.parse(DAY.test(text) ? `${text}T23:59:59.999-12:00` : text);
