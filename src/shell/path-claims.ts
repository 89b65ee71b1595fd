import type { Claim } from "../core/touch.ts";
import { isAbsolute, joined, splitAtGlob } from "./paths.ts";
import { type Field, isKnown, UNKNOWN, type Walk } from "./walk.ts";

export type PathAction = "read" | "list" | "write" | "delete";

const STREAMS: ReadonlySet<string> = new Set(["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"]);

const isNoPlace = (text: string): boolean =>
  text === "" || text === "-" || (text.startsWith("/dev/") && (STREAMS.has(text) || text.startsWith("/dev/fd/")));

export const unknownOf = (action: PathAction): Claim => ({
  action: "unknown",
  permissions: [action === "read" || action === "list" ? "read" : "write"],
});

/** The claims of one action on one word, seen from every folder the shell may stand in. */
export const pathClaims = (action: PathAction, field: Field, walk: Walk, below = false): Claim[] => {
  const claims: Claim[] = [];
  addPath(claims, action, field, walk, below);
  return claims;
};

/** `sure`: when false, whether it happens at all depends on what is on the disk. */
export const addPath = (
  claims: Claim[],
  action: PathAction,
  field: Field,
  walk: Walk,
  below: boolean,
  sure = true,
): void => {
  const { text } = field;
  if (isNoPlace(text)) return;
  if (!isKnown(text)) {
    claims.push(unknownOf(action));
    return;
  }
  const { folders } = walk.scope;
  for (let place = 0; place < folders.length; place++) {
    const stand = folders[place] as string;
    if (stand === UNKNOWN && !isAbsolute(text)) claims.push(unknownOf(action));
    else addSeenFrom(claims, stand, action, field, below, sure && place === 0);
    if (isAbsolute(text)) return;
  }
};

const addSeenFrom = (
  claims: Claim[],
  stand: string,
  action: PathAction,
  field: Field,
  below: boolean,
  certain: boolean,
): void => {
  if (field.glob) {
    const { folder, pattern } = splitAtGlob(field.text);
    if (pattern !== "") {
      const scope = below ? `${pattern}/**` : pattern;
      claims.push({ action, target: joined(stand, folder), scope, certain: false });
      return;
    }
  }
  const target = joined(stand, field.text);
  claims.push(certain ? { action, target } : { action, target, certain });
  if (below) claims.push({ action, target, scope: "**", certain: false });
};
