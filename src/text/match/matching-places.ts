import type { Content } from "./file-content.ts";
import { piecesLike } from "./pieces.ts";
import type { Reading } from "./text-readings.ts";
import { type Place, tolerances } from "./tolerance.ts";
import { plainText } from "./typography.ts";
import { wholeLinesLike } from "./whole-lines.ts";

/** The best places for a reading: equally good ones that do not overlap. */
export function placesFor(content: Content, reading: Reading): Place[] {
  if (plainText(reading.old).trim() === "") return [];
  const pieces = reading.wholeLines ? [] : piecesLike(content.text, reading);
  const isGoodEnough = pieces.some(({ forgiven }) => forgiven <= tolerances.endings.bit);
  const places = isGoodEnough ? pieces : [...pieces, ...wholeLinesLike(content, reading)];
  const best = places.reduce((least, { forgiven }) => Math.min(least, forgiven), Number.POSITIVE_INFINITY);
  return withoutOverlaps(places.filter(({ forgiven }) => forgiven === best));
}

function withoutOverlaps(places: Place[]): Place[] {
  let end = -1;
  return places
    .sort((one, other) => one.start - other.start)
    .filter((place) => {
      const isFree = place.start >= end;
      if (isFree) end = place.end;
      return isFree;
    });
}
