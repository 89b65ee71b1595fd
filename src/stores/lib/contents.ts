import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Hash } from "../../core/contracts/store/changes.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";
import type { Connection } from "./connection.ts";
import type { Found, KeptFiles } from "./content-files.ts";
import type { Row } from "./driver.ts";

const RAW_FOR_MS = 10 * 60_000;
/** At most this much is compressed per tidying, so that it never takes long. */
const COMPRESS_BYTES = 64 << 20;
const COMPRESS_COUNT = 1000;
const BATCH = 100;
const FREED_PAGES = 8192;

type Bounds = { maxAgeMs: number; maxBytes: number; now: number };

const plain = (bytes: unknown): Bytes =>
  // some versions of the driver return empty contents as null
  bytes instanceof Uint8Array ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array();

async function unpacked(row: Row | undefined): Promise<Bytes | undefined> {
  if (!row || row.format === "linked") return undefined;
  return row.format === "deflated" ? plain(await promisify(inflateRaw)(plain(row.bytes))) : plain(row.bytes);
}

/**
 * Contents by hash. "raw" and "linked" (in a file of its own) will be compressed later, "kept" was not worth it. A file
 * exists before its row does, and is removed only when no row needs it (`sweep`), so a crash in between loses nothing.
 */
export function contentTable({ sql, transaction, durably }: Connection, files: KeptFiles) {
  const bytesOf = (id: number): Bytes => plain(sql("SELECT bytes FROM blobs WHERE id = ?").get(id)?.bytes);

  const look = (hash: Hash): Row | undefined =>
    sql("SELECT format, bytes FROM contents LEFT JOIN blobs USING (id) WHERE hash = ?").get(hash);

  const forget = (hash: Hash): void => {
    sql("DELETE FROM contents WHERE hash = ?").run(hash);
  };

  const putBlob = (id: number, bytes: Bytes): void => {
    sql("INSERT OR REPLACE INTO blobs (id, bytes) VALUES (?, ?)").run(id, bytes);
  };

  /** Selects and deletes in one transaction: a content that a new row needs has got a new date by then. */
  const pruneSome = ({ maxAgeMs, maxBytes, now }: Bounds): number =>
    transaction(() => {
      let total = Number(sql("SELECT sum(stored) AS total FROM contents").get()?.total ?? 0);
      const oldest = sql(
        `SELECT hash, at, stored FROM contents
         WHERE hash NOT IN (SELECT before FROM changes WHERE state = 'intended' AND before IS NOT NULL)
           AND hash NOT IN (SELECT hash FROM planned_contents)
         ORDER BY at, id LIMIT ${BATCH}`,
      ).all();
      let pruned = 0;
      for (const { hash, at, stored } of oldest) {
        if (Number(at) >= now - maxAgeMs && total <= maxBytes) break;
        forget(String(hash));
        total -= Number(stored);
        pruned++;
      }
      return pruned;
    });

  /**
   * Does nothing if another process did it first. Matches the hash, too, because ids of dropped contents are reused.
   * Flushed to disk before the file may be removed.
   */
  const settle = (id: number, hash: Hash, was: string, packed: Bytes, bytes: Bytes): boolean =>
    (was === "linked" ? durably : transaction)(() => {
      const smaller = packed.length < bytes.length;
      const [format, stored] = smaller ? ["deflated", packed] : ["kept", bytes];
      const marked = sql("UPDATE contents SET format = ?, stored = ? WHERE id = ? AND hash = ? AND format = ?").run(
        ...[format, stored.length, id, hash, was],
      );
      if (Number(marked.changes) === 0) return false;
      if (smaller || was === "linked") putBlob(id, stored);
      return smaller;
    });

  /** Forgets a file that was changed, unless the content has been stored again in the meantime. */
  const forgetLost = (hash: Hash): void =>
    transaction(() => {
      if (look(hash)?.format === "linked" && !files.read(hash)) forget(hash);
    });

  const compressOne = async (row: Row, goOn: () => boolean): Promise<boolean> => {
    const [id, hash, format] = [Number(row.id), String(row.hash), String(row.format)];
    let bytes: Bytes | undefined;
    try {
      bytes = format === "linked" ? files.read(hash) : bytesOf(id);
    } catch {
      // what cannot be read at the moment is not lost
      return false;
    }
    const packed = bytes && (await promisify(deflateRaw)(bytes));
    if (!goOn()) return false;
    if (bytes && packed) return settle(id, hash, format, packed, bytes);
    forgetLost(hash);
    return false;
  };

  return {
    /** Its age is counted from `at`. */
    keep(hash: Hash, bytes: Bytes, at: number, change: Found): void {
      // most are new, and then a SELECT costs less than an UPDATE of nothing
      const known = sql("SELECT id, format FROM contents WHERE hash = ?").get(hash);
      if (known) sql("UPDATE contents SET at = max(at, ?) WHERE id = ?").run(at, Number(known.id));
      if (known && (known.format !== "linked" || files.keeps(change))) return;
      if (known) {
        sql("UPDATE contents SET format = 'raw' WHERE id = ?").run(Number(known.id));
        putBlob(Number(known.id), bytes);
        return;
      }
      const format = files.take(change) ? "linked" : "raw";
      const { lastInsertRowid } = sql("INSERT INTO contents (hash, at, stored, format) VALUES (?, ?, ?, ?)").run(
        ...[hash, at, bytes.length, format],
      );
      if (format === "raw") putBlob(Number(lastInsertRowid), bytes);
    },

    async read(hash: Hash): Promise<Bytes | undefined> {
      const row = look(hash);
      if (row?.format !== "linked") return unpacked(row);
      // another process may move it into the database between the two reads
      return files.read(hash) ?? unpacked(look(hash));
    },

    prune(bounds: Bounds): number {
      // left by plans that were never finished
      sql("DELETE FROM planned_contents WHERE plan NOT IN (SELECT id FROM plans)").run();
      let pruned = 0;
      for (let some = BATCH; some === BATCH; pruned += some) some = pruneSome(bounds);
      return pruned;
    },

    /** Stops between two contents when `goOn` returns false. */
    async compress(now: number, goOn: () => boolean): Promise<number> {
      const old = sql(
        `SELECT id, hash, stored, format FROM contents
         WHERE format IN ('raw', 'linked') AND at <= ? ORDER BY at, id LIMIT ${COMPRESS_COUNT}`,
      ).all(now - RAW_FOR_MS);
      let compressed = 0;
      let left = COMPRESS_BYTES;
      for (const row of old) {
        if (left <= 0 || !goOn()) break;
        left -= Number(row.stored);
        if (await compressOne(row, goOn)) compressed++;
      }
      return compressed;
    },

    /** Removes files that no row needs: those of forgotten contents, and leftovers of dead processes. */
    sweep(): void {
      transaction(() => {
        const linked = sql("SELECT hash FROM contents WHERE format = 'linked'").all();
        files.dropAllBut(new Set(linked.map(({ hash }) => String(hash))));
      });
    },

    giveBackSpace(): void {
      sql(`PRAGMA incremental_vacuum(${FREED_PAGES})`).all();
    },
  };
}

export type Contents = ReturnType<typeof contentTable>;
