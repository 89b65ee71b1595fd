import { dominantEnding, type Line, splitLines } from "../lines.ts";
import { type Content, contentOf } from "../match/file-content.ts";
import { nearestPlace } from "../match/nearest-place.ts";
import { appliedAt, contextOf } from "./applied.ts";
import { loosen } from "./loosen.ts";
import { type Hunk, isNew, isOld } from "./patch-lines.ts";
import { fitsOf, type Ground, groundOf, narrowed, oldTexts, type Placing, placeHunks } from "./place.ts";
import { type PlacedHunk, splice } from "./splice.ts";

export type HunkProblem = {
  /** The hunk's number within its file, 1-based. */
  hunk: number;
  kind: "absent" | "ambiguous" | "unanchored" | "unplaceable" | "overlapping" | "applied";
  message: string;
  detail?: string;
};

/**
 * `how` lists harmless differences between file and patch; `places` has the first line of each hunk, 1-based;
 * `appended` has the numbers of hunks that were put at the end because they name no place.
 */
export type Patched =
  | { text: string; how: string[]; places: number[]; appended: number[] }
  | { problems: HunkProblem[] };

const mostPlaces = 8;
const mostNearest = 5;
/** How many lines may be examined to find hunks with differences, for all hunks together. */
const mostLooked = 20_000_000;

/** Applies all hunks or none. A hunk goes where its old lines are, if that is one place. Nothing else is changed. */
export function applyPatch(content: string, hunks: readonly Hunk[]): Patched {
  const hasMark = content.startsWith("\uFEFF");
  const body = hasMark ? content.slice(1) : content;
  const patched = applyTo(body, fileLines(body, hunks), hunks, hasMark);
  const mayEndByCarriage = "problems" in patched && /\r(?!\n)/.test(body) && !hasCarriage(hunks);
  const other = mayEndByCarriage ? applyTo(body, splitLines(body), hunks, hasMark) : patched;
  return "problems" in other ? patched : other;
}

