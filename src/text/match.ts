import type { Edit } from "./decode.ts";
import { type Ending, linesAt } from "./lines.ts";
import { type Content, contentOf } from "./match/file-content.ts";
import { placesFor } from "./match/matching-places.ts";
import { type NearestPlace, nearestPlace } from "./match/nearest-place.ts";
import { type Reading, readingsOf } from "./match/text-readings.ts";
import { namesOf, type Place, tolerances } from "./match/tolerance.ts";
import { transplanter } from "./match/transplant.ts";
import { TooRepetitive } from "./match/whole-lines.ts";

/**
 * `line` is a hint, 1-based, that only chooses between equally good places. With `wholeLines`, parts of lines do not
 * match.
 */
export type Request = { old: string; new: string; all?: boolean; line?: number; wholeLines?: boolean };

/** Lines are those of the text before the replacement; `how` is empty when the match was exact. */
export type Replacement =
  | { kind: "replaced"; text: string; edits: readonly Edit[]; places: { line: number; lines: number }[]; how: string[] }
  | { kind: "missing"; nearest?: NearestPlace }
  | { kind: "ambiguous"; places: number[]; count: number; how: string[] }
  | { kind: "unusable"; why: string };

type Span = { start: number; end: number };

const mostPlacesListed = 10;

/** Replaces one place, or with `all` every equally good one; never a text that differs in substance. */
export function replaceText(content: string, request: Request): Replacement {
  if (request.old === "") return fill(content, request);
  if (request.old === request.new) return { kind: "unusable", why: "The old and the new text are the same." };
  const exact = exactSpans(content, request.old).filter(
    ({ start }) => !request.wholeLines || startsLine(content, start),
  );
  if (exact.length > 0) return replaceExact(content, exact, request);
  try {
    return replaceLoosely(contentOf(content), request);
  } catch (error) {
    if (!(error instanceof TooRepetitive)) throw error;
    const why = "The text does not occur as given, and repeats too often to be found with differences.";
    return { kind: "unusable", why };
  }
}

/** An empty old text matches only an empty file. */
function fill(content: string, { new: text }: Request): Replacement {
  if (content !== "") return { kind: "unusable", why: "The text to replace is empty, and the file is not." };
  if (text === "") return { kind: "unusable", why: "The old and the new text are both empty." };
  return { kind: "replaced", text, edits: [{ start: 0, end: 0, text }], places: [{ line: 1, lines: 0 }], how: [] };
}

function exactSpans(content: string, old: string): Span[] {
  const spans: Span[] = [];
  for (let start = content.indexOf(old); start !== -1; start = content.indexOf(old, start + old.length))
    spans.push({ start, end: start + old.length });
  return spans;
}

const startsLine = (content: string, at: number): boolean => at === 0 || /[\r\n\uFEFF]/.test(content[at - 1]!);

function replaceExact(content: string, spans: Span[], request: Request): Replacement {
  const chosen = choose(content, spans, request);
  if (chosen === undefined) return ambiguous(content, spans, []);
  const edits = chosen.map(({ start, end }) => ({ start, end, text: request.new }));
  // a request that differs only in line endings is meant to change them
  const mayAdapt = request.old.replace(/\r\n?/g, "\n") !== request.new.replace(/\r\n?/g, "\n");
  const adapted = mayAdapt ? edits.map(endingsAdapter(content, request)) : edits;
  const isAdapted = adapted.some(({ start, text }, index) => start !== edits[index]!.start || text !== request.new);
  const placed = adapted.map((edit) => withoutSecondIndent(content, edit, request.old));
  const isMoved = placed.some(({ text }, index) => text !== adapted[index]!.text);
  const how = [...(isAdapted ? [tolerances.endings.name] : []), ...(isMoved ? [tolerances.indentation.name] : [])];
  return replaced(content, placed, how);
}

/**
 * An old text of several lines may lack the indent of its first line, which then stays in the file. If all lines of the
 * new text have that indent, the first line would get it twice.
 */
function withoutSecondIndent(content: string, edit: Edit, old: string): Edit {
  const isSeveral = /[\r\n]./.test(old) && /[\r\n]./.test(edit.text);
  if (!isSeveral || !/^[ \t]/.test(edit.text) || /^\s/.test(old)) return edit;
  const lineStart = Math.max(content.lastIndexOf("\n", edit.start - 1), content.lastIndexOf("\r", edit.start - 1)) + 1;
  const indent = content.slice(lineStart, edit.start);
  const lines = edit.text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const [first] = lines;
  if (first === undefined || !/^[ \t]+$/.test(indent)) return edit;
  const isIndented = edit.text.startsWith(indent) && lines.every((line) => line.startsWith(indent));
  return isIndented && !/^[ \t]/.test(first.slice(indent.length))
    ? { ...edit, text: edit.text.slice(indent.length) }
    : edit;
}

