import fs from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Bytes, Entry, FileRead } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Place } from "../../core/words/touch.ts";
import { asFailure, errorCode, isFolder, notRegular, swapped } from "./failures.ts";
import { type Folder, modeOf, openExactly, openFolder, openInside, stampOf, statExactly } from "./opened.ts";

const { O_RDONLY } = fs.constants;
// up to this size a read of cached pages ends before a thread would have started it
const QUICK = 1 << 20;
const PIECE = 1 << 16;
const BREATH = 1 << 22;
// fits into the processor's cache: five times as fast as a whole megabyte
const COMPARED = 1 << 16;
const MOST_WHOLE = 1 << 28;

export function refuseIrregular(stats: fs.Stats, shown: string): void {
  if (stats.isDirectory()) throw isFolder(shown);
  if (!stats.isFile()) throw notRegular(shown);
}

/** Opens a regular file for reading; the caller closes it. `parent`: its folder, if that is open already. */
export function openRegular(place: Place, parent?: Folder): { fd: number; stats: fs.Stats } {
  const fd = parent ? openInside(parent, place, O_RDONLY) : openExactly(place.real, O_RDONLY, place.shown);
  try {
    const stats = fs.fstatSync(fd);
    refuseIrregular(stats, place.shown);
    return { fd, stats };
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

const readLater = (fd: number, into: Buffer, offset: number, length: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    fs.read(fd, into, offset, length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });

async function readAll(fd: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const length = Math.min(size - filled, QUICK);
    const count =
      size <= QUICK
        ? fs.readSync(fd, bytes, filled, length, filled)
        : await readLater(fd, bytes, filled, length, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Reads a link itself: its target is the content. */
export function readLink(place: Place): FileRead {
  const stats = statExactly(place);
  const folder = openFolder(path.dirname(place.real), place.shown);
  try {
    const bytes = fs.readlinkSync(folder.at(path.basename(place.real)), { encoding: "buffer" });
    if (!stats) throw swapped(place.shown);
    return { bytes, mode: modeOf(stats), stamp: stampOf(stats) };
  } catch (error) {
    throw errorCode(error) === "EINVAL" ? swapped(place.shown) : error;
  } finally {
    folder.close();
  }
}

export async function readWhole(place: Place): Promise<FileRead> {
  try {
    if (place.link) return readLink(place);
    const { fd, stats } = openRegular(place);
    try {
      if (stats.size > MOST_WHOLE) {
        throw new ToolFailure(
          "VALIDATION_ERROR",
          `${place.shown} has ${stats.size} bytes, more than can be read at once.`,
          "Read it in pieces, by an offset; change it by a command.",
        );
      }
      return { bytes: await readAll(fd, stats.size), mode: modeOf(stats), stamp: stampOf(stats) };
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    throw asFailure(error, place.shown);
  }
}

export async function* readPieces(place: Place, from = 0): AsyncGenerator<Bytes> {
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new ToolFailure("VALIDATION_ERROR", `${from} is not a byte offset.`, "Use a whole number of at least 0.");
  }
  try {
    const { fd } = openRegular(place);
    try {
      const piece = Buffer.allocUnsafeSlow(PIECE);
      for (let position = from; ; ) {
        const count = fs.readSync(fd, piece, 0, PIECE, position);
        if (count === 0) return;
        const before = position;
        position += count;
        yield count === PIECE ? piece : piece.subarray(0, count);
        // yields to others every few megabytes
        if (Math.floor(before / BREATH) < Math.floor(position / BREATH)) await setImmediate();
      }
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    throw asFailure(error, place.shown);
  }
}

/** One for all comparisons, which never await: a new one would cost as much as the reading. */
let compared: Buffer | undefined;

/** Compares an open file with these bytes without reading it into memory at once. */
export function holds(fd: number, size: number, bytes: Bytes): boolean {
  if (size !== bytes.length) return false;
  compared ??= Buffer.allocUnsafeSlow(COMPARED);
  const piece = compared;
  for (let position = 0; position < size; ) {
    const count = fs.readSync(fd, piece, 0, piece.length, position);
    if (count === 0 || position + count > size) return false;
    if (piece.compare(bytes, position, position + count, 0, count) !== 0) return false;
    position += count;
  }
  return true;
}

const kindOf = (entry: fs.Dirent): Entry["kind"] =>
  entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";

export async function listFolder(place: Place): Promise<Entry[]> {
  try {
    const folder = openFolder(place.real, place.shown);
    try {
      const entries = await fs.promises.readdir(folder.self, { withFileTypes: true });
      return entries
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    } finally {
      folder.close();
    }
  } catch (error) {
    throw asFailure(error, place.shown);
  }
}
