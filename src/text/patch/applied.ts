import { type Hunk, isOld } from "./patch-lines.ts";
import { fitsAt, fitsOf, type Ground, newTexts, oldTexts, type Placing } from "./place.ts";

/** The number of unchanged lines at both ends of a hunk. */
export function contextOf({ lines }: Hunk): { above: number; below: number } {
  const isChange = ({ mark }: { mark: string }) => mark !== " ";
  return { above: lines.findIndex(isChange), below: lines.length - 1 - lines.findLastIndex(isChange) };
}

/** The line (0-based) at which the file already reads as the hunk wants it; undefined if it has yet to be applied. */
export function appliedAt(ground: Ground, hunk: Hunk, placing: Placing): number | undefined {
  if (placing.kind === "placed")
    return doubledAt(ground, hunk, placing.at) ?? (placing.isAppended ? appendedAt(ground, hunk) : undefined);
  if (placing.kind !== "absent") return undefined;
  const fresh = newTexts(hunk);
  if (fresh.length === 0) return undefined;
  const { exact, loose } = fitsOf(ground, fresh, hunk.atEnd);
  const places = [...exact, ...loose];
  const { stated } = hunk;
  if (stated && places.includes(stated.new - 1)) return stated.new - 1;
  const addsWords = hunk.lines.some(({ mark, text }) => mark === "+" && hasWord(text));
  return addsWords && places.length === 1 ? places[0] : undefined;
}

/** Lines that belong at the end of the file may be there already. */
function appendedAt(ground: Ground, hunk: Hunk): number | undefined {
  const fresh = newTexts(hunk);
  const at = ground.texts.length - fresh.length;
  return fresh.some(hasWord) && fitsAt(ground, fresh, at, true) ? at : undefined;
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Text that was only added next to other text fits again after it was added. Between two lines of context it does not,
 * and at an end of the file there is no room for it.
 */
function doubledAt(ground: Ground, hunk: Hunk, at: number): number | undefined {
  const { above, below } = contextOf(hunk);
  const [old, fresh] = [oldTexts(hunk), newTexts(hunk)];
  const grown = fresh.length - old.length;
  if (grown <= 0 || (above > 0 && below > 0)) return undefined;
  const same = (shift: number) => old.every((text, index) => text === fresh[index + shift]);
  const shifts: number[] = [];
  if (below === 0 && same(0)) shifts.push(0);
  if (above === 0 && old.length > 0 && same(grown)) shifts.push(grown);
  if (!hunk.lines.some(({ mark }) => mark === "-")) shifts.push(Math.max(0, hunk.lines.findIndex(isOld)));
  const shift = shifts.find((each) => fitsAt(ground, fresh, at - each, true));
  return shift === undefined ? undefined : at - shift;
}
