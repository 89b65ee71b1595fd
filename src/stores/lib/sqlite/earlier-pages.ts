import type { CallRecord, Mark } from "../../../core/contracts/store/records.ts";
import type { Numbered } from "../record-query.ts";
import type { Page } from "./record-columns.ts";
import { type FlatTouch, type Rare, rareFields, toTouch } from "./record-fields.ts";

/** The first format in columns, which had every id and every input as a whole. */
export type EarlierColumns = Omit<Page, "ids" | "names" | "microseconds"> & {
  readonly id: readonly string[];
  readonly microseconds: readonly number[];
};

export const fromColumns = ({ id, microseconds, ...page }: EarlierColumns): Page => ({
  ...page,
  ids: id.flatMap((each, index) => [index, each]),
  microseconds: microseconds.flatMap((each, index) => [index, each]),
  names: [0, null],
});

/** The format of pages before they were stored in columns: a row per record, and 0 for "same as the row before". */
export type EarlierPage = EarlierColumns | EarlierRows;

export type EarlierRows =
  | {
      readonly at: number;
      readonly stages: readonly string[];
      readonly rows: readonly Row[];
      readonly told?: readonly (number | null)[];
      readonly answers?: readonly (string | null)[];
    }
  | readonly Row[];

type Same<T> = T | 0;
type Of<K extends keyof CallRecord> = CallRecord[K];
type FlatMark = string | number | null;

type Row = [
  ...[id: string, call: string, message: Same<string>, agent: Same<string>, tool: Same<string>],
  ...[at: number, microseconds: number, status: Same<Of<"status">>, target: Same<string>, input: unknown],
  ...[touches: (Of<"touches">[number] | FlatTouch)[], trace: FlatMark[], verdict: Same<Of<"verdict"> | null>],
  ...rare: Rare,
];

/** What all records of a page share; `first` is the number of the first. */
export type Common = { session: string; workspace: string; first: number };

export function fromRows(page: EarlierRows, { session, workspace, first }: Common): Numbered[] {
  const { at: start, stages, rows, ...more } = "rows" in page ? page : { at: 0, stages: [], rows: page };
  let last: Numbered | undefined;
  /** The value itself, or that of the row before if it is 0. */
  const own = <K extends keyof CallRecord>(value: Same<Of<K>>, field: K): Of<K> =>
    value === 0 ? (last as Numbered)[field] : value;
  return rows.map((row, index) => {
    const [id, call, message, agent, tool, at, microseconds, status, target, input, touches, ...rest] = row;
    const [trace, judged, ...rare] = rest;
    const verdict = judged === 0 ? last?.verdict : judged;
    const told = "told" in more ? more.told?.[index] : undefined;
    const answer = "answers" in more ? more.answers?.[index] : undefined;
    last = {
      ...{ id, seq: first + index, call, session, message: own(message, "message"), agent: own(agent, "agent") },
      ...{ workspace, tool: own(tool, "tool"), at: start + at, microseconds, status: own(status, "status") },
      ...{ target: own(target, "target"), input, touches: touches.map((touch) => toTouch(touch, workspace)) },
      trace: toMarks(trace, stages),
      ...(verdict && { verdict }),
      ...rareFields(rare),
      ...(typeof told === "number" && { told }),
      ...(typeof answer === "string" && { answer }),
    };
    return last;
  });
}

/** A stage, its microseconds, and its verdict if any. The oldest pages name each stage, with null for no verdict. */
function toMarks(marks: readonly FlatMark[], stages: readonly string[]): Mark[] {
  const trace: Mark[] = [];
  let index = 0;
  while (index < marks.length) {
    const stage = marks[index++];
    const microseconds = Number(marks[index++]);
    const mark = { stage: typeof stage === "number" ? (stages[stage] ?? "") : String(stage), microseconds };
    const next = marks[index];
    if (typeof stage === "string" || typeof next === "string") index++;
    trace.push(typeof next === "string" ? { ...mark, verdict: next } : mark);
  }
  return trace;
}
