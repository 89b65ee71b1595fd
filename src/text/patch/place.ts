import { once } from "../match/file-content.ts";
import { plainText } from "../match/typography.ts";
import { type Hunk, isNew, isOld } from "./patch-lines.ts";

/** The file that hunks are compared to: lines without endings, and lazily computed indexes. */
export type Ground = {
  texts: readonly string[];
  trimmed: () => readonly string[];
  /** The positions of each line, ignoring trailing white space. */
  index: () => ReadonlyMap<string, number[]>;
};

/** Where a hunk fits: `exact`, or `loose` if trailing white space is ignored. Lines are 0-based. */
export type Fits = { exact: number[]; loose: number[] };

export type Placing =
  | { kind: "placed"; at: number; isLoose: boolean; isAppended?: true }
  | { kind: "ambiguous"; places: number[] }
  | { kind: "absent" }
  | { kind: "anchorless"; anchor: string }
  | { kind: "unplaceable" };

/** If it fits in more places than this, only a line number can still decide. */
const mostPlaces = 1000;
const mostRounds = 20;

export const oldTexts = (hunk: Hunk): string[] => hunk.lines.filter(isOld).map(({ text }) => text);
export const newTexts = (hunk: Hunk): string[] => hunk.lines.filter(isNew).map(({ text }) => text);

export function fitsAt(ground: Ground, wanted: readonly string[], at: number, isLoose: boolean): boolean {
  const texts = isLoose ? ground.trimmed() : ground.texts;
  return wanted.every((text, index) => {
    // a byte order mark belongs to the file, not to its first line
    const plain = at + index === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
    return texts[at + index] === (isLoose ? plain.trimEnd() : plain);
  });
}

export function groundOf(texts: readonly string[]): Ground {
  const trimmed = once(() => texts.map((text) => text.trimEnd()));
  const index = once(() => {
    const found = new Map<string, number[]>();
    for (const [at, text] of trimmed().entries()) {
      const places = found.get(text);
      if (places) places.push(at);
      else found.set(text, [at]);
    }
    return found;
  });
  return { texts, trimmed, index };
}

/** Returns at most `mostPlaces` of each kind. */
export function fitsOf(ground: Ground, wanted: readonly string[], atEnd: boolean): Fits {
  const fits: Fits = { exact: [], loose: [] };
  const last = ground.texts.length - wanted.length;
  for (const at of atEnd ? [last] : candidates(ground, wanted)) {
    if (fits.exact.length === mostPlaces) break;
    if (fitsAt(ground, wanted, at, false)) fits.exact.push(at);
    else if (fits.loose.length < mostPlaces && fitsAt(ground, wanted, at, true)) fits.loose.push(at);
  }
  return fits;
}

/** The places that the rarest of the lines suggests for all of them. */
function* candidates(ground: Ground, wanted: readonly string[]): Generator<number> {
  let rarest: { at: number; places: number[] } | undefined;
  for (const [at, text] of wanted.entries()) {
    const places = ground.index().get(text.trimEnd()) ?? [];
    if (!rarest || places.length < rarest.places.length) rarest = { at, places };
  }
  const { at = 0, places = [] } = rarest ?? {};
  // the first line may be written with the file's byte order mark
  const mayBeMarked = wanted[0]?.startsWith("\uFEFF") ?? false;
  if (mayBeMarked) yield 0;
  for (const place of places) if (place !== at || !mayBeMarked) yield place - at;
}

/** Finds one place for every hunk, or why there is none. Numbers decide only if exact; nothing is guessed. */
export function placeHunks(ground: Ground, hunks: readonly Hunk[]): Placing[] {
  const searches = hunks.map((hunk) => search(ground, hunk));
  let drift = 0;
  for (const each of searches) {
    if (each.placing?.kind === "unplaceable") each.placing = byNumberAlone(ground, each.hunk, drift);
    each.placing ??= byNumber(ground, each, drift) ?? byHeading(ground, each);
    if (each.placing?.kind === "placed" && each.stated !== undefined) drift = each.placing.at - each.stated;
  }
  for (let round = 0; round < mostRounds && settleByOrder(searches); round++);
  return searches.map(({ placing, places }) => placing ?? { kind: "ambiguous", places });
}

