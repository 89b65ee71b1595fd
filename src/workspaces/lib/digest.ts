import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Digest, FileRead, Workspace } from "../../core/contracts/workspace.ts";
import { EVERY_FILE, OBEYED } from "../../core/words/code.ts";
import { digestBelow, isBelowPart } from "./digest-below.ts";
import { errorCode } from "./failures.ts";
import { readPieces, readWhole } from "./file-reading.ts";
import { stampOf, statExactly } from "./opened.ts";

/** At most this many files are read to answer one question. */
const MOST_FILES = 200;
/** A larger file is identified by its size, times and inode: reading it for every question would take too long. */
const MOST_READ = 1 << 24;

/** One shared promise, because most lookups end here. */
const NOT_THERE = Promise.resolve(undefined);

type Digests = NonNullable<Workspace["digest"]>;

/** A relative path without `.` or `..`, doubled slashes or hidden names, which needs no resolving. */
const EVEN = /^[^./][^/]*(?:\/[^./][^/]*)*$/;

/** Digests of files as they are now; relative paths are resolved against `root`. */
export function digestFrom(root: string, trace: Workspace["trace"]): Digests {
  const prefix = `${root === "/" ? "" : path.resolve(root)}/`;
  const resolved = (target: string): string => (EVEN.test(target) ? prefix + target : path.resolve(root, target));

  const digest: Digests = (target, part, folders) => {
    if (part === OBEYED) return NOT_THERE;
    if (part === EVERY_FILE) return everyFile(target, folders);
    if (part !== undefined && isBelowPart(part)) return allBelow(target, part);
    try {
      // most files that are asked about do not exist, and tracing every link on the way takes longer
      const file = resolved(target);
      const isThereNow = (!folders || isThere(path.dirname(file), root, folders)) && isFile(file);
      return isThereNow ? ofFile(target, part) : NOT_THERE;
    } catch (error) {
      return Promise.reject(error);
    }
  };

  const ofFile = async (target: string, part: string | undefined): Promise<Digest | undefined> => {
    const place = await trace(target);
    const stats = statExactly(place);
    if (!stats?.isFile()) return undefined;
    if (stats.size > MOST_READ) return { place, hash: `stamp ${JSON.stringify(stampOf(stats))}${mayRun(stats.mode)}` };
    const hash = createHash("sha256");
    if (part !== undefined) hash.update(partOf((await readWhole(place)).bytes, part));
    else for await (const piece of readPieces(place)) hash.update(piece);
    return { place, hash: hash.digest("hex") + (part === undefined ? mayRun(stats.mode) : "") };
  };

  /** Whole folders are examined only inside the roots. */
  const allBelow = async (target: string, part: string): Promise<Digest | undefined> => {
    const place = await trace(target);
    if (place.root === "" || !statExactly(place)?.isDirectory()) return undefined;
    return { place, hash: await digestBelow(place.real, part) };
  };

  const everyFile = async (target: string, folders?: Map<string, boolean>): Promise<Digest | undefined> => {
    const folder = path.resolve(root, target);
    const names = folders && !isThere(folder, root, folders) ? [] : namesIn(folder);
    if (names.length === 0) return undefined;
    if (names.length > MOST_FILES) throw new Error(`${target} contains too many files`);
    const hash = createHash("sha256");
    for (const name of names) hash.update(`${name}\0${(await digest(path.join(target, name)))?.hash ?? ""}\0`);
    return { place: await trace(target), hash: hash.digest("hex") };
  };

  return digest;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (["ENOENT", ...NO_PATH].includes(errorCode(error))) return [];
    throw error;
  }
}

/** Part of the digest, because an executable file differs from one that is not. */
const mayRun = (mode: number): string => ((mode & 0o111) !== 0 ? " may be run" : "");

type Planned = Pick<FileRead, "bytes" | "mode">;

/** Digests as a command would find them after a plan was carried out; `planned` returns null for a deleted file. */
export const digestAbove =
  (below: Digests, trace: Workspace["trace"], planned: (real: string) => Planned | null | undefined): Digests =>
  async (target, part, folders) => {
    const place = await trace(target);
    const file = planned(place.real);
    if (file === undefined) return below(target, part, folders);
    if (file === null) return undefined;
    const { bytes, mode } = file;
    const content = part === undefined ? bytes : partOf(bytes, part);
    const hash = createHash("sha256").update(content).digest("hex");
    return { place, hash: hash + (part === undefined ? mayRun(mode) : "") };
  };

/** Errors that mean that a word is not a path at all, so it names no file. */
const NO_PATH = ["ENOTDIR", "ENAMETOOLONG", "ELOOP", "ERR_INVALID_ARG_VALUE"];

/** Whether a folder may exist. Below a missing folder nothing is looked up. */
function isThere(folder: string, root: string, folders: Map<string, boolean>): boolean {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const above = path.dirname(folder);
  const there = folder === root || above === folder || (isThere(above, root, folders) && !isMissing(folder));
  folders.set(folder, there);
  return there;
}

function isMissing(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return NO_PATH.includes(errorCode(error));
  }
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (NO_PATH.includes(errorCode(error))) return false;
    throw error;
  }
}

/** One key of a JSON object; the whole content if it cannot be parsed as an object. */
function partOf(bytes: Uint8Array, part: string): Uint8Array | string {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value !== "object" || value === null) return bytes;
    return JSON.stringify((value as Record<string, unknown>)[part] ?? null);
  } catch {
    return bytes;
  }
}
