import type { Request } from "../match.ts";

/** `open`: the patch says that the file ends with this line, without a newline. */
export type PatchLine = { mark: " " | "-" | "+"; text: string; ending: "\n" | "\r\n"; open?: true };

export type Hunk = {
  /** Where it begins in the patch, 1-based. */
  line: number;
  lines: PatchLine[];
  /** What its header says, right or wrong. */
  stated?: { old: number; oldCount: number; new: number };
  /** Lines of the file above the change. If they bind, the change must be below them. */
  anchors: string[];
  anchorsBind: boolean;
  /** The old side ends where the file ends. */
  atEnd: boolean;
};

/** A diff in a format that the system's `patch` applies, without names and anything around it. */
export type ForeignDiff = { format: "context" | "normal"; rows: Pick<RawLine, "text" | "ending">[] };

export type FileOperation = {
  kind: "update" | "add" | "delete" | "rename";
  path: string;
  newPath?: string;
  hunks: Hunk[];
  /** Texts to replace, instead of hunks. */
  edits?: Request[];
  /** The hunks as written, if our own parsing of them does not suffice. */
  foreign?: ForeignDiff;
  mode?: number;
  /** A deletion in a format that shows every deleted line. */
  showsLines?: true;
  /** What part of the patch was ignored. */
  note?: string;
  /** Where it begins in the patch, 1-based. */
  line: number;
};

export type PatchProblem = { line: number; message: string };
export type RawLine = { number: number; text: string; ending: "\n" | "\r\n" };

const structural = /^(?:@@|--- |\+\+\+ |diff --git |\*\*\* )/;

/**
 * The lines of a patch. If its headers end with carriage returns, the whole patch was converted, maybe twice, and so
 * many at the end of a line say nothing.
 */
export function rawLines(patch: string): RawLine[] {
  const pieces = (patch.startsWith("\uFEFF") ? patch.slice(1) : patch).split("\n");
  if (pieces.at(-1) === "") pieces.pop();
  const header = pieces.find((piece) => structural.test(piece));
  const added = header === undefined ? fewestCarriages(pieces) : carriagesOf(header);
  return pieces.map((piece, index) => {
    const carriages = carriagesOf(piece);
    const own = Math.max(carriages - added, 0);
    const kept = piece.length - carriages + Math.max(own - 1, 0);
    return { number: index + 1, text: piece.slice(0, kept), ending: own > 0 ? "\r\n" : "\n" };
  });
}

/** Not Math.min(...pieces): a call with more than about 100,000 arguments overflows the stack. */
const fewestCarriages = (pieces: readonly string[]): number =>
  pieces.reduce((fewest, piece) => Math.min(fewest, carriagesOf(piece)), Number.POSITIVE_INFINITY);

/** How many carriage returns a text ends with. */
export function carriagesOf(piece: string): number {
  let end = piece.length;
  while (piece[end - 1] === "\r") end--;
  return piece.length - end;
}

export const isFence = (text: string): boolean => text.startsWith("```") || text.startsWith("~~~");
export const isOld = (line: PatchLine): boolean => line.mark !== "+";
export const isNew = (line: PatchLine): boolean => line.mark !== "-";
