import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Hash, NewChange } from "../../core/contracts/store/changes.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** Below this a copy in the database costs less than a second name. */
const LARGE = 1 << 17;
/** What was written longer ago than this has reached the disk by itself. */
const SETTLED_MS = 60_000;
const SPECIAL_BITS = 0o7000;
const PIECE = 1 << 16;
/** Errors that mean: missing, or not a regular file. A link is never one of ours, so it counts as missing. */
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"]);
const NAME = /^[0-9a-f]{64}$/;

/** A content, and the file it was found in. */
export type Found = Pick<NewChange, "real" | "before" | "after" | "content" | "replaced">;

const sha256 = (bytes: Bytes): Hash => createHash("sha256").update(bytes).digest("hex");

/**
 * Large before-contents, kept as the very files that were replaced: a second name costs nothing, whatever the size.
 * Somebody who had such a file open may still write to it, so what is read is held against its hash.
 */
export function keptFiles(folder: string) {
  /** What this process put on the disk itself, by path: that need not settle. */
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

  /** A second name for what is at the path now, if that is a plain file that has no other. */
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
    /** False: the content has to be kept otherwise. */
    take(change: Found): boolean {
      const { content, before, after, real, replaced } = change;
      if (!replaced || !content || content.length < LARGE || !before || !NAME.test(before)) return false;
      try {
        return link(change, before, content);
      } catch {
        // another disk, a file system without second names, a file that is not ours
        return false;
      } finally {
        left.set(real, after);
      }
    },

    /** Whether a content is here that nobody may write into under another name, but for what this change replaces. */
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

    /** Undefined: it is gone, or not what it was. Throws if that cannot be found out. */
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

/** Never through a link: what is kept there would lie in somebody else's folder. */
function makeFolder(folder: string): void {
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  fs.mkdirSync(folder, { mode: 0o700 });
}

const isAt = (file: string, { dev, ino }: fs.Stats): boolean => {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  return there?.ino === ino && there.dev === dev;
};

function holds(fd: number, size: number, bytes: Bytes): boolean {
  if (size !== bytes.length) return false;
  const piece = Buffer.allocUnsafe(PIECE);
  for (let position = 0; position < size; ) {
    const count = fs.readSync(fd, piece, 0, PIECE, position);
    if (count === 0 || piece.compare(bytes, position, position + count, 0, count) !== 0) return false;
    position += count;
  }
  return true;
}
