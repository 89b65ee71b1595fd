import type { CallRecord, RecordQuery } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { fromJson, toJson } from "./json.ts";
import { conditionsOf, meets } from "./matching.ts";

const PAGE_CHARACTERS = 65_536;
const PAGES_AT_ONCE = 8;

type Page = { session: string; texts: string[]; length: number };

/** Consecutive records of one session share a row: a row of their own would cost each of them three times as much. */
function pagesOf(records: readonly CallRecord[]): Page[] {
  const pages: Page[] = [];
  let page: Page | undefined;
  for (const record of records) {
    const text = toJson(record);
    if (!page || page.session !== record.session || page.length > PAGE_CHARACTERS) {
      page = { session: record.session, texts: [], length: 0 };
      pages.push(page);
    }
    page.texts.push(text);
    page.length += text.length;
  }
  return pages;
}

export function recordTable({ sql, transaction }: Connection) {
  return {
    record(records: readonly CallRecord[]): void {
      const pages = pagesOf(records);
      transaction(() => {
        const insert = sql("INSERT INTO records (session, page) VALUES (?, ?)");
        for (const { session, texts } of pages) insert.run(session, `[${texts.join(",")}]`);
      });
    },

    records(query: RecordQuery): CallRecord[] {
      const conditions = conditionsOf(query);
      // a page without this text can't hold such a record; a page with it is looked through
      const wanted = conditions.map(({ field, value }) =>
        field === "session"
          ? { text: "AND session = ?", value }
          : { text: "AND instr(page, ?)", value: JSON.stringify({ [field]: value }).slice(1, -1) },
      );
      const next = sql(
        `SELECT seq, page FROM records WHERE seq < ? ${wanted.map(({ text }) => text).join(" ")}
         ORDER BY seq DESC LIMIT ${PAGES_AT_ONCE}`,
      );
      const limit = query.limit ?? Number.POSITIVE_INFINITY;
      const found: CallRecord[] = [];
      let before = Number.MAX_SAFE_INTEGER;
      while (found.length < limit) {
        const rows = next.all(before, ...wanted.map(({ value }) => value));
        for (const row of rows) {
          const records = fromJson<CallRecord[]>(String(row.page)).reverse();
          for (const record of records) if (meets(record, conditions)) found.push(record);
          before = Number(row.seq);
        }
        if (rows.length < PAGES_AT_ONCE) break;
      }
      return found.slice(0, limit);
    },
  };
}
