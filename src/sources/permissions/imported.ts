import { commandProblem } from "../../rules/command-pattern.ts";
import { type RuleKind, readRule, type WrittenRule } from "../../rules/rule.ts";
import { wordPatterns } from "./text-patterns.ts";

/** What somebody's settings of another client become, and what of them could not be carried over. */
export type Imported = {
  readonly allow: readonly WrittenRule[];
  readonly ask: readonly WrittenRule[];
  readonly deny: readonly WrittenRule[];
  readonly leftOver: readonly LeftOver[];
};
export type LeftOver = { readonly setting: string; readonly why: string };

const NOTHING: Imported = { allow: [], ask: [], deny: [], leftOver: [] };

/** All of these together; what is said twice is kept once. */
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

/** A rule, if it can be read; else the reason why not. */
export function oneRule(kind: RuleKind, written: WrittenRule, setting: string): Imported {
  const rule = readRule(kind, written);
  return "problem" in rule ? leftOver(setting, rule.problem) : { ...NOTHING, [kind]: [written] };
}

/** A rule for commands, if the pattern is about one command. `open`: more words may follow. */
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
  // what is allowed is held to single words, what is forbidden is not
  const lines = kind === "allow" || !words.includes("*") ? [whole] : wordPatterns(whole);
  if (lines.length === 0) return leftOver(setting, "it has too many stars");
  return together(
    lines.map((line) =>
      oneRule(kind, Object.keys(more).length > 0 ? { rule: `run(${line})`, ...more } : `run(${line})`, setting),
    ),
  );
}

/** A rule for paths; a star alone means all. */
export function pathRule(kind: RuleKind, action: "read" | "write", pattern: string, setting: string): Imported {
  if (kind === "allow" && action === "write" && (pattern === "**" || pattern === "*"))
    return leftOver(setting, "it allows to change every file; allow folders instead, such as write(src/**)");
  return oneRule(kind, `${action}(${pattern === "*" ? "**" : pattern})`, setting);
}

export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((each) => typeof each === "string");
