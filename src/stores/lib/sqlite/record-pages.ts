import type { CallRecord, Mark } from "../../../core/contracts/store/records.ts";
import type { Touch } from "../../../core/words/touch.ts";
import { fromJson, toJson } from "../json.ts";
import type { Numbered } from "../record-query.ts";
import { type Common, type EarlierPage, fromRows } from "./earlier-pages.ts";
import { type FlatTouch, flat, type Rare, rareFields, rareOf, toTouch } from "./record-fields.ts";

type Verdict = CallRecord["verdict"];

/** A stage of a trace, with its verdict if it has one. The microseconds are stored separately. */
type Stage = string | [stage: string, verdict: string];

/** Records by columns, which is faster to write than one by one, and half as long. */
type Page = {
  readonly id: string[];
  readonly call: string[];
  /** Milliseconds since `start`. */
  readonly at: number[];
  readonly start: number;
  readonly microseconds: number[];
  readonly input: unknown[];
  readonly message: Runs<string>;
  readonly agent: Runs<string>;
  readonly tool: Runs<string>;
  readonly status: Runs<CallRecord["status"]>;
  readonly target: Runs<string>;
  readonly verdict: Runs<NonNullable<Verdict> | null>;
  readonly told: Runs<number | null>;
  readonly answer: Runs<string | null>;
  readonly stages: Runs<Stage[]>;
  /** The microseconds of all stages of all records, in order. */
  readonly marks: number[];
  /** Columns that not every record has a value in. */
  readonly touches: Runs<(Touch | FlatTouch)[]>;
  readonly rare: Runs<Rare>;
};

/** Run-length encoding, because calls of a page are alike: the index at which a value begins, the value, and so on. */
type Runs<T> = (number | T)[];

const isSameVerdict = (one: Verdict, other: Verdict): boolean =>
  one === other ||
  (one !== undefined && one.answer === other?.answer && one.by === other.by && one.reason === other.reason);

function hasSameStages(one: readonly Mark[], other: readonly Mark[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one[index] as Mark, other[index] as Mark];
    if (a.stage !== b.stage || a.verdict !== b.verdict) return false;
  }
  return true;
}

const stagesOf = (trace: readonly Mark[]): Stage[] =>
  trace.map(({ stage, verdict }) => (verdict === undefined ? stage : [stage, verdict]));

const NOBODY: Partial<CallRecord> = {};

/** Everything except the session, the workspace and the numbers, which are columns of the page's row. */
export function toPage(records: readonly CallRecord[], start: number): string {
  const page: Page = {
    ...{ start, id: [], call: [], at: [], microseconds: [], input: [], message: [], agent: [], tool: [], status: [] },
    ...{ target: [], verdict: [], told: [], answer: [], stages: [], marks: [], touches: [], rare: [] },
  };
  let before = NOBODY;
  for (let index = 0; index < records.length; index++) {
    const record = records[index] as CallRecord;
    page.id.push(record.id);
    page.call.push(record.call);
    page.at.push(record.at - start);
    page.microseconds.push(record.microseconds);
    page.input.push(record.input);
    if (record.message !== before.message) page.message.push(index, record.message);
    if (record.agent !== before.agent) page.agent.push(index, record.agent);
    if (record.tool !== before.tool) page.tool.push(index, record.tool);
    if (record.status !== before.status) page.status.push(index, record.status);
    if (record.target !== before.target) page.target.push(index, record.target);
    if (record.told !== before.told) page.told.push(index, record.told ?? null);
    if (record.answer !== before.answer) page.answer.push(index, record.answer ?? null);
    if (!isSameVerdict(record.verdict, before.verdict)) page.verdict.push(index, record.verdict ?? null);
    if (!before.trace || !hasSameStages(record.trace, before.trace)) page.stages.push(index, stagesOf(record.trace));
    for (const { microseconds } of record.trace) page.marks.push(microseconds);
    if (record.touches.length > 0) page.touches.push(index, flat(record.touches, record.workspace));
    const rare = rareOf(record);
    if (rare) page.rare.push(index, rare);
    before = record;
  }
  return toJson(page);
}

/** Reads a column in order of the records: each gets the value that began last. */
function valuesOf<T>(runs: Runs<T>): (index: number) => T {
  let next = 0;
  return (index) => {
    if (runs[next] === index) next += 2;
    return runs[next - 1] as T;
  };
}

/** The same for a column whose values each belong to one record. */
function ofSome<T>(runs: Runs<T>): (index: number) => T | undefined {
  let next = 0;
  return (index) => {
    if (runs[next] !== index) return undefined;
    next += 2;
    return runs[next - 1] as T;
  };
}

function toMarks(stages: readonly Stage[], times: Iterator<number>): Mark[] {
  return stages.map((each) => {
    const microseconds = Number(times.next().value);
    if (typeof each === "string") return { stage: each, microseconds };
    const [stage, verdict] = each;
    return { stage, microseconds, verdict };
  });
}

export function fromPage(text: string, common: Common): Numbered[] {
  const page = fromJson<Page | EarlierPage>(text);
  if (!("marks" in page)) return fromRows(page, common);
  const { session, workspace, first } = common;
  const message = valuesOf(page.message);
  const agent = valuesOf(page.agent);
  const tool = valuesOf(page.tool);
  const status = valuesOf(page.status);
  const target = valuesOf(page.target);
  const verdictOf = valuesOf(page.verdict);
  const toldOf = valuesOf(page.told);
  const answerOf = valuesOf(page.answer);
  const stages = valuesOf(page.stages);
  const touches = ofSome(page.touches);
  const rare = ofSome(page.rare);
  const times = page.marks.values();
  return page.id.map((id, index) => {
    const verdict = verdictOf(index);
    const told = toldOf(index);
    const answer = answerOf(index);
    return {
      ...{ id, seq: first + index, call: page.call[index] as string, session, message: message(index) },
      ...{ agent: agent(index), workspace, tool: tool(index), at: page.start + (page.at[index] as number) },
      ...{ microseconds: page.microseconds[index] as number, status: status(index), target: target(index) },
      input: page.input[index],
      touches: (touches(index) ?? []).map((touch) => toTouch(touch, workspace)),
      trace: toMarks(stages(index), times),
      ...(verdict && { verdict }),
      ...rareFields(rare(index) ?? []),
      ...(typeof told === "number" && { told }),
      ...(typeof answer === "string" && { answer }),
    };
  });
}
