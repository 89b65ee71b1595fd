import { isBelow, isWithin } from "../core/words/containment.ts";
import { isKnownField } from "./fields.ts";
import { fits, isAbsolute, joined, normalised } from "./paths.ts";
import { DEVICES, HOMES, PROTECTED_BELOW, PROTECTED_FOLDERS } from "./programs/protected.ts";
import type { Field, Walk } from "./walk.ts";

const EXACT: ReadonlySet<string> = new Set(PROTECTED_FOLDERS);
/** More levels up than any path has: this is the root. */
const FAR_UP = /^(?:\.\.(?:\/|$)){5,}/;
const ONLY_GLOB = /^(?:[*?.]|\[[^\]]*\]|[?*+@!]\([^)]*\))+$/;

/** A home folder, or a folder above one. */
const HOME_OR_ABOVE = /^~[^/]*(?:\/\.\.)*$/;

const isProtectedPath = (path: string, home: string | undefined): boolean => {
  if (path === "/" || EXACT.has(path) || HOMES.test(path) || HOME_OR_ABOVE.test(path)) return true;
  if (home !== undefined && isWithin(home, path)) return true;
  return PROTECTED_BELOW.some((folder) => isBelow(path, folder));
};

const withTilde = (path: string, home: string | undefined): string =>
  home !== undefined && home !== "/" && isBelow(path, home) ? `~${path.slice(home.length)}` : path;

const SPLIT: readonly (readonly string[])[] = PROTECTED_FOLDERS.map((folder) => folder.split("/"));

const fitsProtected = (path: string): boolean => {
  const parts = path.split("/");
  return SPLIT.some(
    (names) => names.length === parts.length && names.every((name, index) => fits(parts[index] as string, name)),
  );
};

const isProtectedGlob = (path: string, home: string | undefined): boolean => {
  const slash = path.lastIndexOf("/");
  const last = path.slice(slash + 1);
  if (ONLY_GLOB.test(last)) {
    const parent = path.slice(0, slash) || "/";
    if (/[*?[]/.test(parent) ? isProtectedGlob(parent, home) : isProtectedPath(parent, home)) return true;
  }
  return fitsProtected(path);
};

/** The protected folder that a word names, from any folder the shell may be in. */
export const protectedPlace = (field: Field, walk: Walk): string | undefined => {
  let { text } = field;
  if (text === "") return undefined;
  if (!isKnownField(field)) {
    // `/$nothing` is the root when nothing is set
    if (!/^\/+[\u0000\u0001]+\/*$/.test(text)) return undefined;
    text = "/";
  }
  for (const folder of walk.scope.folders) {
    const path = joined(folder, text);
    // the place of a relative folder is not known here, unless it is far up
    if (!isAbsolute(path) && !path.includes("..")) continue;
    const place = normalised(path).replace(FAR_UP, "/");
    if (!isAbsolute(place)) continue;
    const known = withTilde(place, walk.home);
    if (isProtectedPath(known, walk.home) || (field.glob && isProtectedGlob(known, walk.home))) return known;
  }
  return undefined;
};

export const isDevice = (path: string): boolean =>
  path.startsWith("/") && WITHIN_DEVICES.some((part) => path.includes(part)) && DEVICES.test(normalised(path));
/** What paths of devices hold, however they are written. */
const WITHIN_DEVICES = ["/dev/", "/sysrq-trigger"];
