import { createHash, randomUUID } from "node:crypto";
import type { Connection } from "../connection.ts";
import type { Row, Value } from "../driver.ts";
import { type Seal, sealIfPossible } from "../seal.ts";

/**
 * Pages of records are links of a chain, one for each writer: a page tells the hash of the one before. Now and then a
 * page also tells the heads of the other chains, so that none can lose its end unnoticed. All of it is sealed.
 */
export type Head = { writer: string; place: number; last: number; link: string };

/** What a page is chained by, in the order of its columns. */
export type Link = {
  writer: string;
  place: number;
  before: string;
  beforeLast: number;
  anchors: string | null;
};

const ANCHOR_EVERY = 64;

/** SQLite gives back a text up to its first NUL. */
function asRead(text: string): string {
  const end = text.indexOf("\0");
  return end === -1 ? text : text.slice(0, end);
}

/** Each value with its length, so that no two pages are written alike. */
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

/** One writer's chain, as long as its store is open. */
export class RecordChain {
  readonly #connection: Connection;
  readonly #seal: Seal;
  #head: Head | undefined;
  constructor(connection: Connection, seal: Seal) {
    this.#connection = connection;
    this.#seal = seal;
  }

  /** Inside a transaction: `page` is what the row holds beside its link. What is given takes effect with `keep`. */
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

  /** Inside the same transaction, after the last page. */
  tell({ writer, place, last, link }: Head): void {
    this.#connection.sql("INSERT OR REPLACE INTO chains VALUES (?, ?, ?, ?)").run(writer, place, last, link);
  }

  /** The transaction is over. */
  keep(head: Head): void {
    this.#head = head;
  }

  /** The heads of the other chains; from now on this one tells them. */
  #anchors(writer: string): string | null {
    const { sql } = this.#connection;
    const heads = sql("SELECT * FROM chains WHERE writer <> ? ORDER BY writer").all(writer).map(headOf);
    if (heads.length === 0) return null;
    sql("DELETE FROM chains WHERE writer <> ?").run(writer);
    return JSON.stringify(heads);
  }
}
