import type { PutOptions, RowQuery, Stored, Table, Tables } from "../../../core/contracts/store/tables.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";

/** In byte order, as databases sort. */
const byKey = (a: Stored, b: Stored): number => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));

export function memoryTables(using: Using): Tables {
  const tables = new Map<string, Map<string, Stored>>();
  /** Versions are never reused, so that a row that was removed and added again is not taken for the old one. */
  let version = 0;

  const rowsOf = (name: string): Map<string, Stored> => {
    const rows = tables.get(name) ?? new Map<string, Stored>();
    tables.set(name, rows);
    return rows;
  };

  return {
    table(name): Table {
      const rows = rowsOf(name);
      const isOf = (key: string, wanted?: number): boolean =>
        wanted === undefined || (rows.get(key)?.version ?? 0) === wanted;
      return {
        get: <T>(key: string) =>
          using(() => {
            const row = rows.get(key);
            return row && (copy(row) as Stored<T>);
          }),
        put: <T>(key: string, value: T, options?: PutOptions) =>
          using(() => {
            if (!isOf(key, options?.ifVersion)) return undefined;
            const row: Stored = { key, value: copy(value), version: ++version, at: Date.now() };
            // nobody else can reach what is in memory
            if (options?.sealed) row.sealed = true;
            rows.set(key, row);
            return copy(row) as Stored<T>;
          }),
        remove: (key, options) => using(() => isOf(key, options?.ifVersion) && rows.delete(key)),
        list: <T>({ prefix = "", after, limit, unchangedSince = Infinity }: RowQuery = {}) =>
          using(() => {
            const last = after === undefined ? undefined : Buffer.from(after);
            return [...rows.values()]
              .filter(({ at }) => at < unchangedSince)
              .filter(({ key }) => key.startsWith(prefix) && (!last || Buffer.compare(Buffer.from(key), last) > 0))
              .sort(byKey)
              .slice(0, limit)
              .map((row) => copy(row) as Stored<T>);
          }),
      };
    },
  };
}
