import type { CallRecord, Mark } from "../../core/store.ts";

/** A record without the names of its fields, and its trace without those of its marks: half as long, twice as fast. */
export type RecordRow = ReturnType<typeof toRow>;

type FlatMark = string | number | null;

const flat = (trace: readonly Mark[]): FlatMark[] => {
  const marks: FlatMark[] = [];
  for (const { stage, microseconds, verdict } of trace) marks.push(stage, microseconds, verdict ?? null);
  return marks;
};

function toMarks(marks: readonly FlatMark[]): Mark[] {
  const trace: Mark[] = [];
  for (let index = 0; index < marks.length; index += 3) {
    const verdict = marks[index + 2];
    trace.push({
      stage: String(marks[index]),
      microseconds: Number(marks[index + 1]),
      ...(typeof verdict === "string" && { verdict }),
    });
  }
  return trace;
}

/** The session is told by the page. */
export const toRow = (record: CallRecord) =>
  [
    record.id,
    record.call,
    record.message,
    record.agent,
    record.tool,
    record.at,
    record.microseconds,
    record.status,
    record.target,
    record.input,
    record.touches,
    flat(record.trace),
    record.verdict ?? null,
    record.error ?? null,
    record.alerts ?? null,
  ] as const;

export function fromRow(row: RecordRow, session: string): CallRecord {
  const [id, call, message, agent, tool, at, microseconds, status, target, input, touches, ...more] = row;
  const [trace, verdict, error, alerts] = more;
  return {
    ...{ id, call, session, message, agent, tool, at, microseconds, status, target, input, touches },
    trace: toMarks(trace),
    ...(verdict && { verdict }),
    ...(error && { error }),
    // rows of an older version end before them
    ...(alerts && { alerts }),
  };
}
