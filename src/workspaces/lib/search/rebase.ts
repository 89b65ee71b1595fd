import { Automaton } from "./automaton.ts";
import { byteString } from "./rule-globs.ts";
import { type RuleLine, ruleLines, rulesOf } from "./rule-lines.ts";

/**
 * What is left of a path pattern below a folder: from `a/b`, `a`, `**`, `c` becomes `**`, `c`. A pattern that names the
 * folder itself or one above it leaves nothing, because the caller asked for that folder.
 */
export function rebase(
  pattern: readonly string[],
  folder: readonly string[],
  isMatch: (part: string, name: string) => boolean,
): string[][] {
  // tracks all possible positions at once: following each alternative alone is exponential with many stars
  let next = new Set([0]);
  for (const name of folder) {
    const after = new Set<number>();
    for (const at of next) {
      const part = pattern[at];
      if (part === "**") {
        after.add(at);
        next.add(at + 1);
      } else if (part !== undefined && isMatch(part, name)) after.add(at + 1);
    }
    next = after;
  }
  return [...next].filter((at) => at < pattern.length).map((at) => pattern.slice(at));
}

const fits = (part: string, name: string): boolean =>
  new Automaton(rulesOf(`/${part}`)).verdict(byteString(name), true) !== undefined;

function written({ isNegated, isAnchored, glob, onlyFolders }: RuleLine): string {
  const mark = isNegated ? "!" : !isAnchored && /^[!#]/.test(glob) ? "\\" : "";
  return `${mark}${isAnchored ? "/" : ""}${glob}${onlyFolders ? "/" : ""}`;
}

/** The lines of a .gitignore, rewritten as they would stand in a folder below it. */
export const rebaseRules = (text: string, folder: readonly string[]): string =>
  ruleLines(text)
    .flatMap((line) => {
      if (!line.isAnchored) return [line];
      return rebase(line.glob.split("/"), folder, fits).map((rest) => ({ ...line, glob: rest.join("/") }));
    })
    .map(written)
    .join("\n");
