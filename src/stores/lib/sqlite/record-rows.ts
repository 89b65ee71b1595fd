import type { CallRecord, Mark } from "../../../core/contracts/store/records.ts";
import type { Numbered } from "../matching.ts";

/**
 * A record without the names of its fields and what is missing at the end, and its trace without those of its marks:
 * half as long, twice as fast.
 */
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

/** Stands for the verdict of the row before: calls of a page are mostly let through for one reason. */
const SAME = 0;

type Verdict = NonNullable<CallRecord["verdict"]>;

const isSame = (one: Verdict | undefined, other: Verdict | undefined): boolean =>
  one !== undefined && one.answer === other?.answer && one.by === other.by && one.reason === other.reason;

/** The session, the workspace and the numbers are told by the page. What is new comes last: older pages lack it. */
const toRow = (record: CallRecord, before: CallRecord | undefined) =>
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
    isSame(record.verdict, before?.verdict) ? SAME : (record.verdict ?? null),
    record.error ?? null,
    record.alerts ?? null,
    record.parent ?? null,
    record.output ?? null,
    record.seen ?? null,
    record.changed ?? null,
  ] as const;

export const toRows = (page: readonly CallRecord[]): RecordRow[] =>
  page.map((record, index) => {
    const row = toRow(record, page[index - 1]);
    let length: number = row.length;
    while (row[length - 1] === null) length--;
    return (length < row.length ? row.slice(0, length) : row) as RecordRow;
  });

/** What all records of a page have in common; `first` is the number of the first. */
export type Page = { session: string; workspace: string; first: number };

export function fromRows(rows: readonly RecordRow[], { session, workspace, first }: Page): Numbered[] {
  let last: Verdict | null = null;
  return rows.map((row, index) => {
    const [id, call, message, agent, tool, at, microseconds, status, target, input, touches, ...more] = row;
    const [trace, told, error, alerts, parent, output, seen, changed] = more;
    const verdict: Verdict | null = told === SAME ? last : (told ?? null);
    last = verdict;
    return {
      ...{ id, seq: first + index, call, session, message, agent, workspace, tool, at, microseconds, status },
      ...{ target, input, touches },
      trace: toMarks(trace),
      ...(verdict && { verdict }),
      ...(error && { error }),
      ...(alerts && { alerts }),
      ...(typeof parent === "string" && { parent }),
      ...(output && { output }),
      ...(seen && { seen }),
      ...(typeof changed === "boolean" && { changed }),
    };
  });
}
