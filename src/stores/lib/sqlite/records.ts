import type { Chains } from "../../../core/contracts/store/chains.ts";
import type { CallRecord, RecordQuery, Records } from "../../../core/contracts/store/records.ts";
import { callOf } from "../../../core/words/call.ts";
import type { Connection } from "../connection.ts";
import { counted, SEQUENCE } from "../counters.ts";
import type { Value } from "../driver.ts";
import { conditionsOf, matcherOf, type Numbered } from "../record-query.ts";
import type { Seal } from "../seal.ts";
import type { Using } from "../usage.ts";
import { RecordChain } from "./record-chain.ts";
import { checkpointSeal, checkpointValues, RecordCheck } from "./record-check.ts";
import { fromPage, toPage } from "./record-pages.ts";

const PAGE_RECORDS = 256;
const PAGES_AT_ONCE = 8;

const sharePage = (a: CallRecord, b: CallRecord): boolean => a.session === b.session && a.workspace === b.workspace;

/** Consecutive records of one session share a row: separate rows would cost three times as much. */
function pagesOf(records: readonly CallRecord[]): [CallRecord, ...CallRecord[]][] {
  const pages: [CallRecord, ...CallRecord[]][] = [];
  for (const record of records) {
    const page = pages.at(-1);
    if (page && page.length < PAGE_RECORDS && sharePage(page[0], record)) page.push(record);
    else pages.push([record]);
  }
  return pages;
}

/** All values except the numbers, which are not known before the transaction. */
function pageValues(page: [CallRecord, ...CallRecord[]]): Value[] {
  let [earliest, latest] = [page[0].at, page[0].at];
  for (const { at } of page) {
    if (at < earliest) earliest = at;
    if (at > latest) latest = at;
  }
  return [page[0].session, page[0].workspace, earliest, latest, toPage(page, earliest)];
}

type Wanted = { text: string; values: readonly Value[] };

/** Conditions for pages that may contain matches; their records are then checked one by one. */
function wantedPages(query: RecordQuery): Wanted[] {
  const { since, until, after, before } = query;
  return [
    ...conditionsOf(query).map(({ field, value }) =>
      field === "session" || field === "workspace" ? { text: `${field} = ?`, values: [value] } : textsOf(field, value),
    ),
    ...(since === undefined ? [] : [{ text: "latest > ?", values: [since] }]),
    ...(until === undefined ? [] : [{ text: "earliest < ?", values: [until] }]),
    ...(after === undefined ? [] : [{ text: "last > ?", values: [after] }]),
    ...(before === undefined ? [] : [{ text: "first < ?", values: [before] }]),
  ];
}

/** A page without the text can't hold such a record. The turn of a call alone is written as that call. */
function textsOf(field: string, value: string): Wanted {
  const alone = field === "message" ? callOf(value) : undefined;
  const values = [value, ...(alone === undefined ? [] : [alone])].map((each) => JSON.stringify(each));
  return { text: `(${values.map(() => "instr(page, ?)").join(" OR ")})`, values };
}

export type Find = (query: RecordQuery) => Numbered[];

/** Finds records that match a query, starting at the end that it asks for. */
export const finder =
  ({ sql }: Connection): Find =>
  (query) => {
    const wanted = wantedPages(query);
    const meets = matcherOf(query);
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const [beyond, order] = query.order === "oldest-first" ? [">", "ASC"] : ["<", "DESC"];
    const next = sql(
      `SELECT last, first, session, workspace, page FROM pages
       WHERE ${[`last ${beyond} ?`, ...wanted.map(({ text }) => text)].join(" AND ")}
       ORDER BY last ${order} LIMIT ${PAGES_AT_ONCE}`,
    );
    const found: Numbered[] = [];
    let cursor = order === "ASC" ? 0 : Number.MAX_SAFE_INTEGER;
    while (found.length < limit) {
      const rows = next.all(cursor, ...wanted.flatMap(({ values }) => values));
      for (const row of rows) {
        const page = { session: String(row.session), workspace: String(row.workspace), first: Number(row.first) };
        const records = fromPage(String(row.page), page);
        for (const record of order === "ASC" ? records : records.reverse()) if (meets(record)) found.push(record);
        cursor = Number(row.last);
      }
      if (rows.length < PAGES_AT_ONCE) break;
    }
    return found.slice(0, limit);
  };

/** Beyond this many records and events, the oldest are pruned and a checkpoint is left. */
const MOST_KEPT = 500_000;

export function sqliteRecords(
  using: Using,
  connection: Connection,
  find: Find,
  seal: Seal,
): Pick<Records, "record" | "records"> & Chains & { tidyRecords(most?: number): void } {
  const { sql, transaction, snapshot } = connection;
  const chain = new RecordChain(connection, seal);

  return {
    record: (records) =>
      using(() => {
        const pages = pagesOf(records).map((page) => ({ size: page.length, values: pageValues(page) }));
        if (pages.length === 0) return;
        const head = transaction(() => {
          let last = counted(connection, SEQUENCE, records.length) - records.length;
          let { head } = chain;
          for (const { size, values } of pages) {
            head = chain.add(head, [last + size, last + 1, ...values]);
            last += size;
          }
          chain.tell(head);
          return head;
        });
        chain.keep(head);
      }),
    records: (query) => using(() => find(query)),
    // one consistent state of the file, whoever else writes in the meantime
    verify: () => using(() => snapshot(() => new RecordCheck(connection, seal).report())),
    tidyRecords: (most = MOST_KEPT) => {
      const upTo = Number(sql("SELECT value FROM counters WHERE name = ?").get(SEQUENCE)?.value ?? 0) - most;
      if (upTo <= 0 || !sql("SELECT 1 FROM pages WHERE last <= ? LIMIT 1").get(upTo)) return;
      transaction(() => {
        const before = sql("SELECT * FROM checkpoints ORDER BY up_to DESC LIMIT 1").get();
        const gone = sql("SELECT sum(last - first + 1) AS gone FROM pages WHERE last <= ?").get(upTo);
        const pruned = Number(before?.records ?? 0) + Number(gone?.gone ?? 0);
        const values = checkpointValues(upTo, pruned, Date.now());
        sql("DELETE FROM checkpoints").run();
        sql("INSERT INTO checkpoints VALUES (?, ?, ?, ?)").run(...values, checkpointSeal(seal, values));
        sql("DELETE FROM pages WHERE last <= ?").run(upTo);
        sql("DELETE FROM events WHERE seq <= ?").run(upTo);
      });
    },
  };
}
