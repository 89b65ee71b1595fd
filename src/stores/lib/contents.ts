import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { Hash } from "../../core/store.ts";
import type { Bytes } from "../../core/workspace.ts";
import type { Connection } from "./connection.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const RAW_FOR_MS = 10 * 60_000;
/** What one tidying compresses at the most, so that it never takes long. */
const COMPRESS_BYTES = 64 << 20;
const COMPRESS_COUNT = 1000;
const BATCH = 100;
const FREED_PAGES = 2048;

type Bounds = { maxAgeMs: number; maxBytes: number; now: number };

const plain = (bytes: unknown): Bytes =>
  // an empty content comes back as null from some versions of the driver
  bytes instanceof Uint8Array ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array();

/** Before-contents by their hash. "raw" will be compressed some day, "kept" was not worth it. */
export function contentTable({ sql, transaction }: Connection) {
  const bytesOf = (id: number): Bytes => plain(sql("SELECT bytes FROM blobs WHERE id = ?").get(id)?.bytes);

  /** Selects and deletes in one transaction: a content that a new row needs by then has a new date. */
  const pruneSome = ({ maxAgeMs, maxBytes, now }: Bounds): number =>
    transaction(() => {
      let total = Number(sql("SELECT sum(stored) AS total FROM contents").get()?.total ?? 0);
      const oldest = sql(
        `SELECT id, at, stored FROM contents
         WHERE hash NOT IN (SELECT before FROM changes WHERE state = 'intended' AND before IS NOT NULL)
         ORDER BY at, id LIMIT ${BATCH}`,
      ).all();
      let pruned = 0;
      for (const { id, at, stored } of oldest) {
        if (Number(at) >= now - maxAgeMs && total <= maxBytes) break;
        sql("DELETE FROM contents WHERE id = ?").run(id ?? null);
        total -= Number(stored);
        pruned++;
      }
      return pruned;
    });

  /** Only if nobody else did it meanwhile; by the hash too, because the id of a dropped content is used again. */
  const settle = (id: number, hash: Hash, packed: Bytes, size: number): boolean =>
    transaction(() => {
      const smaller = packed.length < size;
      const marked = sql("UPDATE contents SET format = ?, stored = ? WHERE id = ? AND hash = ? AND format = 'raw'").run(
        ...[smaller ? "deflated" : "kept", smaller ? packed.length : size, id, hash],
      );
      if (!smaller || Number(marked.changes) === 0) return false;
      sql("UPDATE blobs SET bytes = ? WHERE id = ?").run(packed, id);
      return true;
    });

  return {
    keep(hash: Hash, bytes: Bytes, at: number): void {
      const known = sql("UPDATE contents SET at = max(at, ?) WHERE hash = ?").run(at, hash);
      if (Number(known.changes) > 0) return;
      const { lastInsertRowid } = sql("INSERT INTO contents (hash, at, stored, format) VALUES (?, ?, ?, 'raw')").run(
        ...[hash, at, bytes.length],
      );
      sql("INSERT INTO blobs (id, bytes) VALUES (?, ?)").run(lastInsertRowid, bytes);
    },

    async read(hash: Hash): Promise<Bytes | undefined> {
      const row = sql("SELECT format, bytes FROM contents JOIN blobs USING (id) WHERE hash = ?").get(hash);
      if (!row) return undefined;
      return row.format === "deflated" ? plain(await inflate(plain(row.bytes))) : plain(row.bytes);
    },

    prune(bounds: Bounds): number {
      let pruned = 0;
      for (let some = BATCH; some === BATCH; pruned += some) some = pruneSome(bounds);
      return pruned;
    },

    /** Stops between two contents when `goOn` says so. */
    async compress(now: number, goOn: () => boolean): Promise<number> {
      const old = sql(
        `SELECT id, hash, stored FROM contents WHERE format = 'raw' AND at <= ? ORDER BY at, id LIMIT ${COMPRESS_COUNT}`,
      ).all(now - RAW_FOR_MS);
      let compressed = 0;
      let left = COMPRESS_BYTES;
      for (const row of old) {
        const [id, size] = [Number(row.id), Number(row.stored)];
        if (left <= 0 || !goOn()) break;
        left -= size;
        const packed = await deflate(bytesOf(id));
        if (goOn() && settle(id, String(row.hash), packed, size)) compressed++;
      }
      return compressed;
    },

    giveBackSpace(): void {
      sql(`PRAGMA incremental_vacuum(${FREED_PAGES})`).all();
    },
  };
}
