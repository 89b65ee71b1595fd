import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Hash, NewChange } from "../../core/contracts/store/changes.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** Below this size a copy in the database costs less than a hard link. */
const LARGE = 1 << 17;
/** What was written longer ago than this has reached the disk by itself. */
const SETTLED_MS = 60_000;
const SPECIAL_BITS = 0o7000;
const PIECE = 1 << 16;
/** Errors that mean missing, or not a regular file. A link is never ours, so it counts as missing. */
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);
const NAME = /^[0-9a-f]{64}$/;

/** A content, and the file that it was found in. */
export type Found = Pick<NewChange, "real" | "before" | "after" | "content" | "replaced">;

const sha256 = (bytes: Bytes): Hash => createHash("sha256").update(bytes).digest("hex");

/**
 * Keeps large before-contents as hard links to the replaced files, which costs nothing, whatever their size. Somebody
 * who had such a file open may still write to it, so its hash is checked on reading.
 */
export function keptFiles(folder: string) {
  /** What this process itself flushed to disk, by path. It need not wait for `SETTLED_MS`. */
  const left = new Map<string, Hash | null>();
  const fileOf = (hash: Hash): string => path.join(folder, hash);

  const opened = <T>(hash: Hash, use: (fd: number, stats: fs.Stats) => T): T | undefined => {
    const fd = fs.openSync(fileOf(hash), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = fs.fstatSync(fd);
      return stats.isFile() ? use(fd, stats) : undefined;
    } finally {
      fs.closeSync(fd);
    }
  };

  const drop = (hash: Hash): void => fs.rmSync(fileOf(hash), { force: true });

  const isOnDisk = ({ real, before }: Found, { ctimeMs }: fs.Stats): boolean =>
    left.get(real) === before || ctimeMs < Date.now() - SETTLED_MS;

  /** Hard-links what is at the path now, if it is a plain file with no other link. */
  const link = (change: Found, hash: Hash, content: Bytes): boolean => {
    const now = fs.lstatSync(change.real);
    if (!now.isFile() || now.nlink !== 1 || now.mode & SPECIAL_BITS || !isOnDisk(change, now)) return false;
    makeFolder(folder);
    drop(hash);
    fs.linkSync(change.real, fileOf(hash));
    if (opened(hash, (fd, stats) => stats.nlink === 2 && holds(fd, stats.size, content))) return true;
    drop(hash);
    return false;
  };

  return {
    /** Returns false if the content must be kept in another way. */
    take(change: Found): boolean {
      const { content, before, after, real, replaced } = change;
      if (!replaced || !content || content.length < LARGE || !before || !NAME.test(before)) return false;
      try {
        return link(change, before, content);
      } catch {
        // another disk, a file system without hard links, or a file that is not ours
        return false;
      } finally {
        left.set(real, after);
      }
    },

    /** Whether the content is kept here and cannot be written under another name, except the file being replaced. */
    keeps({ content, before, real, replaced = false }: Found): boolean {
      if (!content || !before) return false;
      try {
        const kept = (fd: number, stats: fs.Stats): boolean =>
          (stats.nlink === 1 || (replaced && stats.nlink === 2 && isAt(real, stats))) && holds(fd, stats.size, content);
        return opened(before, kept) ?? false;
      } catch {
        return false;
      }
    },

    /** Returns undefined if it is gone or was changed. Throws if that cannot be determined. */
    read(hash: Hash): Bytes | undefined {
      try {
        const bytes = opened(hash, (fd) => fs.readFileSync(fd));
        return bytes && sha256(bytes) === hash
          ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
          : undefined;
      } catch (error) {
        if (GONE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
        throw error;
      }
    },

    dropAllBut(known: ReadonlySet<Hash>): void {
      if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
      for (const name of fs.readdirSync(folder)) {
        if (!NAME.test(name) || known.has(name)) continue;
        try {
          drop(name);
        } catch {
          // a folder that is not ours
        }
      }
    },
  };
}

export type KeptFiles = ReturnType<typeof keptFiles>;

/** Never through a link, which would put the contents into somebody else's folder. */
function makeFolder(folder: string): void {
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  fs.mkdirSync(folder, { mode: 0o700 });
}

const isAt = (file: string, { dev, ino }: fs.Stats): boolean => {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  return there?.ino === ino && there.dev === dev;
};

/** One for all comparisons, which never await. */
let compared: Buffer | undefined;

function holds(fd: number, size: number, bytes: Bytes): boolean {
  if (size !== bytes.length) return false;
  compared ??= Buffer.allocUnsafeSlow(PIECE);
  const piece = compared;
  for (let position = 0; position < size; ) {
    const count = fs.readSync(fd, piece, 0, PIECE, position);
    if (count === 0 || piece.compare(bytes, position, position + count, 0, count) !== 0) return false;
    position += count;
  }
  return true;
}
