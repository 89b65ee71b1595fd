import fs from "node:fs";
import { isWithin, pathIn } from "../../core/words/containment.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Place } from "../../core/words/touch.ts";
import { brief, errorCode, insideFile } from "./failures.ts";

export type Root = { real: string; prefix: string; main: boolean };

export const asRoot = (real: string, main: boolean): Root => ({ real, prefix: real === "/" ? "/" : `${real}/`, main });

const MOST_LINKS = 40;
const LONGEST_NAME = 255;
const LONGEST_PATH = 4095;
const isUnusable = (path: string): boolean =>
  path.includes("\0") || !(path as string & { isWellFormed(): boolean }).isWellFormed();

export const isInside = (real: string, root: Root): boolean => isWithin(real, root.real);

const rootOf = (real: string, roots: readonly Root[]): Root | undefined => {
  for (const root of roots) if (isInside(real, root)) return root;
  return undefined;
};

/** Shows `~name` as `./~name`, so that it can be passed back: otherwise it would mean a home folder. */
export function showIn(real: string, root: Root): string {
  if (!root.main) return real;
  if (real === root.real) return ".";
  const inside = real.slice(root.prefix.length);
  return inside.startsWith("~") ? `./${inside}` : inside;
}

const accepted = (roots: readonly Root[]): string =>
  `Use a path inside ${roots.map((root) => root.real).join(" or ")}, relative or absolute.`;

export const outside = (path: string, real: string, roots: readonly Root[]): ToolFailure =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `${brief(path)} leads outside the workspace, to ${brief(real)}.`,
    accepted(roots),
  );

class Unresolved extends Error {
  readonly code: string;
  readonly reached: string;
  constructor(code: string, reached: string) {
    super(code);
    this.code = code;
    this.reached = reached;
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/**
 * Follows a path by hand where the system gives up: through missing parts and dangling links. `..` after a missing part
 * cancels it.
 */
function follow(path: string): { real: string; exists: boolean } {
  const ahead = path.split("/").reverse();
  let reached = "/";
  let missing = 0;
  let isFile = false;
  let links = 0;
  while (ahead.length > 0) {
    const name = ahead.pop() as string;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      reached = parentOf(reached);
      if (missing > 0) missing -= 1;
      isFile = false;
      continue;
    }
    if (isFile) throw new Unresolved("ENOTDIR", reached);
    const next = pathIn(reached, name);
    if (name.length > LONGEST_NAME / 4 && Buffer.byteLength(name) > LONGEST_NAME)
      throw new Unresolved("ENAMETOOLONG", reached);
    const stats = missing > 0 ? undefined : lookAt(next, reached);
    if (!stats) missing += 1;
    else if (stats.isSymbolicLink()) {
      links += 1;
      if (links > MOST_LINKS) throw new Unresolved("ELOOP", reached);
      const target = fs.readlinkSync(next);
      if (target.startsWith("/")) reached = "/";
      ahead.push(...target.split("/").reverse());
      continue;
    } else isFile = !stats.isDirectory();
    reached = next;
  }
  if (Buffer.byteLength(reached) > LONGEST_PATH) throw new Unresolved("ENAMETOOLONG", reached);
  return { real: reached, exists: missing === 0 };
}

function lookAt(path: string, reached: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new Unresolved(errorCode(error), reached);
  }
}

/** Where a path leads, whether it exists or not. For paths of the host, not of a model. */
export const realPathOf = (path: string): string => follow(path).real;

const tooLong = (path: string): ToolFailure =>
  new ToolFailure("VALIDATION_ERROR", `The path ${brief(path)} is too long.`, "Choose a shorter path.");

function unresolved(path: string, error: unknown, roots: readonly Root[]): ToolFailure {
  const code = errorCode(error);
  if (code === "ENAMETOOLONG") return tooLong(path);
  // what is outside gets one message only, whatever is there
  if (error instanceof Unresolved && !rootOf(error.reached, roots)) return outside(path, error.reached, roots);
  if (code === "ENOTDIR") return insideFile(brief(path));
  return new ToolFailure(
    "PERMISSION_DENIED",
    `Where ${brief(path)} leads cannot be determined (${code === "ELOOP" ? "its links form a loop" : code}).`,
    code === "EACCES" ? "Leave it alone, or ask a person to change its permissions." : accepted(roots),
  );
}

