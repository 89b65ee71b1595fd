import type { Rule } from "./automaton.ts";
import { ruleGlob } from "./rule-globs.ts";

const BLANKS =
  /(?<![\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

/** A parsed line of a .gitignore; `glob` is without the surrounding marks. */
export type RuleLine = { isNegated: boolean; isAnchored: boolean; glob: string; onlyFolders: boolean };

/** The lines that are rules. Trailing blanks count only if they are escaped. */
export function ruleLines(text: string): RuleLine[] {
  const lines = text.replace(/^\ufeff+/, "").split(/\r?\n/);
  return lines
    .filter((line) => !line.startsWith("#"))
    .map((line) => (line.endsWith("\\ ") ? line : line.replace(BLANKS, "")))
    .filter((line) => line !== "")
    .map(takenApart);
}

function takenApart(line: string): RuleLine {
  const [, mark = "", slash = "", body = ""] = /^(\\(?=[!#])|!?)(\/?)(.*)$/s.exec(line) ?? [];
  const onlyFolders = body.endsWith("/");
  const glob = body.replace(/\\?\/$/, "");
  return { isNegated: mark === "!", isAnchored: slash === "/" || glob.includes("/"), glob, onlyFolders };
}

export function rulesOf(text: string): Rule[] {
  return ruleLines(text).flatMap(({ isNegated, isAnchored, glob, onlyFolders }) => {
    const steps = ruleGlob(isAnchored ? glob : `**/${glob}`);
    return steps ? [{ steps, isNegated, onlyFolders }] : [];
  });
}
