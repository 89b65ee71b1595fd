import { spellingsOf } from "./spellings.ts";

export const GONE = "[redacted]";

/** Removes known secrets: a server may send back what it was sent, verbatim or encoded. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.length === 0 ? text : text.replace(patternOf(secrets).pattern, GONE);

/** At each position the longest secret matches. */
export function patternOf(secrets: readonly string[]): { readonly pattern: RegExp; readonly longest: number } {
  const spellings = secrets
    .filter((secret) => secret !== "")
    .flatMap(spellingsOf)
    .sort((a, b) => b.length - a.length);
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  // an empty alternation would match everywhere
  const source = spellings.length === 0 ? "(?!)" : spellings.map(literal).join("|");
  return { pattern: new RegExp(source, "g"), longest: spellings[0]?.length ?? 1 };
}
