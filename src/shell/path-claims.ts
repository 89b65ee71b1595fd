import type { Brings, Claim } from "../core/words/touch.ts";
import { matchesDots, withDots } from "./dot-patterns.ts";
import { isAbsolute, joined, splitAtGlob } from "./paths.ts";
import { type Field, type Found, isKnown, UNKNOWN, type Walk } from "./walk.ts";

export type PathAction = "read" | "list" | "write" | "delete";

const STREAMS: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"]);

const isNoPlace = (text: string): boolean =>
  text === "" || text === "-" || (text.startsWith("/d") && (STREAMS.has(text) || text.startsWith("/dev/fd/")));

export const unknownOf = (action: PathAction): Claim => ({
  action: "unknown",
  permissions: [action === "read" || action === "list" ? "read" : "write"],
});

/** What of a folder is meant beside the folder itself: nothing, or the patterns of what is below it. */
export type Below = readonly string[];
export const ITSELF: Below = [];
export const TREE: Below = ["**"];

/** The claims of one action on one word, seen from every folder the shell may stand in. */
export const pathClaims = (action: PathAction, field: Field, walk: Walk, below = ITSELF): Claim[] => {
  const claims: Claim[] = [];
  addPath(claims, action, field, walk, below);
  return claims;
};

/** What is written below a word, under names that are brought there. */
export const addBrought = (claims: Claim[], field: Field, walk: Walk, brings: Brings): void => {
  for (const claim of pathClaims("write", field, walk, TREE)) {
    if (!("scope" in claim)) continue;
    const known = claims.findIndex((each) => "scope" in each && isSame(each, claim));
    claims.splice(known < 0 ? claims.length : known, 1, { ...claim, brings });
  }
};

const LEADS_UP = /(?:^|\/)\.\.(?:\/|$)/;

/** What `find` found may be anything below where it started. */
export const holdsFound = ({ given, glob }: Field): boolean => given === "path" && !glob;

type PathClaim = Extract<Claim, { action: PathAction }>;
const isSame = (one: PathClaim, other: PathClaim): boolean =>
  one.action === other.action && one.target === other.target && one.scope === other.scope;

/** `sure`: when false, whether it happens at all depends on what is on the disk. */
export const addPath = (
  claims: Claim[],
  action: PathAction,
  field: Field,
  walk: Walk,
  below: Below,
  sure = true,
): void => {
  const { text } = field;
  if (isNoPlace(text)) return;
  if (!isKnown(text)) {
    claims.push(unknownOf(action));
    if (field.found) addFound(claims, action, field.found, walk, below);
    return;
  }
  const { folders } = walk.scope;
  for (let place = 0; place < folders.length; place++) {
    const stand = folders[place] as string;
    if (stand === UNKNOWN && !isAbsolute(text)) claims.push(unknownOf(action));
    else addSeenFrom(claims, stand, action, field, below, sure && place === 0, walk);
    if (isAbsolute(text)) return;
  }
};

const addSeenFrom = (
  claims: Claim[],
  stand: string,
  action: PathAction,
  field: Field,
  below: Below,
  certain: boolean,
  walk: Walk,
): void => {
  if (field.glob) {
    const { folder, pattern } = splitAtGlob(field.text);
    if (pattern !== "") {
      const target = joined(stand, folder);
      for (const each of matchesDots(walk) ? withDots(pattern) : [pattern]) {
        // without a folder in front it stands for names here, as the scope of a whole tree does not
        const named = each === "**" ? "*" : each;
        if (below.length === 0) claims.push({ action, target, scope: named, certain: false });
        for (const scope of below) claims.push({ action, target, scope: `${each}/${scope}`, certain: false });
      }
      // the pattern may match a link, and then its parent is not known
      if (pattern.includes("..") && LEADS_UP.test(pattern)) claims.push(unknownOf(action));
      return;
    }
  }
  const target = joined(stand, field.text);
  claims.push(certain ? { action, target } : { action, target, certain });
  for (const scope of below) claims.push({ action, target, scope, certain: false });
};

/** What a word may be that was found, seen from every folder the shell may stand in. */
export const addFound = (
  claims: Claim[],
  action: PathAction,
  found: readonly Found[],
  walk: Walk,
  below = ITSELF,
): void => {
  for (const stand of walk.scope.folders)
    for (const { folder, scope, split } of found) {
      if (stand === UNKNOWN && !isAbsolute(folder)) {
        claims.push(unknownOf(action));
        continue;
      }
      const claim: Claim = { action, target: joined(stand, folder), scope, certain: false };
      if (split) claim.brings = "words";
      if (below.length === 0) claims.push(claim);
      for (const each of below) claims.push({ ...claim, scope: `${scope}/${each}` });
    }
};
