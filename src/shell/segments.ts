import type { Claim } from "../core/words/touch.ts";
import { isStricter, LIMITS, riskier, type Segment, textAt, type Walk } from "./walk.ts";

const sameWords = (a: Segment["words"], b: Segment["words"]): boolean =>
  a.length === b.length && a.every((word, index) => word === b[index]);

/** The touches that are not among the known ones. */
const unseenIn = (touches: readonly Claim[], known: readonly Claim[]): readonly Claim[] => {
  if (touches.length === 0 || touches === known) return NONE;
  return touches.filter((touch) => !known.some((each) => each === touch || isSameClaim(each, touch)));
};

const targetOf = (claim: Claim): string | undefined => ("target" in claim ? claim.target : undefined);
/** Compares targets before the rest, because targets tell most claims apart. */
const isSameClaim = (a: Claim, b: Claim): boolean => {
  if (a.action === "unknown" && b.action === "unknown") return a.permissions.join() === b.permissions.join();
  return a.action === b.action && targetOf(a) === targetOf(b) && JSON.stringify(a) === JSON.stringify(b);
};

const NONE: readonly Claim[] = [];

/** What `splice` does, without the list of what it removes. */
const insert = (segments: Segment[], segment: Segment, at: number): void => {
  segments.push(segment);
  for (let index = segments.length - 1; index > at; index--) segments[index] = segments[index - 1] as Segment;
  segments[at] = segment;
};

/** Judging the same command again with other values only adds to what is known about it. */
export const record = (walk: Walk, segment: Segment, at: number): void => {
  const known =
    walk.choice === 0 && walk.again === 0
      ? undefined
      : walk.segments.find((each) => each.text === segment.text && each.program === segment.program);
  if (known === undefined) {
    if (walk.segments.length >= LIMITS.segments) walk.exceeded = true;
    else if (walk.segments.length === 0) walk.segments = [segment];
    else insert(walk.segments, segment, at);
    return;
  }
  if (isStricter(segment.class, known.class)) {
    known.class = segment.class;
    known.rule = segment.rule;
  }
  known.risk = riskier(known.risk, segment.risk);
  known.plain &&= segment.plain && sameWords(known.words, segment.words);
  const unseen = unseenIn(segment.touches, known.touches);
  // the list may be shared
  if (unseen.length > 0) known.touches = [...known.touches, ...unseen];
};

export type Place = { pos: number; end: number };

/** Records a part of the line that is not a command by itself. */
export const note = (
  walk: Walk,
  node: Place,
  kind: Segment["class"],
  rule: string,
  touches: Segment["touches"] = [],
  risk: Segment["risk"] = kind === "blocked" ? "high" : kind === "dangerous" ? "medium" : "low",
): void =>
  record(
    walk,
    { text: textAt(walk, node), program: undefined, words: [], plain: false, class: kind, risk, rule, touches },
    walk.segments.length,
  );
