import { nearest } from "../../../text/nearest.ts";

/** A "did you mean" question: a name with this prefix, or one with a typo or two. */
export function suggestion(word: string, candidates: readonly string[], prefix = ""): string | undefined {
  if (word === "") return undefined;
  const near = candidates.find((candidate) => candidate.startsWith(word)) ?? nearest(word, candidates, 1)[0];
  return near && `Did you mean ${prefix}${near}?`;
}
