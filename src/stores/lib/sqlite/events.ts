import type { Events, KeptEvent } from "../../../core/contracts/store/events.ts";
import type { Connection } from "../connection.ts";
import { counted, SEQUENCE } from "../counters.ts";
import type { Row } from "../driver.ts";
import { merged } from "../following.ts";
import { fromJson, toJson } from "../json.ts";
import type { Using } from "../usage.ts";
import type { Find } from "./records.ts";

const eventRow = (row: Row): KeptEvent => ({
  seq: Number(row.seq),
  id: String(row.id),
  type: String(row.type),
  at: Number(row.at),
  ...(row.session !== null && { session: String(row.session) }),
  ...(row.record !== null && { record: String(row.record) }),
  body: fromJson(String(row.body)),
});

export function sqliteEvents(using: Using, connection: Connection, find: Find): Events {
  const { sql, transaction } = connection;
  return {
    tell: (events) =>
      using(() => {
        if (events.length === 0) return;
        const rows = events.map((event) => ({ ...event, body: toJson(event.body) }));
        transaction(() => {
          const insert = sql("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)");
          let seq = counted(connection, SEQUENCE, rows.length) - rows.length;
          for (const { id, type, at, session, record, body } of rows)
            insert.run(++seq, id, type, at, session ?? null, record ?? null, body);
        });
      }),
    events: ({ after = 0, session, limit }) =>
      using(() => {
        // a fixed upper bound: what others add between the two queries comes complete with the next call
        const upTo = Number(sql("SELECT value FROM counters WHERE name = ?").get(SEQUENCE)?.value ?? 0);
        const ofSession = session === undefined ? "" : "AND session = ?";
        const told = sql(`SELECT * FROM events WHERE seq > ? AND seq <= ? ${ofSession} ORDER BY seq LIMIT ?`)
          .all(after, upTo, ...(session === undefined ? [] : [session]), limit ?? -1)
          .map(eventRow);
        const recorded = find({
          ...{ after, before: upTo + 1, order: "oldest-first" },
          ...(session !== undefined && { session }),
          ...(limit !== undefined && { limit }),
        });
        return merged(told, recorded, limit);
      }),
  };
}
