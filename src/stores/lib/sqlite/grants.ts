import type { Grant, GrantQuery, Grants } from "../../../core/contracts/store/grants.ts";
import type { Connection } from "../connection.ts";
import type { Row, Value } from "../driver.ts";
import { fromJson, toJson } from "../json.ts";
import { isSealed, type Seal, sealOf } from "../seal.ts";
import type { Using } from "../usage.ts";

const grantValues = ({ id, tool, covers, shown, session, workspace, at }: Grant): Value[] => [
  ...[id, tool, covers, toJson(shown), session, workspace, at],
];

const grantRow = (row: Row): Grant => ({
  id: String(row.id),
  tool: String(row.tool),
  covers: String(row.covers),
  shown: fromJson<string[]>(String(row.shown)),
  session: row.session === null ? null : String(row.session),
  workspace: String(row.workspace),
  at: Number(row.at),
});

const CONDITIONS: Record<keyof GrantQuery, string> = {
  tool: "tool = ?",
  session: "(session = ? OR session IS NULL)",
  workspace: "workspace = ?",
};

export function sqliteGrants(using: Using, { sql, transaction }: Connection, seal: Seal): Grants {
  /** Leaves out grants without a valid seal, because no person gave them. */
  const given = (row: Row): Grant[] => {
    const said = [row.id, row.tool, row.covers, row.shown, row.session, row.workspace, row.at];
    return isSealed(row.seal, sealOf(seal, "grant", said)) ? [grantRow(row)] : [];
  };

  return {
    grant: (grants) =>
      using(() =>
        transaction(() => {
          for (const grant of grants) {
            const { id, tool, covers, session, workspace } = grant;
            sql("DELETE FROM grants WHERE id = ? OR (tool = ? AND covers = ? AND session IS ? AND workspace = ?)").run(
              id,
              tool,
              covers,
              session,
              workspace,
            );
            const values = grantValues(grant);
            sql(
              `INSERT INTO grants (id, tool, covers, shown, session, workspace, at, seal)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
            ).run(...values, sealOf(seal, "grant", values));
          }
        }),
      ),
    grants: (query) =>
      using(() => {
        const asked = (["tool", "session", "workspace"] as const).filter((field) => query[field] !== undefined);
        const where = asked.map((field) => `AND ${CONDITIONS[field]}`).join(" ");
        return sql(`SELECT * FROM grants WHERE TRUE ${where} ORDER BY seq`)
          .all(...asked.map((field) => query[field] ?? null))
          .flatMap(given);
      }),
    revoke: (id) => using(() => Number(sql("DELETE FROM grants WHERE id = ?").run(id).changes) > 0),
  };
}
