import type { CallRecord, RecordQuery } from "../../core/contracts/store/records.ts";
import type { Connection } from "./connection.ts";
import { fromJson, toJson } from "./json.ts";
import { conditionsOf, meets } from "./matching.ts";
import { fromRows, type RecordRow, toRows } from "./record-rows.ts";

const PAGE_RECORDS = 128;
const PAGES_AT_ONCE = 8;

/** Consecutive records of one session share a row: a row of their own would cost each of them three times as much. */
function pagesOf(records: readonly CallRecord[]): CallRecord[][] {
  const pages: CallRecord[][] = [];
  let page: CallRecord[] = [];
  for (const record of records) {
    if (page.length === 0 || page.length >= PAGE_RECORDS || page[0]!.session !== record.session) {
      page = [];
      pages.push(page);
    }
    page.push(record);
  }
  return pages;
}

export function recordTable({ sql, transaction }: Connection) {
  return {
    record(records: readonly CallRecord[]): void {
      const pages = pagesOf(records).map((page) => ({ session: page[0]!.session, text: toJson(toRows(page)) }));
      transaction(() => {
        const insert = sql("INSERT INTO records (session, page) VALUES (?, ?)");
        for (const { session, text } of pages) insert.run(session, text);
      });
    },

    records(query: RecordQuery): CallRecord[] {
      const conditions = conditionsOf(query);
      // a page without this text can't hold such a record; a page with it is looked through
      const wanted = conditions.map(({ field, value }) =>
        field === "session"
          ? { text: "AND session = ?", value }
          : { text: "AND instr(page, ?)", value: JSON.stringify(value) },
      );
      const next = sql(
        `SELECT seq, session, page FROM records WHERE seq < ? ${wanted.map(({ text }) => text).join(" ")}
         ORDER BY seq DESC LIMIT ${PAGES_AT_ONCE}`,
      );
      const limit = query.limit ?? Number.POSITIVE_INFINITY;
      const found: CallRecord[] = [];
      let before = Number.MAX_SAFE_INTEGER;
      while (found.length < limit) {
        const rows = next.all(before, ...wanted.map(({ value }) => value));
        for (const row of rows) {
          const records = fromRows(fromJson<RecordRow[]>(String(row.page)), String(row.session));
          for (const record of records.reverse()) if (meets(record, conditions)) found.push(record);
          before = Number(row.seq);
        }
        if (rows.length < PAGES_AT_ONCE) break;
      }
      return found.slice(0, limit);
    },
  };
}