/** Gives an edit the file's line endings: those of the replaced text, else those next to it. */
function endingsAdapter(content: string, { old, new: wanted }: Request): (edit: Edit) => Edit {
  // if either text mixes endings, the difference is intended
  const isUniform = endingsIn(wanted).length <= 1 && endingsIn(old).length <= 1;
  if (!isUniform || !/[\r\n]/.test(content) || !/[\r\n]/.test(old + wanted)) return (edit) => edit;
  const { endingNear } = contentOf(content);
  return (edit) => {
    // the old text may contain only the second half of a "\r\n"
    const start = content[edit.start] === "\n" && content[edit.start - 1] === "\r" ? edit.start - 1 : edit.start;
    const [own = endingNear(edit.end), ...others] = endingsIn(content.slice(start, edit.end));
    // a lone carriage return ends lines only if nothing else does
    const isUnclear = others.length > 0 || (own === "\r" && content.includes("\n"));
    return isUnclear ? edit : { ...edit, start, text: edit.text.replace(/\r\n|\n/g, () => own) };
  };
}

const endingsIn = (text: string): Ending[] => [...new Set(text.match(/\r\n|\n|\r/g) as Ending[] | null)];

function replaceLoosely(content: Content, request: Request): Replacement {
  const groups = readingsOf(request);
  for (const group of groups) {
    const found = bestOf(group.map((reading) => ({ reading, places: placesFor(content, reading) })));
    if (found === undefined) continue;
    const { reading, places } = found;
    const how = [...reading.how, ...namesOf(places[0]!.forgiven)];
    const chosen = choose(content.text, places, request);
    if (chosen === undefined) return ambiguous(content.text, places, how);
    const transplant = transplanter(content, reading);
    const edits = chosen.map((place) => ({ start: place.start, end: place.end, text: transplant(place) }));
    return replaced(content.text, edits, how);
  }
  const readings = groups.flat();
  const nearest = nearestPlace(content, (readings.find((reading) => reading.wholeLines) ?? readings[0]!).old);
  return nearest === undefined ? { kind: "missing" } : { kind: "missing", nearest };
}

function bestOf(found: { reading: Reading; places: Place[] }[]) {
  const hits = found.filter(({ places }) => places.length > 0);
  return hits.sort((one, other) => one.places[0]!.forgiven - other.places[0]!.forgiven)[0];
}

/** All places, or the one that is meant; undefined if that cannot be decided. */
function choose<Each extends Span>(content: string, places: Each[], { all, line }: Request): Each[] | undefined {
  if (all === true || places.length === 1) return places;
  if (line === undefined) return undefined;
  const offsets = places.flatMap(({ start, end }) => [start, Math.max(start, end - 1)]);
  const lines = linesAt(content, offsets);
  const ranked = places
    .map((place, index) => ({ place, away: distance(line, lines[2 * index]!, lines[2 * index + 1]!) }))
    .sort((one, other) => one.away - other.away);
  const [first, second] = ranked;
  // a line number that is slightly off still decides; one between two places does not
  return first!.away < second!.away && 2 * first!.away <= second!.away ? [first!.place] : undefined;
}

/** The distance of a line from a place in lines; 0 within it. */
const distance = (line: number, first: number, last: number): number => Math.max(0, first - line, line - last);

function ambiguous(content: string, spans: Span[], how: string[]): Replacement {
  const starts = spans.slice(0, mostPlacesListed).map(({ start }) => start);
  return { kind: "ambiguous", places: linesAt(content, starts), count: spans.length, how };
}

function replaced(content: string, edits: Edit[], how: string[]): Replacement {
  let text = "";
  let at = 0;
  let isChanged = false;
  for (const edit of edits) {
    isChanged ||= content.slice(edit.start, edit.end) !== edit.text;
    // the engine joins the pieces lazily, which for one edit is cheaper than an explicit join
    text += content.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  text += content.slice(at);
  const offsets: number[] = [];
  for (const { start, end } of edits) offsets.push(start, end - 1);
  const lines = linesAt(content, offsets);
  if (!isChanged) return { kind: "unusable", why: `Line ${lines[0]} already is as the new text wants it.` };
  const places = edits.map((_, index) => ({
    line: lines[2 * index]!,
    lines: lines[2 * index + 1]! - lines[2 * index]! + 1,
  }));
  return { kind: "replaced", text, edits, places, how };
}
