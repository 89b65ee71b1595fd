import { type Hunk, isNew, isOld } from "./patch-lines.ts";

/** The file as hunks are held against it: lines without their endings. */
export type Ground = { texts: readonly string[]; trimmed: () => readonly string[] };

/** Where a hunk fits: `exact`, or `loose` if trailing white space does not count. Lines are 0-based. */
export type Fits = { exact: number[]; loose: number[] };

export type Placing =
  | { kind: "placed"; at: number; isLoose: boolean }
  | { kind: "ambiguous"; places: number[] }
  | { kind: "absent" }
  | { kind: "anchorless"; anchor: string }
  | { kind: "unplaceable" };

export const oldTexts = (hunk: Hunk): string[] => hunk.lines.filter(isOld).map(({ text }) => text);
export const newTexts = (hunk: Hunk): string[] => hunk.lines.filter(isNew).map(({ text }) => text);

export function fitsAt(ground: Ground, wanted: readonly string[], at: number, isLoose: boolean): boolean {
  if (at < 0 || at + wanted.length > ground.texts.length) return false;
  const texts = isLoose ? ground.trimmed() : ground.texts;
  return wanted.every((text, index) => {
    // a byte order mark belongs to the file and not to its first line
    const plain = at + index === 0 && text.startsWith("\uFEFF") ? text.slice(1) : text;
    return texts[at + index] === (isLoose ? plain.trimEnd() : plain);
  });
}

export function fitsOf(ground: Ground, wanted: readonly string[], atEnd: boolean): Fits {
  const fits: Fits = { exact: [], loose: [] };
  const last = ground.texts.length - wanted.length;
  const first = wanted[0]?.trimEnd();
  for (let at = atEnd ? Math.max(0, last) : 0; at <= last; at++) {
    if (at > 0 && first !== ground.trimmed()[at]) continue;
    if (fitsAt(ground, wanted, at, false)) fits.exact.push(at);
    else if (fitsAt(ground, wanted, at, true)) fits.loose.push(at);
  }
  return fits;
}

/** One place for every hunk, or why there is none. Numbers decide only where they hit exactly; nothing is guessed. */
export function placeHunks(ground: Ground, hunks: readonly Hunk[]): Placing[] {
  const searches = hunks.map((hunk) => search(ground, hunk));
  let drift = 0;
  for (const each of searches) {
    if (each.placing?.kind === "unplaceable") each.placing = byNumberAlone(ground, each.hunk, drift);
    each.placing ??= byNumber(each, drift);
    if (each.placing?.kind === "placed" && each.stated !== undefined) drift = each.placing.at - each.stated;
  }
  while (searches.some((_, index) => settleByOrder(searches, index)));
  return searches.map(({ placing, places }) => placing ?? { kind: "ambiguous", places });
}

type Search = {
  hunk: Hunk;
  length: number;
  stated: number | undefined;
  places: number[];
  loose: number[];
  isLoose: boolean;
  placing: Placing | undefined;
};

function search(ground: Ground, hunk: Hunk): Search {
  const wanted = oldTexts(hunk);
  const stated = statedIndex(hunk, wanted.length);
  const found: Search = {
    hunk,
    length: wanted.length,
    stated,
    places: [],
    loose: [],
    isLoose: false,
    placing: undefined,
  };
  if (wanted.length === 0) {
    const { length } = ground.texts;
    const isClear = length === 0 || (hunk.atEnd && hunk.stated === undefined);
    return { ...found, placing: isClear ? { kind: "placed", at: length, isLoose: false } : { kind: "unplaceable" } };
  }
  const { exact, loose } = fitsOf(ground, wanted, hunk.atEnd);
  const isLoose = exact.length === 0;
  const anchored = belowAnchors(ground, hunk, isLoose ? loose : exact);
  if (typeof anchored === "string") return { ...found, placing: { kind: "anchorless", anchor: anchored } };
  if (anchored.length === 0) return { ...found, placing: { kind: "absent" } };
  return { ...found, places: anchored, loose, isLoose };
}

/** An empty old side names the line before it. */
function statedIndex({ stated }: Hunk, length: number): number | undefined {
  if (!stated) return undefined;
  if (length === 0) return stated.oldCount === 0 ? stated.old : undefined;
  return Math.max(0, stated.old - 1);
}