function refuseUnusable(path: string, roots: readonly Root[]): void {
  if (path === "")
    throw new ToolFailure("VALIDATION_ERROR", "The path is empty.", "Give a path; `.` is the workspace itself.");
  if (path.length > LONGEST_PATH) throw tooLong(path);
  if (isUnusable(path)) {
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `The path ${JSON.stringify(brief(path))} contains a character that no file name can have.`,
      "Give the path as plain text.",
    );
  }
  if (path.startsWith("~")) {
    throw new ToolFailure(
      "PERMISSION_DENIED",
      `${brief(path)} leads outside the workspace, to a home folder.`,
      `${accepted(roots)} For a file whose name begins with ~ write ./${brief(path)}.`,
    );
  }
}

/** Where a path leads if it stays inside the roots; any doubt is a refusal. Relative paths start at the first root. */
export function locateIn(path: string, roots: readonly [Root, ...Root[]]): Place {
  refuseUnusable(path, roots);
  const whole = path.startsWith("/") ? path : roots[0].prefix + path;
  let real: string;
  let exists = true;
  try {
    real = fs.realpathSync.native(whole);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw unresolved(path, error, roots);
    try {
      ({ real, exists } = follow(whole));
    } catch (failure) {
      throw unresolved(path, failure, roots);
    }
  }
  const root = rootOf(real, roots);
  if (!root) throw outside(path, real, roots);
  return { shown: showIn(real, root), real, root: root.real, exists };
}

/** Like `locateIn`, but a link at the end of the path is not followed: only the folder that contains it is. */
export function locateItself(path: string, roots: readonly [Root, ...Root[]]): Place {
  refuseUnusable(path, roots);
  const whole = path.startsWith("/") ? path : roots[0].prefix + path;
  const cut = whole.lastIndexOf("/");
  const name = whole.slice(cut + 1);
  // a path that ends in a slash or dots means the folder behind the link, and lstat reports it so
  if (!isLink(whole)) return locateIn(path, roots);
  const folder = locateIn(whole.slice(0, cut) || "/", roots);
  const real = folder.real === "/" ? `/${name}` : `${folder.real}/${name}`;
  const root = roots.find((one) => one.real === folder.root)!;
  return { shown: showIn(real, root), real, root: root.real, exists: true, link: true };
}

function isLink(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

/** Like `traceFrom`, but a link at the end of the path is not followed. */
export function traceItself(path: string, roots: readonly [Root, ...Root[]]): Place {
  const whole = path.startsWith("/") ? path : roots[0].prefix + path;
  const cut = whole.lastIndexOf("/");
  if (path.startsWith("~") || !isLink(whole)) return traceFrom(path, roots);
  const folder = traceFrom(whole.slice(0, cut) || "/", roots);
  const real = `${folder.real === "/" ? "" : folder.real}${whole.slice(cut)}`;
  const root = rootOf(real, roots);
  const shown = root ? showIn(real, root) : real;
  return { shown, real, root: root?.real ?? "", exists: true, link: true };
}

/** Where a path leads that may lie anywhere. Outside the roots it is shown by its real path, with no root. */
export function traceFrom(path: string, roots: readonly [Root, ...Root[]]): Place {
  // a home folder that could not be resolved; a file of that name is written ./~
  if (path.startsWith("~")) return { shown: path, real: path, root: "", exists: false };
  const whole = path.startsWith("/") ? path : roots[0].prefix + path;
  if (path.includes("\0") || path.length > LONGEST_PATH) refuseUnusable(whole, roots);
  try {
    const { real, exists } = leadsTo(whole);
    const root = rootOf(real, roots);
    return root
      ? { shown: showIn(real, root), real, root: root.real, exists }
      : { shown: real, real, root: "", exists };
  } catch {
    // it cannot be resolved, so it counts as outside of every root
    return { shown: path, real: whole, root: "", exists: false };
  }
}

/** Many paths that commands name do not exist, and an lstat costs less than a thrown error. */
function leadsTo(whole: string): { real: string; exists: boolean } {
  try {
    if (!isUnusable(whole) && fs.lstatSync(whole, { throwIfNoEntry: false }))
      return { real: fs.realpathSync.native(whole), exists: true };
  } catch {
    // a dangling link, or a place that the system does not reveal: followed by hand
  }
  return follow(whole);
}
