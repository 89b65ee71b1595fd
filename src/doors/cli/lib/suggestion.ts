import { nearest } from "../../../text/nearest.ts";

/** What was probably meant, as a question: a name that begins so, or one a slip or two away. */
export function suggestion(word: string, candidates: readonly string[], prefix = ""): string | undefined {
  if (word === "") return undefined;
  const near = candidates.find((candidate) => candidate.startsWith(word)) ?? nearest(word, candidates, 1)[0];
  return near && `Did you mean ${prefix}${near}?`;
}
