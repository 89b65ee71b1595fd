import { commandProblem } from "../../rules/command-pattern.ts";
import { type RuleKind, readRule, type WrittenRule } from "../../rules/rule.ts";
import { wordPatterns } from "./text-patterns.ts";

/** The settings of another client as rules, and what could not be converted. */
export type Imported = {
  readonly allow: readonly WrittenRule[];
  readonly ask: readonly WrittenRule[];
  readonly deny: readonly WrittenRule[];
  readonly leftOver: readonly LeftOver[];
};
export type LeftOver = { readonly setting: string; readonly why: string };

const NOTHING: Imported = { allow: [], ask: [], deny: [], leftOver: [] };

/** Merges them and drops duplicates. */
export function together(pieces: readonly Imported[]): Imported {
  const all = <T>(lists: readonly (readonly T[])[]): T[] => [
    ...new Map(lists.flat().map((each) => [JSON.stringify(each), each])).values(),
  ];
  return {
    allow: all(pieces.map(({ allow }) => allow)),
    ask: all(pieces.map(({ ask }) => ask)),
    deny: all(pieces.map(({ deny }) => deny)),
    leftOver: all(pieces.map(({ leftOver }) => leftOver)),
  };
}

export const leftOver = (setting: string, why: string): Imported => ({ ...NOTHING, leftOver: [{ setting, why }] });

/** A rule, or the reason why it cannot be read. */
export function oneRule(kind: RuleKind, written: WrittenRule, setting: string): Imported {
  const rule = readRule(kind, written);
  return "problem" in rule ? leftOver(setting, rule.problem) : { ...NOTHING, [kind]: [written] };
}

/** A rule for commands, if the pattern is about a single command. With `open`, more words may follow. */
export function commandRule(
  kind: RuleKind,
  command: string,
  open: boolean,
  setting: string,
  more: Omit<Exclude<WrittenRule, string>, "rule"> = {},
): Imported {
  const words = command.trim();
  if (commandProblem(words))
    return leftOver(
      setting,
      "it is about more than one command; a rule is about one, and every command of a line needs its own",
    );
  if ((words === "" || words === "*") && kind === "allow")
    return leftOver(setting, "it allows every command; allow the ones you use, or set mode: yolo if you mean it");
  const whole = words === "" ? "*" : `${words}${open && words !== "*" && !words.endsWith(" *") ? " *" : ""}`;
  // a star in an allow rule matches within one word; a rule that forbids is expanded to match more
  const lines = kind === "allow" || !words.includes("*") ? [whole] : wordPatterns(whole);
  if (lines.length === 0) return leftOver(setting, "it has too many stars");
  return together(
    lines.map((line) =>
      oneRule(kind, Object.keys(more).length > 0 ? { rule: `run(${line})`, ...more } : `run(${line})`, setting),
    ),
  );
}

/** A rule for paths; a single star means all. */
export function pathRule(kind: RuleKind, action: "read" | "write", pattern: string, setting: string): Imported {
  if (kind === "allow" && action === "write" && (pattern === "**" || pattern === "*"))
    return leftOver(setting, "it allows to change every file; allow folders instead, such as write(src/**)");
  return oneRule(kind, `${action}(${pattern === "*" ? "**" : pattern})`, setting);
}

export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((each) => typeof each === "string");
