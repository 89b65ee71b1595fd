import type { FileQuery } from "../../../core/contracts/search.ts";
import { isBelow, pathIn } from "../../../core/words/containment.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Place } from "../../../core/words/touch.ts";
import { globMatcher, globTest } from "../../../text/glob.ts";
import { choicesOf } from "../../../text/glob-braces.ts";
import { isTooComplicated } from "../../../text/wildcards.ts";
import { rebase } from "./rebase.ts";

/** Which files a search covers. Paths are relative to the searched folder. */
export type Filter = {
  /** Whether the globs accept it. */
  accepts(below: string): boolean;
  /** Whether it must not be shown. */
  isExcluded(below: string): boolean;
  /** Globs for file names; every accepted file matches one. Undefined if names do not narrow the search. */
  names: readonly string[] | undefined;
  /** The folders outside of which nothing is accepted; undefined if all must be searched. */
  folders: readonly (readonly string[])[] | undefined;
  /** Globs that a search program can skip; each is anchored by a slash, or matches at any depth. */
  unwanted: readonly string[];
  excluded: readonly string[];
};

const LONGEST_GLOB = 1_000;
const MOST_STARS = 8;
const MOST_HANDED_OVER = 100;
// no question mark, which is a byte to some programs and a character to others; no trailing blank, which some drop
const PLAIN = /^(?:[\w.\-*/ @+=~%]|\{[\w.\-* @+=~%]+(?:,[\w.\-* @+=~%]+)*\})+(?<! )$/;
const UNCLEAR_STARS = /[^/]\*\*|\*\*[^/]/;

/** Whether all search programs read this glob in the same way. */
const isPlain = (glob: string): boolean => PLAIN.test(glob) && !UNCLEAR_STARS.test(glob);

/** Expands the braces of a glob. */
function usable(glob: string): string[] {
  const choices = glob.length > LONGEST_GLOB || glob.includes("\0") ? undefined : choicesOf(glob);
  if (!choices?.every(isUsable)) throw tooComplicated(glob);
  return choices;
}

/** Too many stars in one name would let a crafted name make the matching take forever. */
function isUsable(glob: string): boolean {
  const tooMany = glob.split("/").some((part) => part.split("*").length - 1 > MOST_STARS);
  return !tooMany && !isTooComplicated(glob);
}

const tooComplicated = (glob: string): ToolFailure =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `The glob ${glob.slice(0, 80)}${glob.length > 80 ? "…" : ""} is too complicated.`,
    `Use at most ${LONGEST_GLOB} characters, ${MOST_STARS} stars in one name (2 beside brackets), and few choices in braces.`,
  );

/** The glob relative to the searched folder: a bare name, or anchored by a slash; several if `**` leaves a choice. */
function seenFrom(folder: Place, given: string): string[] {
  // removes `.` as a path segment
  const clean = given.replace(/\/{2,}/g, "/").replace(/(?<=^|\/)\.\/|(?<=\/)\.$/g, "");
  const bare = clean.replace(/\/$/, "");
  const all = clean.endsWith("/") ? "/**" : "";
  const [here, root] = [pathIn(folder.real, ""), pathIn(folder.root, "")];
  if (bare.startsWith(here)) return [bare.slice(here.length - 1) + all];
  if (bare.startsWith(root)) return fromRoot(folder, bare.slice(root.length)).map((glob) => `/${glob}${all}`);
  if (bare.includes("/")) return [(bare.startsWith("/") ? bare : `/${bare}`) + all];
  return [all ? `/**/${bare}${all}` : bare];
}

const fromRoot = (folder: Place, glob: string): string[] =>
  rebase(segmentsBelow("", glob), segmentsBelow(folder.root, folder.real), isNameMatch).map((rest) => rest.join("/"));

export const segmentsBelow = (above: string, real: string): string[] =>
  real
    .slice(above.length)
    .split("/")
    .filter((part) => part !== "");

