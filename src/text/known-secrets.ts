import { spellingsOf } from "./spellings.ts";

export const GONE = "[redacted]";

/** Takes out secrets whose text is known: a server may send back what it was sent, as it is or encoded. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.length === 0 ? text : text.replace(patternOf(secrets).pattern, GONE);

/** Of those that begin at one place the longest is found. */
export function patternOf(secrets: readonly string[]): { readonly pattern: RegExp; readonly longest: number } {
  const spellings = secrets
    .filter((secret) => secret !== "")
    .flatMap(spellingsOf)
    .sort((a, b) => b.length - a.length);
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  // nothing matches where there is nothing to look for
  const source = spellings.length === 0 ? "(?!)" : spellings.map(literal).join("|");
  return { pattern: new RegExp(source, "g"), longest: spellings[0]?.length ?? 1 };
}
