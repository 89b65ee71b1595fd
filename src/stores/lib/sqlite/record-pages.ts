import type { CallRecord, Mark } from "../../../core/contracts/store/records.ts";
import { isTurnOf, turnOf } from "../../../core/words/call.ts";
import { fromJson, toJson } from "../json.ts";
import type { Numbered } from "../record-query.ts";
import { type Common, type EarlierPage, fromColumns, fromRows } from "./earlier-pages.ts";
import { idsOf, inputsOf, isNextID, namesOf, type Page, type Runs, type Stage, valuesOf } from "./record-columns.ts";
import { flat, rareFields, rareOf, toTouch } from "./record-fields.ts";

type Verdict = CallRecord["verdict"];

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

const NOBODY: Partial<CallRecord> = { id: "" };

/** Usually the time of the whole is that of its last stage, and is not stored again. */
const lastOf = (trace: readonly Mark[]): number => trace.at(-1)?.microseconds ?? 0;

/** Columns that every record has a value in have their size from the start. */
const emptyPage = (size: number, start: number): Page => ({
  ...{ start, ids: [], call: new Array(size), at: new Array(size), names: [], input: [], message: [], agent: [] },
  ...{ tool: [], status: [], target: [], verdict: [], told: [], answer: [], stages: [], marks: [] },
  ...{ microseconds: [], touches: [], rare: [] },
});

/** Everything except the session, the workspace and the numbers, which are columns of the page's row. */
export function toPage(records: readonly CallRecord[], start: number): string {
  const page = emptyPage(records.length, start);
  let before = NOBODY;
  let message: string | null | undefined;
  let names: readonly string[] | null | undefined;
  for (let index = 0; index < records.length; index++) {
    const record = records[index] as CallRecord;
    if (!isNextID(record.id, before.id as string)) page.ids.push(index, record.id);
    page.call[index] = record.call;
    page.at[index] = record.at - start;
    const own = namesOf(record.input, names);
    if (own !== names) page.names.push(index, own);
    names = own;
    if (names) for (const name of names) page.input.push((record.input as Record<string, unknown>)[name]);
    else page.input.push(record.input);
    const turn = isTurnOf(record.call, record.message) ? null : record.message;
    if (turn !== message) page.message.push(index, turn);
    message = turn;
    if (record.agent !== before.agent) page.agent.push(index, record.agent);
    if (record.tool !== before.tool) page.tool.push(index, record.tool);
    if (record.status !== before.status) page.status.push(index, record.status);
    if (record.target !== before.target) page.target.push(index, record.target);
    if (record.told !== before.told) page.told.push(index, record.told ?? null);
    if (record.answer !== before.answer) page.answer.push(index, record.answer ?? null);
    if (!isSameVerdict(record.verdict, before.verdict)) page.verdict.push(index, record.verdict ?? null);
    if (!before.trace || !hasSameStages(record.trace, before.trace)) page.stages.push(index, stagesOf(record.trace));
    for (const { microseconds } of record.trace) page.marks.push(microseconds);
    if (record.microseconds !== lastOf(record.trace)) page.microseconds.push(index, record.microseconds);
    if (record.touches.length > 0) page.touches.push(index, flat(record.touches, record.workspace));
    const rare = rareOf(record);
    if (rare) page.rare.push(index, rare);
    before = record;
  }
  return toJson(page);
}

/** Reads a column whose values each belong to one record, in order of the records. */
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
  const found = fromJson<Page | EarlierPage>(text);
  if (!("marks" in found)) return fromRows(found, common);
  const page = "names" in found ? found : fromColumns(found);
  const { session, workspace, first } = common;
  const ids = idsOf(page.ids, page.call.length);
  const inputs = inputsOf(valuesOf(page.names), page.input);
  const messageOf = valuesOf(page.message);
  const agent = valuesOf(page.agent);
  const tool = valuesOf(page.tool);
  const status = valuesOf(page.status);
  const target = valuesOf(page.target);
  const verdictOf = valuesOf(page.verdict);
  const toldOf = valuesOf(page.told);
  const answerOf = valuesOf(page.answer);
  const stages = valuesOf(page.stages);
  const microseconds = ofSome(page.microseconds);
  const touches = ofSome(page.touches);
  const rare = ofSome(page.rare);
  const times = page.marks.values();
  return page.call.map((call, index) => {
    const message = messageOf(index) ?? turnOf(call);
    const verdict = verdictOf(index);
    const told = toldOf(index);
    const answer = answerOf(index);
    const trace = toMarks(stages(index), times);
    return {
      ...{ id: ids[index] as string, seq: first + index, call, session, message },
      ...{ agent: agent(index), workspace, tool: tool(index), at: page.start + (page.at[index] as number) },
      ...{ microseconds: microseconds(index) ?? lastOf(trace), status: status(index), target: target(index) },
      input: inputs(index),
      touches: (touches(index) ?? []).map((touch) => toTouch(touch, workspace)),
      trace,
      ...(verdict && { verdict }),
      ...rareFields(rare(index) ?? []),
      ...(typeof told === "number" && { told }),
      ...(typeof answer === "string" && { answer }),
    };
  });
}