// brackets are globs, braces are expanded already; parentheses are part of names (folders of web frameworks)
function compiled(globs: readonly string[], nocase = false): (path: string) => boolean {
  const tests = globs.map((glob) =>
    globTest(glob.replace(/(?<!\\)[()|]/g, "\\$&"), {
      nocase,
      noext: true,
      nonegate: true,
      nobrace: true,
    }),
  );
  if (tests.length === 1) return tests[0] as (path: string) => boolean;
  return (path) => tests.some((fits) => fits(path));
}

/** If only names are asked for, only names are compared, which is much faster. */
function wantedBy(globs: readonly string[]): (path: string) => boolean {
  const names = globs.map((glob) => glob.replace(/^\/\*\*\/(?!\*\*)/, ""));
  if (names.some((name) => name.includes("/"))) return compiled(globs.map(anchored));
  const isName = compiled(names);
  return (path) => isName(path.slice(path.lastIndexOf("/") + 1));
}

const isNameMatch = (glob: string, name: string): boolean => compiled([glob], true)(name);

const anchored = (glob: string): string => (glob.startsWith("/") ? glob.slice(1) : `**/${glob}`);

export function fileFilter({ globs = [], exclude = [] }: FileQuery, folder: Place): Filter {
  const [plain, negated] = [
    globs.filter((glob) => !glob.startsWith("!")),
    globs.filter((glob) => glob.startsWith("!")),
  ];
  const wanted = plain.flatMap(usable).flatMap((glob) => seenFrom(folder, glob));
  const unwanted = negated.flatMap((glob) => usable(glob.slice(1))).flatMap((glob) => seenFrom(folder, glob));
  const isWanted = globs.every((glob) => glob.startsWith("!")) ? undefined : wantedBy(wanted);
  const isUnwanted = compiled(unwanted.map(anchored).flatMap((glob) => [glob, `${glob.replace(/\/\*\*$/, "")}/**`]));
  return {
    accepts: (below) => (isWanted?.(below) ?? true) && !isUnwanted(below),
    isExcluded: exclusion(exclude, folder),
    names: isWanted && namesOf(wanted),
    folders: isWanted && foldersOf(wanted),
    unwanted: handedOver(unwanted),
    excluded: handedOver(exclude.flatMap((glob) => excludedFrom(folder, glob))),
  };
}

/** Judged as policies do: by the path in the root, and for absolute patterns by the real path. */
function exclusion(exclude: readonly string[], folder: Place): Filter["isExcluded"] {
  if (exclude.length === 0) return () => false;
  const forbids = globMatcher(exclude);
  const hasAbsolute = exclude.some((glob) => glob.startsWith("/"));
  const inRoot = segmentsBelow(folder.root, folder.real).join("/");
  const prefix = inRoot === "" ? "" : `${inRoot}/`;
  return (below) =>
    forbids(prefix + below) !== undefined || (hasAbsolute && forbids(pathIn(folder.real, below)) !== undefined);
}

function excludedFrom(folder: Place, given: string): string[] {
  const glob = given.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
  if (!glob.includes("/")) return [glob];
  if (glob.startsWith("/")) return isBelow(glob, folder.real) ? [glob.slice(pathIn(folder.real, "").length - 1)] : [];
  return fromRoot(folder, glob).map((each) => `/${each}`);
}

const handedOver = (globs: readonly string[]): string[] => globs.filter(isPlain).slice(0, MOST_HANDED_OVER);

function namesOf(wanted: readonly string[]): string[] | undefined {
  const names = wanted.map((glob) => glob.slice(glob.lastIndexOf("/") + 1).replaceAll("?", "*"));
  const tells = names.every((name) => isPlain(name) && !/^\*+$/.test(name));
  return tells && names.length <= MOST_HANDED_OVER ? names : undefined;
}

/** The leading path segments that contain no pattern. */
function foldersOf(wanted: readonly string[]): string[][] | undefined {
  const folders = wanted.map((glob) => {
    const parts = glob.slice(1).split("/").slice(0, -1);
    const end = parts.findIndex((part) => !/^[\w.\-@+=~%]+$/.test(part));
    return end === -1 ? parts : parts.slice(0, end);
  });
  return folders.length <= MOST_HANDED_OVER && folders.every((folder) => folder.length > 0) ? folders : undefined;
}
