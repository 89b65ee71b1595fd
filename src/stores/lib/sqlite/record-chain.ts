import { createHash, randomUUID } from "node:crypto";
import type { Connection } from "../connection.ts";
import type { Row, Value } from "../driver.ts";
import { type Seal, sealIfPossible } from "../seal.ts";

/**
 * Pages of records form one chain per writer: each page contains the hash of the one before. Now and then a page also
 * contains the heads of the other chains, so that none can lose its end unnoticed. All of it is sealed.
 */
export type Head = { writer: string; place: number; last: number; link: string };

/** The columns that chain a page, in order. */
export type Link = {
  writer: string;
  place: number;
  before: string;
  beforeLast: number;
  anchors: string | null;
};

const ANCHOR_EVERY = 64;

/** SQLite returns a text only up to its first NUL. */
function asRead(text: string): string {
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}

/** Hashes each value with its length, so that no two pages have the same encoding. */
export function linkOf(link: Link, page: readonly Value[]): string {
  const hash = createHash("sha256");
  for (const value of [link.writer, link.place, link.before, link.beforeLast, link.anchors, ...page]) {
    const text = value === null ? "" : asRead(String(value));
    hash.update(`${value === null ? "-" : text.length}:`).update(text);
  }
  return hash.digest("hex");
}

export const pageSeal = (seal: Seal, link: string): string | null => sealIfPossible(seal, "page", [link]);

export const headOf = ({ writer, place, last, link }: Row): Head => ({
  writer: String(writer),
  place: Number(place),
  last: Number(last),
  link: String(link),
});

/** One writer's chain, while its store is open. */
export class RecordChain {
  readonly #connection: Connection;
  readonly #seal: Seal;
  #head: Head | undefined;
  constructor(connection: Connection, seal: Seal) {
    this.#connection = connection;
    this.#seal = seal;
  }

  /** Call it inside a transaction. `page` is the row without its link. The returned head takes effect with `keep`. */
  add(head: Head, page: readonly Value[]): Head {
    const { sql } = this.#connection;
    const place = head.place + 1;
    const anchors = place % ANCHOR_EVERY === 1 ? this.#anchors(head.writer) : null;
    const link: Link = { writer: head.writer, place, before: head.link, beforeLast: head.last, anchors };
    const hash = linkOf(link, page);
    sql("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
      ...page,
      ...[link.writer, place, link.before, link.beforeLast, anchors, hash, pageSeal(this.#seal, hash)],
    );
    return { writer: head.writer, place, last: Number(page[0]), link: hash };
  }

  get head(): Head {
    this.#head ??= { writer: randomUUID(), place: 0, last: 0, link: "" };
    return this.#head;
  }

  /** Call it inside the same transaction, after the last page. */
  tell({ writer, place, last, link }: Head): void {
    this.#connection.sql("INSERT OR REPLACE INTO chains VALUES (?, ?, ?, ?)").run(writer, place, last, link);
  }

  /** Call it after the transaction was committed. */
  keep(head: Head): void {
    this.#head = head;
  }

  /** The heads of the other chains, which this chain records from now on. */
  #anchors(writer: string): string | null {
    const { sql } = this.#connection;
    const heads = sql("SELECT * FROM chains WHERE writer <> ? ORDER BY writer").all(writer).map(headOf);
    if (heads.length === 0) return null;
    sql("DELETE FROM chains WHERE writer <> ?").run(writer);
    return JSON.stringify(heads);
  }
}
