import { splitLines } from "../lines.ts";
import type { Content } from "../match/file-content.ts";
import { placesFor } from "../match/matching-places.ts";
import { namesOf, type Place } from "../match/tolerance.ts";
import { transplanter } from "../match/transplant.ts";
import { TooRepetitive } from "../match/whole-lines.ts";
import { type Hunk, isNew, isOld, type PatchLine } from "./patch-lines.ts";

/** A hunk rewritten to match the file, and how it had differed; or the places (0-based) that it fits equally well. */
export type Loosened = { hunk: Hunk; how: string[] } | { places: number[] };

/**
 * Finds a hunk whose old lines the file does not have literally, with the differences that edits forgive. `allowed`
 * filters the places by the hunk's header.
 */
export function loosen(
  content: Content,
  hunk: Hunk,
  allowed: (places: number[], length: number) => number[],
): Loosened | undefined {
  const text = (lines: PatchLine[]) => lines.map((line) => `${line.text}\n`).join("");
  const reading = {
    old: text(hunk.lines.filter(isOld)),
    new: text(hunk.lines.filter(isNew)),
    how: [],
    wholeLines: true,
  };
  if (hunk.lines.some(({ open }) => open)) return undefined;
  const found = placesOf(content, reading);
  const length = (place: Place) => splitLines(content.text.slice(place.start, place.end)).length;
  const firsts = found.map(({ lines }) => lines!.first);
  const left = firsts.length > 0 ? allowed(firsts, length(found[0]!)) : [];
  if (left.length > 1) return { places: left };
  const place = found.find(({ lines }) => lines!.first === left[0]);
  if (place === undefined) return undefined;
  const own = content.lines().slice(left[0]!, left[0]! + length(place));
  const fresh = splitLines(transplanter(content, reading)(place));
  const lines = marked(own.map(asPatch), fresh.map(asPatch));
  return lines === undefined ? undefined : { hunk: { ...hunk, lines }, how: namesOf(place.forgiven) };
}

function placesOf(content: Content, reading: Parameters<typeof placesFor>[1]): Place[] {
  try {
    return placesFor(content, reading);
  } catch (error) {
    if (error instanceof TooRepetitive) return [];
    throw error;
  }
}

type Row = Omit<PatchLine, "mark">;

const asPatch = ({ text, ending }: { text: string; ending: string }): Row => ({
  text,
  ending: ending === "\r\n" ? "\r\n" : "\n",
});

/** Common beginnings and ends become context; undefined if nothing would change. */
function marked(own: Row[], fresh: Row[]): PatchLine[] | undefined {
  const most = Math.min(own.length, fresh.length);
  let head = 0;
  while (head < most && own[head]!.text === fresh[head]!.text) head++;
  if (head === own.length && head === fresh.length) return undefined;
  let tail = 0;
  while (tail < most - head && own.at(-1 - tail)!.text === fresh.at(-1 - tail)!.text) tail++;
  const row = (mark: PatchLine["mark"]) => (line: Row) => ({ mark, ...line });
  return [
    ...own.slice(0, head).map(row(" ")),
    ...own.slice(head, own.length - tail).map(row("-")),
    ...fresh.slice(head, fresh.length - tail).map(row("+")),
    ...own.slice(own.length - tail).map(row(" ")),
  ];
}
