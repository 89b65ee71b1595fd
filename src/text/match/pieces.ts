import type { Reading } from "./text-readings.ts";
import { type Place, tolerances } from "./tolerance.ts";
import { hasTypography, plainMark, typographicMarks } from "./typography.ts";

const changed = new RegExp(`\\r\\n?|${typographicMarks}`, "g");

/** Pieces of text, also within lines, that differ at most in line endings and typography. */
export function piecesLike(text: string, { old, how }: Reading): Place[] {
  const { canonical, toOriginal } = canonicalOf(text);
  const wanted = canonicalOf(old).canonical;
  // punctuation alone is too little to recognize a place by, unless it matches literally
  const hasWord = /[\p{L}\p{N}]/u.test(old);
  const places: Place[] = [];
  for (let at = canonical.indexOf(wanted); at !== -1; at = canonical.indexOf(wanted, at + wanted.length)) {
    const start = toOriginal(at);
    const end = toOriginal(at + wanted.length);
    if (start === undefined || end === undefined) continue;
    const forgiven = forgivenIn(text.slice(start, end), old);
    const isLiteral = how.length === 0 && (forgiven & tolerances.typography.bit) === 0;
    if (hasWord || isLiteral) places.push({ start, end, forgiven });
  }
  return places;
}

function forgivenIn(piece: string, old: string): number {
  if (piece === old) return 0;
  const endings = (text: string) => text.match(/\r\n?|\n/g)?.join(" ");
  const withFeeds = (text: string) => text.replace(/\r\n?/g, "\n");
  const endingsDiffer = endings(piece) === endings(old) ? 0 : tolerances.endings.bit;
  const marksDiffer = withFeeds(piece) === withFeeds(old) ? 0 : tolerances.typography.bit;
  return endingsDiffer | marksDiffer;
}

type Canonical = { canonical: string; toOriginal: (offset: number) => number | undefined };

/** The text with "\n" and plain punctuation, and a map back; an offset inside a replacement maps to undefined. */
function canonicalOf(text: string): Canonical {
  if (!text.includes("\r") && !hasTypography(text)) return { canonical: text, toOriginal: (offset) => offset };
  const ends: number[] = [];
  const lengths: number[] = [];
  const originalEnds: number[] = [];
  let growth = 0;
  const canonical = text.replace(changed, (found, offset: number) => {
    const replacement = found.startsWith("\r") ? "\n" : plainMark(found);
    if (replacement.length !== found.length) {
      ends.push(offset + growth + replacement.length);
      lengths.push(replacement.length);
      originalEnds.push(offset + found.length);
      growth += replacement.length - found.length;
    }
    return replacement;
  });
  const toOriginal = (offset: number): number | undefined => {
    const next = countUpTo(ends, offset);
    if (next < ends.length && offset > ends[next]! - lengths[next]!) return undefined;
    return next === 0 ? offset : originalEnds[next - 1]! + offset - ends[next - 1]!;
  };
  return { canonical, toOriginal };
}

function countUpTo(ascending: number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