type Search = {
  hunk: Hunk;
  wanted: string[];
  stated: number | undefined;
  /** Where it may go; all exact, or all loose. */
  places: number[];
  isLoose: boolean;
  placing: Placing | undefined;
};

function search(ground: Ground, hunk: Hunk): Search {
  const wanted = oldTexts(hunk);
  const stated = statedIndex(hunk, wanted.length);
  const found: Search = { hunk, wanted, stated, places: [], isLoose: false, placing: undefined };
  if (wanted.length === 0) {
    const { length } = ground.texts;
    const isClear = length === 0 || (hunk.atEnd && hunk.stated === undefined);
    if (isClear) return { ...found, placing: { kind: "placed", at: length, isLoose: false } };
    // a bare @@ names no place, so the end is meant
    const isBare = hunk.anchorsBind && hunk.anchors.length === 0 && hunk.stated === undefined;
    if (!isBare) return { ...found, placing: { kind: "unplaceable" } };
    return { ...found, placing: { kind: "placed", at: length, isLoose: false, isAppended: true } };
  }
  const { exact, loose } = fitsOf(ground, wanted, hunk.atEnd);
  const isLoose = exact.length === 0;
  const places = isLoose ? loose : exact;
  if (places.length === 0) return { ...found, placing: { kind: "absent" } };
  if (!hunk.anchorsBind) return { ...found, places, isLoose };
  const anchored = belowAnchors(ground, hunk.anchors, wanted.length, places);
  if (typeof anchored === "string") return { ...found, placing: { kind: "anchorless", anchor: anchored } };
  return { ...found, places: anchored, isLoose, placing: anchored.length === 0 ? { kind: "absent" } : undefined };
}

/** An empty old side names the line before it. */
function statedIndex({ stated }: Hunk, length: number): number | undefined {
  if (!stated) return undefined;
  if (length === 0) return stated.oldCount === 0 ? stated.old : undefined;
  return Math.max(0, stated.old - 1);
}

/** Without any old line to compare, only a number that nothing contradicts will do. */
function byNumberAlone(ground: Ground, hunk: Hunk, drift: number): Placing {
  const at = statedIndex(hunk, 0) ?? Number.POSITIVE_INFINITY;
  const isClear = drift === 0 && at <= ground.texts.length;
  if (!isClear || (hunk.atEnd && at !== ground.texts.length)) return { kind: "unplaceable" };
  return { kind: "placed", at, isLoose: false };
}

function byNumber(
  ground: Ground,
  { stated, places, isLoose, wanted, hunk }: Search,
  drift: number,
): Placing | undefined {
  const isAllowed = (at: number) => (hunk.anchorsBind ? places.includes(at) : !hunk.atEnd);
  const expected = stated === undefined ? [] : [...new Set([stated, stated + drift])].filter(isAllowed);
  const hits = expected.filter((at) => fitsAt(ground, wanted, at, isLoose));
  if (places.length > 1) return hits.length === 1 ? { kind: "placed", at: hits[0]!, isLoose } : undefined;
  // an exact match and a loose match at the stated line are two candidates
  const rivals = hits.length > 0 ? [] : expected.filter((at) => fitsAt(ground, wanted, at, true));
  if (rivals.length === 0) return { kind: "placed", at: places[0]!, isLoose };
  return { kind: "ambiguous", places: [...places, ...rivals].sort((one, other) => one - other) };
}

/** The heading after the numbers names a part of the file; it counts if it leaves one place. */
function byHeading(ground: Ground, { hunk, wanted, places, isLoose }: Search): Placing | undefined {
  if (places.length === mostPlaces) return undefined;
  const anchored = belowAnchors(ground, hunk.anchors, wanted.length, places);
  return typeof anchored !== "string" && anchored.length === 1
    ? { kind: "placed", at: anchored[0]!, isLoose }
    : undefined;
}

