import type { RuleKind } from "../../rules/rule.ts";
import { asObject, commandRule, type Imported, leftOver, oneRule, pathRule, together } from "./imported.ts";

const KINDS: readonly unknown[] = ["allow", "ask", "deny"] satisfies RuleKind[];
const MILDER: Readonly<Record<RuleKind, number>> = { allow: 0, ask: 1, deny: 2 };
const isKind = (value: unknown): value is RuleKind => KINDS.includes(value);

type Entry = { pattern: string; kind: RuleKind };

/** `permission` of opencode.json. There the last pattern that matches decides; here a stricter rule has exceptions. */
export function fromOpencode(settings: unknown): Imported {
  const { permission } = asObject(settings);
  if (isKind(permission)) return everything("permission", permission);
  return together(
    Object.entries(asObject(permission)).map(([name, value]) =>
      isKind(value) ? wholeTool(name, value) : byPattern(name, asObject(value)),
    ),
  );
}

const EVERYTHING: Readonly<Record<RuleKind, string>> = {
  allow: "it allows everything; set mode: yolo if you mean it",
  ask: "mode: confirm-all asks about everything",
  deny: "it denies everything; set autonomy: readonly, or deny tools by name",
};
const everything = (setting: string, kind: RuleKind): Imported => leftOver(`${setting}: ${kind}`, EVERYTHING[kind]);

const READS: ReadonlySet<string> = new Set(["read", "glob", "grep", "list"]);

function wholeTool(name: string, kind: RuleKind): Imported {
  const setting = `${name}: ${kind}`;
  if (name === "*") return everything("permission.*", kind);
  if (name === "bash") return commandRule(kind, "*", true, setting);
  if (name === "edit") return pathRule(kind, "write", "**", setting);
  // what only reads is never asked about
  if (READS.has(name)) return kind === "allow" ? together([]) : pathRule(kind, "read", "**", setting);
  if (name === "external_directory" || name === "doom_loop") return leftOver(setting, "it has no counterpart in rules");
  return oneRule(kind, name, setting);
}

function byPattern(name: string, patterns: Record<string, unknown>): Imported {
  const entries = Object.entries(patterns).flatMap(([pattern, kind]) => (isKind(kind) ? [{ pattern, kind }] : []));
  const odd = Object.keys(patterns).filter((pattern) => !isKind(patterns[pattern]));
  return together([
    ...entries.map((entry, index) => patternRule(name, entry, entries.slice(index + 1))),
    ...odd.map((pattern) => leftOver(`${name}: ${pattern}`, "it is none of allow, ask and deny")),
  ]);
}

function patternRule(name: string, { pattern, kind }: Entry, later: readonly Entry[]): Imported {
  const setting = `${name}: ${pattern}: ${kind}`;
  const except = later.filter((each) => MILDER[each.kind] < MILDER[kind]).map((each) => each.pattern);
  if (kind === "ask" && pattern === "*")
    return leftOver(setting, "mode: confirm-sensitive asks about everything that is not safe");
  if (name === "bash") return commandRule(kind, pattern, false, setting, except.length > 0 ? { except } : {});
  if (name === "edit" || name === "read") {
    const action = name === "edit" ? "write" : "read";
    return oneRule(kind, withExceptions(`${action}(${globOf(pattern)})`, except.map(globOf)), setting);
  }
  if (name === "webfetch") return oneRule(kind, withExceptions(`fetch(${pattern})`, except), setting);
  return leftOver(setting, `patterns of ${name} have no counterpart`);
}

const withExceptions = (rule: string, except: readonly string[]) => (except.length > 0 ? { rule, except } : rule);

/** There a star crosses folders. */
const globOf = (pattern: string): string =>
  pattern === "*"
    ? "**"
    : pattern.replace(/^\$HOME(?=\/)/, "~").replace(/(?<!\*)\*$/, (star) => (pattern.endsWith("/*") ? "**" : star));
