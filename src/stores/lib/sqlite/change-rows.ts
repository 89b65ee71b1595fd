import type { ChangeQuery, ChangeRow, NewChange } from "../../../core/contracts/store/changes.ts";
import type { Row, Value } from "../driver.ts";
import { fromJson, toJson } from "../json.ts";

const CHANGE_COLUMNS =
  "record, call, session, message, tool, at, real, shown, before, after, mode_before, mode_after, undoes, redoes";
export const INSERT_CHANGE = `INSERT INTO changes (${CHANGE_COLUMNS}, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'intended')`;

export const TELL_OUTCOME = `UPDATE changes SET after = ?, mode_after = coalesce(?, mode_after)
  WHERE id = ? AND state = 'intended'`;

export const changeValues = (change: NewChange): Value[] => [
  change.record,
  change.call,
  change.session,
  change.message,
  change.tool,
  change.at,
  change.real,
  change.shown,
  change.before,
  change.after,
  change.modeBefore ?? null,
  change.modeAfter ?? null,
  change.undoes ? toJson(change.undoes) : null,
  change.redoes ? toJson(change.redoes) : null,
];

export const changeRow = (row: Row): ChangeRow => ({
  id: Number(row.id),
  record: String(row.record),
  call: String(row.call),
  session: String(row.session),
  message: String(row.message),
  tool: String(row.tool),
  at: Number(row.at),
  real: String(row.real),
  shown: String(row.shown),
  before: row.before === null ? null : String(row.before),
  after: row.after === null ? null : String(row.after),
  ...(row.mode_before !== null && { modeBefore: Number(row.mode_before) }),
  ...(row.mode_after !== null && { modeAfter: Number(row.mode_after) }),
  state: row.state as ChangeRow["state"],
  ...(typeof row.undoes === "string" && { undoes: fromJson<number[]>(row.undoes) }),
  ...(typeof row.redoes === "string" && { redoes: fromJson<number[]>(row.redoes) }),
});

type Question = { text: string; values: Value[] };

const STATES: readonly ChangeRow["state"][] = ["intended", "done", "void"];

const FIELDS = ["real", "session", "message", "call", "record"] as const;

/** Column names come from `FIELDS`, never from the query. */
export function changeQuestion(query: ChangeQuery): Question {
  const set = FIELDS.filter((field) => query[field] !== undefined);
  const conditions = set.map((field) => `${field} = ?`);
  const { states } = query;
  if (states) {
    const asked = STATES.filter((state) => states.includes(state));
    // written out, not bound, because only then is the index of intended rows used
    conditions.push(`state IN (${asked.map((state) => `'${state}'`).join(", ")})`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  return { text: `SELECT * FROM changes ${where} ORDER BY id`, values: set.map((field) => query[field] ?? null) };
}
