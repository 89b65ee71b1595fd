import type { Policy } from "../core/contracts/policy.ts";
import type { Change } from "../core/contracts/workspace.ts";
import type { Proposed } from "../core/words/tool.ts";
import { decode } from "../text/decode.ts";
import { newText } from "../text/new-text.ts";
import { compileRegex, type Regex } from "../text/regex.ts";

export type CodeRule = { pattern: string; message: string; severity: "warn" | "block" };
type Rule = CodeRule & { regex: Regex };

const BY = "guardrails";
/** Keeps checking the largest file quick. */
const LONGEST = 1_000_000;

/**
 * Denies, or notes, code that matches a person's patterns. Only text that is new in a file counts. An undo puts back
 * what was there before anybody wrote: that is told, and never refused.
 */
export function codeRules(given: readonly CodeRule[]): Policy {
  const rules = given.map((rule): Rule => ({ ...rule, regex: compileRegex(rule.pattern) }));
  const blocking = rules.filter(({ severity }) => severity === "block");
  const warning = rules.filter(({ severity }) => severity === "warn");
  return {
    name: BY,
    content: true,
    speaksOf: [],
    judge({ changes }) {
      if (rules.length === 0) return undefined;
      const written = changes.filter((change) => !isUndo(change)).flatMap(writtenBy);
      const restored = changes.filter(isUndo).flatMap(writtenBy);
      const long = written.find(({ text }) => text.length > LONGEST);
      const reason = long
        ? blocking.length > 0 && `${long.shown} is too long to check against guardrails.code_rules`
        : said(blocking, written)[0];
      if (reason)
        return {
          answer: "deny",
          by: BY,
          reason: long ? reason : `Code rule blocked by guardrail: ${reason}`,
          next: long ? "Write it in smaller pieces." : "Write it in a way that follows the rule.",
        };
      const told = [...(long ? [] : said(warning, written)), ...said(rules, restored.filter(isShort))];
      const notes = told.map((each) => `[Code rule: ${each}]`);
      return notes.length > 0 ? { by: BY, notes } : undefined;
    },
  };
}

const isUndo = ({ undoes }: Proposed): boolean => undoes !== undefined;
const isShort = ({ text }: Written): boolean => text.length <= LONGEST;

type Written = { shown: string; text: string; isNew: () => Uint8Array };

/** A NUL byte makes a file binary to us, but programs may run it all the same, so its bytes are read as they are. */
const textOf = (bytes: Uint8Array): string => decode(bytes)?.text ?? new TextDecoder("latin1").decode(bytes);

function writtenBy({ place, before, after }: Change): Written[] {
  if (after === null) return [];
  const text = textOf(after);
  let isNew: Uint8Array | undefined;
  return [
    {
      shown: place.shown,
      text,
      isNew: () => {
        isNew ??= newText(before === null ? "" : textOf(before), text);
        return isNew;
      },
    },
  ];
}

function said(rules: readonly Rule[], written: readonly Written[]): string[] {
  return rules.flatMap(({ pattern, message, regex }) =>
    written
      .filter(({ text, isNew }) => regex.test(text, isNew()))
      .map((each) => `${each.shown}${lineOf(regex, each)}: ${message} (pattern: ${pattern})`),
  );
}

/** The first line that matches by itself; empty if only several lines together match. */
function lineOf(regex: Regex, { text, isNew }: Written): string {
  let start = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const end = start + line.length;
    if (regex.test(line, isNew().subarray(start, end))) return `:${index + 1}`;
    start = end + 1;
  }
  return "";
}
