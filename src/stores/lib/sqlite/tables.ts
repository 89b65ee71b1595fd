import type { PutOptions, RowQuery, Stored, Table, Tables } from "../../../core/contracts/store/tables.ts";
import type { Connection } from "../connection.ts";
import { counted } from "../counters.ts";
import type { Row } from "../driver.ts";
import { fromJson, toJson } from "../json.ts";
import { OWNER_COLUMNS, type Owners } from "../owners.ts";
import { isSealed, type Seal, sealOf } from "../seal.ts";
import type { Using } from "../usage.ts";

const ROWS = `SELECT tool_rows.*, ${OWNER_COLUMNS} FROM tool_rows LEFT JOIN owners ON owners.handle = tool_rows.owner`;

export function sqliteTables(using: Using, connection: Connection, owners: Owners, seal: Seal): Tables {
  const { sql, transaction } = connection;

  const storedRow = <T>(row: Row): Stored<T> => ({
    key: String(row.key),
    value: fromJson<T>(String(row.value)),
    version: Number(row.version),
    at: Number(row.at),
    ...(row.owner !== null && owners.ownerIsGone(row) && { orphaned: true }),
    ...(row.seal !== null &&
      isSealed(row.seal, sealOf(seal, "row", [row.name, row.key, row.value, row.version])) && { sealed: true }),
  });

  return {
    table(name): Table {
      const row = (key: string): Row | undefined => sql(`${ROWS} WHERE name = ? AND key = ?`).get(name, key);

      /** Call it inside a transaction. */
      const isOf = (key: string, wanted: number | undefined): boolean =>
        wanted === undefined || Number(row(key)?.version ?? 0) === wanted;

      return {
        get: <T>(key: string) =>
          using(() => {
            const found = row(key);
            return found && storedRow<T>(found);
          }),
        put: <T>(key: string, value: T, options?: PutOptions) =>
          using(() => {
            const text = toJson(value);
            return transaction(() => {
              if (!isOf(key, options?.ifVersion)) return undefined;
              // versions are never reused, so that a row that was removed and added again is not taken for the old one
              const version = counted(connection, `table ${name}`, 1);
              const at = Date.now();
              const owner = options?.bound ? owners.register() : null;
              const mark = options?.sealed ? sealOf(seal, "row", [name, key, text, version]) : null;
              const values = [name, key, text, version, at, owner, mark];
              sql("INSERT OR REPLACE INTO tool_rows VALUES (?, ?, ?, ?, ?, ?, ?)").run(...values);
              return { key, value: fromJson<T>(text), version, at, ...(options?.sealed && { sealed: true }) };
            });
          }),
        remove: (key, options) =>
          using(() =>
            transaction(() => {
              if (!isOf(key, options?.ifVersion)) return false;
              return Number(sql("DELETE FROM tool_rows WHERE name = ? AND key = ?").run(name, key).changes) > 0;
            }),
          ),
        list: <T>({ prefix = "", after, limit, unchangedSince }: RowQuery = {}) =>
          using(() => {
            const narrower = [
              ...(after === undefined ? [] : [["AND key > ?", after] as const]),
              ...(unchangedSince === undefined ? [] : [["AND at < ?", unchangedSince] as const]),
            ];
            const rows = sql(
              `${ROWS} WHERE name = ? AND key >= ? ${narrower.map(([words]) => words).join(" ")} ORDER BY key LIMIT ?`,
            ).all(name, prefix, ...narrower.map(([, value]) => value), limit ?? -1);
            // keys with the same prefix are adjacent
            const end = rows.findIndex(({ key }) => !String(key).startsWith(prefix));
            return rows.slice(0, end === -1 ? undefined : end).map((found) => storedRow<T>(found));
          }),
      };
    },
  };
}
