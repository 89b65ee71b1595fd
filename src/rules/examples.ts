import type { PathTouch, RunTouch, Touch } from "../core/words/touch.ts";
import { analyse } from "../shell/analyse.ts";
import { type Rule, type RuleKind, readRule, type Statement, type WrittenRule } from "./rule.ts";
import { patternProblem } from "./rule-matchers.ts";
import { RuleSet } from "./rule-set.ts";

/** What is wrong with one rule of a list. */
export type RuleProblem = { readonly kind: RuleKind; readonly index: number; readonly message: string };

const KINDS: readonly RuleKind[] = ["allow", "ask", "deny"];

/** All problems: rules that cannot be parsed, and examples that contradict their rule. */
export function ruleProblems(lists: Partial<Record<RuleKind, readonly WrittenRule[]>>): RuleProblem[] {
  return KINDS.flatMap((kind) =>
    (lists[kind] ?? []).flatMap((written, index) =>
      problemsOf(kind, written).map((message) => ({ kind, index, message })),
    ),
  );
}

function problemsOf(kind: RuleKind, written: WrittenRule): string[] {
  const rule = readRule(kind, written);
  if ("problem" in rule) return [rule.problem];
  const { statement } = rule;
  const wrong = [statement.pattern, ...rule.except]
    .filter((pattern) => pattern !== undefined)
    .flatMap((pattern) => patternProblem({ ...statement, pattern }) ?? []);
  if (wrong.length > 0) return wrong.map((problem) => `"${statement.text}" ${problem}`);
  if (typeof written === "string") return [];
  return [
    ...(written.match ?? []).filter((example) => !fits(rule, example)).map((example) => misses(rule, example)),
    ...(written.not_match ?? []).filter((example) => fits(rule, example)).map((example) => meets(rule, example)),
  ];
}

const misses = ({ statement }: Rule, example: string): string =>
  `"${statement.text}" does not match its own example "${example}"`;
const meets = ({ statement }: Rule, example: string): string =>
  `"${statement.text}" matches "${example}", which is listed under not_match`;

/** Whether a rule decides the call that an example stands for. An expired rule is tried as if it still counted. */
export function fits(rule: Rule, example: string): boolean {
  const { expires: _, ...lasting } = rule;
  const touches = exampleTouches(rule.statement, example);
  const name = "tool" in rule.statement.subject ? rule.statement.subject.tool : "";
  if (rule.statement.pattern === undefined) return example === name;
  const decisions = [true, false].map((harmless) =>
    new RuleSet([lasting]).decide({ tool: { name }, touches }, 0, harmless),
  );
  if (rule.kind === "allow") return decisions.some(({ covers }) => touches.every((touch) => covers.has(touch)));
  return decisions[0]?.[rule.kind]?.surely === true;
}

const ROOT = "/workspace";

function pathTouch(action: PathTouch["action"], path: string): PathTouch {
  const real = path.startsWith("/") ? path : `${ROOT}/${path.replace(/^(?:\.\/)+/, "")}`;
  const root = path.startsWith("/") ? "" : ROOT;
  return { action, place: { shown: path, real, root, exists: true }, certain: true };
}

/** A shell command as the tool that runs it would declare it, without what it touches, which other rules judge. */
export function lineTouch(command: string): RunTouch {
  const { class: kind, risk, reason, parsed, sure, uses, segments } = analyse(command);
  const shown = segments.map(({ program, words, touches: _, ...segment }) => ({
    ...segment,
    ...(program !== undefined && { program }),
    words: words.map((word) => word ?? null),
  }));
  return {
    action: "run",
    command,
    class: kind,
    inner: [],
    reading: { risk, reason, parsed, sure, uses, segments: shown },
  };
}

/** What an example means for this kind of rule: a path, a command, a URL or a name. */
function exampleTouches({ subject }: Statement, example: string): Touch[] {
  if ("tool" in subject) {
    if (/^[a-z]+:\/\//i.test(example)) return [{ action: "fetch", url: example, method: "GET" }];
    return /\s/.test(example) ? [lineTouch(example)] : [pathTouch("write", example)];
  }
  const { action } = subject;
  switch (action) {
    case "read":
    case "list":
    case "write":
    case "delete":
      return [pathTouch(action, example)];
    case "run":
      return [lineTouch(example)];
    case "fetch": {
      const [, method = "GET", url = ""] = /^(?:([A-Z]+)\s+)?(.*)$/.exec(example) ?? [];
      return [{ action, method, url: url.includes("://") ? url : `https://${url}` }];
    }
    case "mcp":
    case "skill":
      return [{ action: "use", source: action, name: example }];
    default:
      return [{ action, target: example }];
  }
}
