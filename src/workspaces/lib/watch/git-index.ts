import fs from "node:fs";
import path from "node:path";
import type { Tracked } from "../../../core/contracts/workspace.ts";
import type { Place } from "../../../core/words/touch.ts";
import { readWhole } from "../file-reading.ts";
import { repositoriesAround } from "../process/git-folders.ts";
import { type FileState, stateOf } from "./tree.ts";

/** A larger index is not read: it would cost more than it saves. */
const MOST_BYTES = 32 << 20;
const HEADER = 12;
const FIXED = 62;
const CHECKSUM = 20;
const ID = 20;
const LONGEST_NAME = 4096;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
const REGULAR = 0b1000;
// times are stored as fractional milliseconds, which cannot represent every nanosecond
const SAME_MS = 0.001;

/** `unmerged`: files that two sides changed, each kept in several versions. */
type Entries = { bytes: Buffer; offsets: ReadonlyMap<string, number>; unmerged: ReadonlySet<string> };
type Index = Entries & { mtimeMs: number };

/** A git working tree and its `.git` folder. */
export type Repository = { tree: string; folder: string };
export type GitIndex = Repository & { cleanID(file: string, state: FileState): string | undefined };

let last: { sign: string; entries: Entries | undefined } | undefined;

/** The index of the repository that contains this folder; undefined if there is none or its format is not supported. */
export async function gitIndexOf(root: string): Promise<GitIndex | undefined> {
  try {
    const found = findRepository(root);
    const index = found && (await readIndex(found.folder));
    if (!index) return undefined;
    const { tree } = found;
    return { ...found, cleanID: (real, state) => cleanID(index, real.slice(tree.length + 1), state) };
  } catch {
    return undefined;
  }
}

async function readIndex(folder: string): Promise<Index | undefined> {
  const file = `${folder}/index`;
  const { mtimeMs, ctimeMs, size, ino } = fs.lstatSync(file);
  if (size > MOST_BYTES) return undefined;
  const sign = `${mtimeMs} ${ctimeMs} ${size} ${ino} ${file}`;
  if (last?.sign !== sign) {
    const { bytes } = await readWhole({ real: file, shown: file, root: folder, exists: true });
    last = { sign, entries: entriesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) };
  }
  return last.entries && { ...last.entries, mtimeMs };
}

/** The files that git tracks around a folder, wherever its repository is. */
export async function trackedAround({ real }: Pick<Place, "real">): Promise<Tracked | undefined> {
  try {
    const { tree, gits: [folder] = [] } = repositoriesAround(real).at(-1) ?? {};
    const index = folder === undefined ? undefined : await readIndex(folder);
    if (!index) return undefined;
    const isChanged = (name: string): boolean => {
      const stats = fs.lstatSync(`${tree}/${name}`, { throwIfNoEntry: false });
      return !stats || cleanID(index, name, stateOf(stats)) === undefined;
    };
    return { names: namesOf(index), isChanged };
  } catch {
    return undefined;
  }
}

const named = new WeakMap<Entries["offsets"], readonly string[]>();

function namesOf({ offsets, unmerged }: Entries): readonly string[] {
  const names = named.get(offsets) ?? [...offsets.keys(), ...unmerged];
  named.set(offsets, names);
  return names;
}

/** Only a plain `.git` folder counts: a `.git` file may point anywhere. */
function findRepository(root: string): { tree: string; folder: string } | undefined {
  for (let tree = root; tree !== "/"; tree = path.dirname(tree)) {
    const stats = fs.lstatSync(`${tree}/.git`, { throwIfNoEntry: false });
    if (stats) return stats.isDirectory() ? { tree, folder: `${tree}/.git` } : undefined;
  }
  return undefined;
}

/** Where the entry of each path begins. Reads versions 2 to 4; no split index, and no other hash lengths. */
export function entriesOf(bytes: Buffer): Entries | undefined {
  const version = bytes.toString("latin1", 0, 4) === "DIRC" ? bytes.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  const offsets = new Map<string, number>();
  const unmerged = new Set<string>();
  let at = HEADER;
  let name: Buffer = Buffer.alloc(0);
  // a crafted count costs no more than a real index: reading beyond the last byte throws
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const entry = at;
    const flags = bytes.readUInt16BE(entry + FIXED - 2);
    at += FIXED + (flags & EXTENDED ? 2 : 0);
    const { value: dropped, next: begin } = version === 4 ? variable(bytes, at) : { value: name.length, next: at };
    const end = bytes.indexOf(0, begin);
    if (end === -1 || dropped > name.length) return undefined;
    name = Buffer.concat([name.subarray(0, name.length - dropped), bytes.subarray(begin, end)]);
    if (name.length > LONGEST_NAME) return undefined;
    // before version 4 an entry is padded to eight bytes with at least one zero
    at = version === 4 ? end + 1 : entry + Math.ceil((end + 1 - entry) / 8) * 8;
    if ((flags & STAGE) === 0) offsets.set(name.toString("utf8"), entry);
    else unmerged.add(name.toString("utf8"));
  }
  return endsWell(bytes, at) ? { bytes, offsets, unmerged } : undefined;
}

/** Extensions with their lengths and then the checksum must follow the entries; otherwise something was misread. */
function endsWell(bytes: Buffer, from: number): boolean {
  let at = from;
  while (at < bytes.length - CHECKSUM) {
    if (bytes.toString("latin1", at, at + 4) === "link") return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at === bytes.length - CHECKSUM;
}

/** Git's variable-length integer: seven bits per byte, high ones first, adding one for each further byte. */
function variable(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes.readUInt8(next++);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}

/** The id of the object with the file's content, if it has not changed since git looked. Undefined if in doubt. */
function cleanID({ bytes, offsets, mtimeMs }: Index, name: string, state: FileState): string | undefined {
  const at = offsets.get(name);
  if (at === undefined) return undefined;
  const ms = (offset: number) => bytes.readUInt32BE(at + offset) * 1000 + bytes.readUInt32BE(at + offset + 4) / 1e6;
  const same =
    Math.abs(ms(0) - state.ctimeMs) < SAME_MS &&
    Math.abs(ms(8) - state.mtimeMs) < SAME_MS &&
    bytes.readUInt32BE(at + 20) === state.ino % 2 ** 32 &&
    bytes.readUInt32BE(at + 24) >>> 12 === REGULAR &&
    bytes.readUInt32BE(at + 36) === state.size;
  // what changed in the very moment the index was written may have changed again unnoticed
  return same && state.mtimeMs < mtimeMs ? bytes.toString("hex", at + 40, at + 40 + ID) : undefined;
}
