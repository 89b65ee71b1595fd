import type { ChainFinding, ChainReport } from "../../../core/contracts/store/chains.ts";
import type { Connection } from "../connection.ts";
import type { Row, Value } from "../driver.ts";
import { isSealed, type Seal, sealIfPossible, sealOf } from "../seal.ts";
import { type Head, headOf, linkOf, pageSeal } from "./record-chain.ts";
import { RecordNumbers } from "./record-numbers.ts";

const PAGES_AT_ONCE = 64;
/** The columns of a page without its link, in order. */
const PAGE = ["last", "first", "session", "workspace", "earliest", "latest", "page"];

export const checkpointValues = (upTo: number, records: number, at: number): Value[] => [upTo, records, at];
export const checkpointSeal = (seal: Seal, values: readonly Value[]): string => sealOf(seal, "checkpoint", [...values]);

/** Checks every page, in the order in which they were written. */
export class RecordCheck {
  readonly #connection: Connection;
  readonly #seal: Seal;
  readonly #findings: ChainFinding[] = [];
  /** The current head of each chain, and whether that page was found to be changed. */
  readonly #heads = new Map<string, Head & { doubtful: boolean }>();
  /** Up to where a checkpoint says that records were pruned, and up to where they may be without a chain. */
  #upTo = 0;
  #old = 0;
  readonly #numbers: RecordNumbers;
  #records = 0;
  #unchained = 0;
  constructor(connection: Connection, seal: Seal) {
    this.#connection = connection;
    this.#seal = seal;
    this.#numbers = new RecordNumbers(connection);
  }

  report(): ChainReport {
    const { sql } = this.#connection;
    const pruned = this.#checkpoint();
    this.#old = this.#unchainedUpTo();
    let cursor = 0;
    for (;;) {
      const rows = sql(`SELECT * FROM pages WHERE last > ? ORDER BY last LIMIT ${PAGES_AT_ONCE}`).all(cursor);
      for (const row of rows) this.#page(row);
      if (rows.length < PAGES_AT_ONCE) break;
      cursor = Number(rows.at(-1)?.last);
    }
    for (const row of sql("SELECT * FROM chains ORDER BY writer").all()) this.#anchor(headOf(row), "its own head");
    // where the chains find something, they are more precise
    if (this.#findings.length === 0)
      for (const { kind, from, to, message } of this.#numbers.findings(this.#upTo))
        this.#find(kind, "", from, to, message);
    const { size: writers } = this.#heads;
    return { records: this.#records, writers, unchained: this.#unchained, pruned, findings: this.#findings };
  }

  #find(kind: ChainFinding["kind"], writer: string, from: number, to: number, message: string): void {
    this.#findings.push({ kind, writer, from, to, message });
  }

  /** Returns how many records were pruned. */
  #checkpoint(): number {
    const row = this.#connection.sql("SELECT * FROM checkpoints ORDER BY up_to DESC LIMIT 1").get();
    if (!row) return 0;
    const { up_to: upTo, records, at, seal } = row;
    const values = [upTo ?? null, records ?? null, at ?? null];
    if (!isSealed(seal, checkpointSeal(this.#seal, values))) {
      this.#find("unsealed", "", 1, Number(upTo), "The checkpoint of what was pruned does not bear your seal.");
      return 0;
    }
    this.#upTo = Number(upTo);
    return Number(records);
  }

  /** Only a file from before there were chains may have records without one, and it notes up to where. */
  #unchainedUpTo(): number {
    let upTo = 0;
    for (const row of this.#connection.sql("SELECT * FROM unchained").all())
      if (isSealed(row.seal, sealIfPossible(this.#seal, "unchained", [Number(row.up_to)]) ?? "no seal can be made"))
        upTo = Math.max(upTo, Number(row.up_to));
    return upTo;
  }

  #page(row: Row): void {
    const [first, last] = [Number(row.first), Number(row.last)];
    this.#records += last - first + 1;
    this.#numbers.add(first, last);
    if (row.link === null) {
      if (last <= this.#old && this.#heads.size === 0) this.#unchained += last - first + 1;
      else this.#find("added", "", first, last, `${told(first, last)} not chained to any other.`);
      return;
    }
    const head = headOf(row);
    const isChanged = this.#isChanged(row, head, first);
    this.#follow(row, head, first, isChanged);
    if (!isChanged && typeof row.anchors === "string")
      this.#anchors(row.anchors, `the page of records ${first} to ${last}`);
    this.#heads.set(head.writer, { ...head, doubtful: isChanged });
  }

  #isChanged(row: Row, { writer, place, last, link }: Head, first: number): boolean {
    const chained = {
      ...{ writer, place, before: String(row.before), beforeLast: Number(row.before_last) },
      anchors: row.anchors === null ? null : String(row.anchors),
    };
    if (
      linkOf(
        chained,
        PAGE.map((name) => row[name] ?? null),
      ) !== link
    ) {
      this.#find("changed", writer, first, last, `${told(first, last)} changed.`);
      return true;
    }
    if (isSealed(row.seal, pageSeal(this.#seal, link) ?? "no seal can be made")) return false;
    this.#find(
      "unsealed",
      writer,
      first,
      last,
      `${told(first, last)} written by somebody without your key, or in another folder.`,
    );
    return true;
  }

  /** Checks that the page follows the one before it of the same writer. */
  #follow(row: Row, { writer, place, last }: Head, first: number, isChanged: boolean): void {
    const before = this.#heads.get(writer);
    const since = Number(row.before_last);
    if (!before) {
      if (since > this.#upTo && !isChanged)
        this.#find("removed", writer, 1, since, `Records up to ${since} of this writer were removed.`);
      return;
    }
    if (isChanged || before.doubtful) return;
    if (place === before.place + 1 && since === before.last && row.before === before.link) return;
    if (place > before.place + 1)
      this.#find(
        "removed",
        writer,
        before.last + 1,
        since,
        `Records after ${before.last}, up to ${since}, of this writer were removed.`,
      );
    else this.#find("added", writer, first, last, `${told(first, last)} put in: nothing leads to it.`);
  }

  #anchors(text: string, by: string): void {
    let heads: Head[] = [];
    try {
      heads = JSON.parse(text);
    } catch {
      // without a seal anybody may have written it
    }
    for (const head of heads) this.#anchor(head, by);
  }

  /** Checks a chain against a head that another page, or its own row, recorded. */
  #anchor({ writer, place, last, link }: Head, by: string): void {
    if (last <= this.#upTo) return;
    const now = this.#heads.get(writer);
    if (now?.doubtful || (now?.place === place && now.link === link)) return;
    const from = (now?.last ?? 0) + 1;
    // later pages continue from here, so nothing more is reported as lost
    this.#heads.set(writer, { writer, place, last, link, doubtful: false });
    if (!now || now.place < place)
      this.#find(
        "removed",
        writer,
        from,
        last,
        `Records of this writer up to ${last}, which ${by} tells of, were removed.`,
      );
    else this.#find("changed", writer, last, now.last, `The chain is not the one that ${by} tells of.`);
  }
}

const told = (first: number, last: number): string =>
  first === last ? `Record ${first} was` : `Records ${first} to ${last} were`;