function applyTo(body: string, lines: Line[], given: readonly Hunk[], hasMark: boolean): Patched {
  const ground = groundOf(lines.map(({ text }) => text));
  const whole = contentOf(body);
  const { hunks, placings, how: forgiven } = placed(ground, given, whole);
  const problems: HunkProblem[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const near = problems.length < mostNearest ? whole : undefined;
    problems.push(...problemOf(ground, hunk, index + 1, placings[index]!, near));
  }
  if (problems.length > 0) return { problems };
  const sure = placings.filter((placing) => placing.kind === "placed");
  const ranges = hunks
    .map((hunk, index) => ({ hunk, number: index + 1, ...rangeOf(hunk, sure[index]!.at) }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  const overlapping = overlap(ranges);
  if (overlapping) return { problems: [overlapping] };
  const { text, how } = splice(lines, ranges, { hasMark, ending: dominantEnding(body) });
  const isLoose = sure.some((placing) => placing.isLoose);
  const places = sure.map(({ at }) => at + 1);
  const appended = sure.flatMap(({ isAppended }, index) => (isAppended ? [index + 1] : []));
  const differs = new Set([...how, ...forgiven, ...(isLoose ? ["trailing white space"] : [])]);
  return { text, how: [...differs], places, appended };
}

/** Places each hunk. One that is not found as it stands is searched with the differences that edits forgive. */
function placed(ground: Ground, given: readonly Hunk[], whole: Content) {
  const hunks = [...given];
  const how: string[] = [];
  const first = placeHunks(ground, hunks);
  const several = new Map<number, Placing>();
  let hasLoosened = false;
  let looked = 0;
  for (const [index, hunk] of given.entries()) {
    const isLost = first[index]!.kind === "absent" && appliedAt(ground, hunk, first[index]!) === undefined;
    if (!isLost || looked > mostLooked || whole.lines().length !== ground.texts.length) continue;
    looked += ground.texts.length;
    const found = loosen(whole, hunk, (places, length) => narrowed(ground, hunk, length, places));
    if (found === undefined) continue;
    if ("places" in found) several.set(index, { kind: "ambiguous", places: found.places });
    else {
      hunks[index] = found.hunk;
      how.push(...found.how);
      hasLoosened = true;
    }
  }
  const placings = (hasLoosened ? placeHunks(ground, hunks) : first).map((each, index) => several.get(index) ?? each);
  return { hunks, placings, how };
}

/** As in a patch, only "\n" ends a line, unless the file has none. */
function fileLines(body: string, hunks: readonly Hunk[]): Line[] {
  const isOldStyle = !body.includes("\n") && !hasCarriage(hunks);
  if (isOldStyle) return splitLines(body);
  const lines: Line[] = [];
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf("\n", start);
    const end = feed === -1 ? body.length : feed;
    const ending = feed === -1 ? "" : body[feed - 1] === "\r" ? "\r\n" : "\n";
    lines.push({ start, text: body.slice(start, ending === "\r\n" ? end - 1 : end), ending });
    start = end + 1;
  }
  return lines;
}

const hasCarriage = (hunks: readonly Hunk[]): boolean =>
  hunks.some(({ lines }) => lines.some(({ text }) => text.includes("\r")));

function rangeOf(hunk: Hunk, at: number): Omit<PlacedHunk, "hunk"> & { end: number } {
  const { above, below } = contextOf(hunk);
  const end = at + hunk.lines.filter(isOld).length;
  return { at, from: at + above, to: end - below, end };
}

/** Two hunks may share lines that neither changes. */
function overlap(placed: readonly (PlacedHunk & { number: number; end: number })[]): HunkProblem | undefined {
  const byStart = [...placed].sort((one, other) => one.at - other.at);
  for (const [index, one] of byStart.entries()) {
    for (let next = index + 1; next < byStart.length && byStart[next]!.at <= one.end; next++) {
      const other = byStart[next]!;
      if (!cuts(one, other) && !cuts(other, one)) continue;
      const [first, second] = [one.number, other.number].sort((low, high) => low - high);
      return {
        hunk: second!,
        kind: "overlapping",
        message: `hunks ${first} and ${second} change the same lines (near line ${other.from + 1} of the file)`,
      };
    }
  }
  return undefined;
}

type Range = { at: number; from: number; to: number; end: number };

/** Whether what `one` changes lies within `other`, including its unchanged lines. */
function cuts(one: Range, other: Range): boolean {
  if (one.from < one.to) return one.from < other.end && other.at < one.to;
  const isSamePoint = other.from === other.to && one.from === other.from;
  return isSamePoint || (other.at < one.from && one.from < other.end);
}

/** The nearest text in `whole` is shown for the first few only. */
function problemOf(
  ground: Ground,
  hunk: Hunk,
  number: number,
  placing: Placing,
  whole: Content | undefined,
): HunkProblem[] {
  const name = `hunk ${number} (line ${hunk.line} of the patch: ${opening(hunk)})`;
  const told = (kind: HunkProblem["kind"], message: string) => [{ hunk: number, kind, message: `${name}${message}` }];
  const applied = appliedAt(ground, hunk, placing);
  if (applied !== undefined)
    return told("applied", ` is already applied: the file reads like its result at line ${applied + 1}`);
  switch (placing.kind) {
    case "placed":
      return [];
    case "ambiguous":
      return told("ambiguous", ` fits ${listed(placing.places)}`);
    case "anchorless":
      return told("unanchored", `: there is no line "${placing.anchor}" for it to stand below`);
    case "unplaceable":
      return told("unplaceable", " only adds lines, and nothing says for certain where");
    case "absent":
      return [{ hunk: number, kind: "absent", ...absence(ground, hunk, name, whole) }];
  }
}

function absence(
  ground: Ground,
  hunk: Hunk,
  name: string,
  whole: Content | undefined,
): { message: string; detail?: string } {
  const { exact, loose } = fitsOf(ground, oldTexts(hunk), false);
  const [elsewhere] = [...exact, ...loose];
  if (elsewhere !== undefined)
    return {
      message: hunk.atEnd
        ? `${name} says that it is the end of the file; its lines are at line ${elsewhere + 1}, and more follow`
        : `${name} has its lines at line ${elsewhere + 1}, above "${hunk.anchors.at(-1)}"`,
    };
  if (!whole) return { message: `${name} does not fit` };
  const nearest = nearestPlace(whole, oldTexts(hunk).join("\n"));
  if (!nearest) return { message: `${name} does not fit: nothing in the file is like its old lines` };
  return {
    message: `${name} does not fit: the nearest text is at line ${nearest.line} of the file`,
    detail: `${nearest.shown}\n\nWhat differs (- patch, + file):\n${nearest.differs}`,
  };
}

function opening({ lines }: Hunk): string {
  const { mark, text } =
    lines.find((line) => line.mark !== " " && line.text.trim() !== "") ?? lines.find(isNew) ?? lines[0]!;
  return JSON.stringify(mark + (text.length > 60 ? `${text.slice(0, 60)}…` : text));
}

function listed(places: readonly number[]): string {
  const shown = places.slice(0, mostPlaces).map((at) => at + 1);
  return `${places.length} places: lines ${shown.join(", ")}${places.length > shown.length ? ", …" : ""}`;
}