/** Without any line to hold against the file only a number that nothing contradicts will do. */
function byNumberAlone(ground: Ground, hunk: Hunk, drift: number): Placing {
  const at = statedIndex(hunk, 0);
  const isClear = at !== undefined && drift === 0 && at <= ground.texts.length;
  if (!isClear || (hunk.atEnd && at !== ground.texts.length)) return { kind: "unplaceable" };
  return { kind: "placed", at, isLoose: false };
}

function byNumber({ stated, places, loose, isLoose }: Search, drift: number): Placing | undefined {
  const expected = stated === undefined ? [] : [...new Set([stated, stated + drift])];
  const rivals = isLoose ? [] : expected.filter((at) => loose.includes(at));
  if (rivals.length > 0 && !expected.some((at) => places.includes(at)))
    return { kind: "ambiguous", places: [...places, ...rivals].sort((one, other) => one - other) };
  const hits = places.length === 1 ? places : expected.filter((at) => places.includes(at));
  return hits.length === 1 ? { kind: "placed", at: hits[0]!, isLoose } : undefined;
}

/** Hunks follow each other in the file as they do in the patch, unless those that are placed show otherwise. */
function settleByOrder(searches: Search[], index: number): boolean {
  const each = searches[index]!;
  if (each.placing) return false;
  const placed = searches.map(({ placing, length }) =>
    placing?.kind === "placed" ? { from: placing.at, to: placing.at + length } : undefined,
  );
  const inOrder = placed.filter((range) => range !== undefined);
  if (inOrder.some((range, at) => at > 0 && range.from < inOrder[at - 1]!.to)) return false;
  const above = placed.slice(0, index).findLast((range) => range !== undefined)?.to ?? 0;
  const below = placed.slice(index + 1).find((range) => range !== undefined)?.from ?? Number.POSITIVE_INFINITY;
  const left = each.places.filter((at) => at >= above && at + each.length <= below);
  if (left.length !== 1) return false;
  each.placing = { kind: "placed", at: left[0]!, isLoose: each.isLoose };
  return true;
}

/** The places that the anchors allow; the anchor itself if the file does not have it. */
function belowAnchors(ground: Ground, { anchors, anchorsBind, lines }: Hunk, places: number[]): number[] | string {
  if (anchors.length === 0 || places.length === 0 || (places.length === 1 && !anchorsBind)) return places;
  const length = lines.filter(isOld).length;
  let regions = [{ from: -1, anchor: "" }];
  for (const anchor of anchors) {
    const found = anchorLines(ground, anchor).filter((at) => regions.some(({ from }) => from < at));
    if (found.length === 0) return anchorsBind ? anchor : places;
    regions = found.map((from) => ({ from, anchor }));
  }
  const below = places.filter((at) => regions.some(({ from }) => from < at + length));
  if (below.length < 2) return anchorsBind || below.length === 1 ? below : places;
  const inside = below.filter((at) => regions.some(({ from }) => isInBlock(ground, from, at)));
  return inside.length === 1 ? inside : anchorsBind ? below : places;
}

function anchorLines(ground: Ground, anchor: string): number[] {
  const bodies = ground.texts.map((text) => text.trim());
  const same = indexesOf(bodies, (body) => body === anchor);
  return same.length > 0
    ? same
    : indexesOf(bodies, (body) => body.startsWith(anchor) && !/^\w/.test(body.slice(anchor.length)));
}

function indexesOf(texts: readonly string[], isMeant: (text: string) => boolean): number[] {
  return texts.flatMap((text, index) => (isMeant(text) ? [index] : []));
}

/** Whether everything from the anchor down to the place is indented deeper than the anchor. */
function isInBlock(ground: Ground, anchor: number, place: number): boolean {
  if (place <= anchor) return false;
  const depth = indentOf(ground.texts[anchor]!);
  return ground.texts
    .slice(anchor + 1, place + 1)
    .every((text) => text.trim() === "" || indentOf(text) > depth || /^\s*[{(]\s*$/.test(text));
}

const indentOf = (text: string): number => text.length - text.trimStart().length;
