import type { Brings, Claim } from "../core/words/touch.ts";
import { matchesDots, withDots } from "./dot-patterns.ts";
import { isKnownField } from "./fields.ts";
import { isUnknownFolder, mayBeRoot, unknownFolder } from "./folders.ts";
import { addObeyed } from "./obeyed-ends.ts";
import { isAbsolute, joined, splitAtGlob } from "./paths.ts";
import type { Field, Found, Walk } from "./walk.ts";

export type PathAction = "read" | "list" | "write" | "delete";

const STREAMS: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"]);

const isNoPlace = (text: string): boolean =>
  text === "" || text === "-" || (text.startsWith("/d") && (STREAMS.has(text) || text.startsWith("/dev/fd/")));

export const unknownOf = (action: PathAction): Claim => ({
  action: "unknown",
  permissions: [action === "read" || action === "list" ? "read" : "write"],
});

/** What is meant besides the folder itself: nothing, or patterns for what is below it. */
export type Below = readonly string[];
export const ITSELF: Below = [];
export const TREE: Below = ["**"];

/** The claims of one action on one word, from every folder the shell may be in. */
export const pathClaims = (action: PathAction, field: Field, walk: Walk, below = ITSELF): Claim[] => {
  const claims: Claim[] = [];
  addPath(claims, action, field, walk, below);
  return claims;
};

/** Writes below a word, under names that come from somewhere else. */
export const addBrought = (claims: Claim[], field: Field, walk: Walk, brings: Brings): void => {
  if (mayBeHere(field, walk)) claims.push({ action: "write", target: ".", scope: "**", certain: false, brings });
  for (const claim of pathClaims("write", field, walk, TREE)) {
    if (!("scope" in claim)) continue;
    const known = claims.findIndex((each) => "scope" in each && isSame(each, claim));
    claims.splice(known < 0 ? claims.length : known, 1, { ...claim, brings });
  }
};

/** Whether only the running shell knows the folder, and it may be the workspace itself. */
const mayBeHere = (field: Field, { scope: { folders } }: Walk): boolean => {
  const { text } = field;
  if (!isKnownField(field)) return mayBeRoot(unknownFolder(text));
  return (text === "." || text === "./") && mayBeRoot(folders[0] as string);
};

const LEADS_UP = /(?:^|\/)\.\.(?:\/|$)/;

/** What `find` found may be anything below its starting folder. */
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
  if (!isKnownField(field)) {
    addUnknown(claims, action, text, false);
    if (field.found) addFound(claims, action, field.found, walk, below);
    return;
  }
  if (field.found && (action === "write" || action === "delete")) addFound(claims, action, field.found, walk, below);
  const { folders } = walk.scope;
  for (let place = 0; place < folders.length; place++) {
    const stand = folders[place] as string;
    if (isUnknownFolder(stand) && !isAbsolute(text)) addUnknown(claims, action, text, true);
    else addSeenFrom(claims, stand, action, field, below, sure && place === 0, walk);
    if (isAbsolute(text)) return;
  }
};

const addUnknown = (claims: Claim[], action: PathAction, text: string, isRelative: boolean): void => {
  claims.push(unknownOf(action));
  if (action === "write" || action === "delete") addObeyed(claims, action, text, isRelative);
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
  const isByName = action === "read" && holdsFound(field) && field.links !== false;
  for (const scope of below)
    if (isByName) claims.push({ action, target, scope, certain: false, brings: "found" });
    else claims.push({ action, target, scope, certain: false });
};

/** What a found word may be, from every folder the shell may be in. */
export const addFound = (
  claims: Claim[],
  action: PathAction,
  found: readonly Found[],
  walk: Walk,
  below = ITSELF,
): void => {
  for (const stand of walk.scope.folders)
    for (const { folder, scope, split } of found) {
      if (isUnknownFolder(stand) && !isAbsolute(folder)) {
        claims.push(unknownOf(action));
        continue;
      }
      const claim: Claim = { action, target: joined(stand, folder), scope, certain: false };
      if (split) claim.brings = "words";
      if (below.length === 0) claims.push(claim);
      for (const each of below) claims.push({ ...claim, scope: `${scope}/${each}` });
    }
};