/**
 * Hunks come in the same order in the file as in the patch, unless those already placed show otherwise. Returns whether
 * that decided any.
 */
function settleByOrder(searches: readonly Search[]): boolean {
  const ranges = searches.map(({ placing, wanted }) =>
    placing?.kind === "placed" ? { from: placing.at, to: placing.at + wanted.length } : undefined,
  );
  const known = ranges.filter((range) => range !== undefined);
  if (known.some((range, index) => index > 0 && range.from < known[index - 1]!.to)) return false;
  const starts: number[] = [];
  for (let index = searches.length - 1, next = Number.POSITIVE_INFINITY; index >= 0; index--) {
    starts[index] = next;
    next = ranges[index]?.from ?? next;
  }
  let end = 0;
  let hasSettled = false;
  for (const [index, each] of searches.entries()) {
    if (!each.placing && each.places.length < mostPlaces) {
      const left = each.places.filter((at) => at >= end && at + each.wanted.length <= starts[index]!);
      if (left.length === 1) {
        each.placing = { kind: "placed", at: left[0]!, isLoose: each.isLoose };
        hasSettled = true;
      }
    }
    if (each.placing?.kind === "placed") end = each.placing.at + each.wanted.length;
  }
  return hasSettled;
}

/** Of equally good places, those that the hunk's header allows; its line number decides if it is one of them. */
export function narrowed(ground: Ground, hunk: Hunk, length: number, places: number[]): number[] {
  const atEnd = places.filter((at) => !hunk.atEnd || at + length === ground.texts.length);
  const anchored = belowAnchors(ground, hunk.anchors, length, atEnd);
  const below = typeof anchored === "string" ? [] : anchored;
  if (hunk.anchorsBind) return byStated(hunk, length, below);
  const left = byStated(hunk, length, atEnd);
  return left.length > 1 && below.length === 1 ? below : left;
}

function byStated(hunk: Hunk, length: number, places: number[]): number[] {
  const stated = statedIndex(hunk, length);
  const hit = places.filter((at) => at === stated);
  return hit.length > 0 ? hit : places;
}

/** The places that the anchors allow; the anchor itself if the file does not contain it. */
function belowAnchors(ground: Ground, anchors: readonly string[], length: number, places: number[]): number[] | string {
  let tops = [-1];
  for (const anchor of anchors) {
    const found = anchorLines(ground, anchor).filter((at) => tops[0]! < at);
    if (found.length === 0) return anchor;
    tops = found;
  }
  const below = places.filter((at) => tops[0]! < at + length);
  if (anchors.length === 0) return below;
  const inside = below.filter((at) => tops.some((top) => isInBlock(ground, top, at)));
  return inside.length === 1 ? inside : below;
}

function anchorLines(ground: Ground, anchor: string): number[] {
  const own = ground.index().get(anchor);
  if (own) return own;
  const bodies = ground.trimmed().map((text) => text.trimStart());
  const same = indexesOf(bodies, (body) => body === anchor);
  if (same.length > 0) return same;
  const begun = indexesOf(bodies, (body) => body.startsWith(anchor) && !/^\w/.test(body.slice(anchor.length)));
  if (begun.length > 0) return begun;
  const plain = plainText(anchor);
  return indexesOf(bodies, (body) => plainText(body) === plain);
}

function indexesOf(texts: readonly string[], isMeant: (text: string) => boolean): number[] {
  return texts.flatMap((text, index) => (isMeant(text) ? [index] : []));
}

/** Whether everything from the anchor to the place is indented deeper than the anchor. */
function isInBlock(ground: Ground, anchor: number, place: number): boolean {
  if (place <= anchor) return false;
  const depth = indentOf(ground.texts[anchor]!);
  for (let at = anchor + 1; at <= place; at++) {
    const text = ground.texts[at]!;
    if (text.trim() !== "" && indentOf(text) <= depth && !/^\s*[{(]\s*$/.test(text)) return false;
  }
  return true;
}

const indentOf = (text: string): number => text.length - text.trimStart().length;
