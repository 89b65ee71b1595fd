import type { CallRecord, Mark } from "../../../core/contracts/store/records.ts";
import { isPathTouch, type PathTouch, type Touch } from "../../../core/words/touch.ts";
import { fromJson, toJson } from "../json.ts";
import type { Numbered } from "../record-query.ts";

/**
 * Records without the names of their fields, what the one before says already, and what is missing at the end: a third
 * as long, twice as fast. Times count from `at`, marks of traces name their stage by its place in `stages`.
 */
type Page = {
  readonly at: number;
  readonly stages: readonly string[];
  readonly rows: readonly Row[];
  /** How long each answer was, in the order of the rows; null where that is not known. */
  readonly told?: readonly (number | null)[];
  /** What tells their answers apart, likewise. */
  readonly answers?: readonly (string | null)[];
};

type Row = ReturnType<typeof toRow>;

/** Stands for what the row before has in this field: calls of a page have much in common. */
const SAME = 0;

type Same<T> = T | typeof SAME;

const unlessSame = <T>(value: T, before: T | undefined): Same<T> => (value === before ? SAME : value);

type Verdict = NonNullable<CallRecord["verdict"]>;

const isSameVerdict = (one: Verdict | undefined, other: Verdict | undefined): boolean =>
  one !== undefined && one.answer === other?.answer && one.by === other.by && one.reason === other.reason;

/** What most touches are, an existing file in the workspace, by its action and its name. */
type FlatTouch = [action: PathTouch["action"], shown: string];

const MOST_FIELDS = 3;

function isPlain(touch: Touch, workspace: string): touch is PathTouch {
  if (!isPathTouch(touch) || !touch.certain || Object.keys(touch).length !== MOST_FIELDS) return false;
  const { shown, real, root, exists, link } = touch.place;
  return exists && !link && root === workspace && real === `${workspace}/${shown}`;
}

const flatTouches = (touches: readonly Touch[], workspace: string): readonly (Touch | FlatTouch)[] =>
  touches.length === 0
    ? touches
    : touches.map((touch) => (isPlain(touch, workspace) ? [touch.action, touch.place.shown] : touch));

const toTouch = (touch: Touch | FlatTouch, workspace: string): Touch => {
  if (!Array.isArray(touch)) return touch;
  const [action, shown] = touch;
  return { action, place: { shown, real: `${workspace}/${shown}`, root: workspace, exists: true }, certain: true };
};

/** A stage, its microseconds, and its verdict if it has one. Older pages name each stage, and say null for no verdict. */
type FlatMark = string | number | null;

function flatTrace(trace: readonly Mark[], stages: Map<string, number>): FlatMark[] {
  const marks: FlatMark[] = [];
  for (const { stage, microseconds, verdict } of trace) {
    const index = stages.get(stage) ?? stages.size;
    if (index === stages.size) stages.set(stage, index);
    marks.push(index, microseconds);
    if (verdict !== undefined) marks.push(verdict);
  }
  return marks;
}

function toMarks(marks: readonly FlatMark[], stages: readonly string[]): Mark[] {
  const trace: Mark[] = [];
  let index = 0;
  while (index < marks.length) {
    const stage = marks[index++];
    const microseconds = Number(marks[index++]);
    const mark = { stage: typeof stage === "number" ? (stages[stage] ?? "") : String(stage), microseconds };
    const next = marks[index];
    const isVerdict = index < marks.length && (typeof stage === "string" || typeof next === "string");
    if (isVerdict) index++;
    trace.push(isVerdict && typeof next === "string" ? { ...mark, verdict: next } : mark);
  }
  return trace;
}

/** The session, the workspace and the numbers are told by the page. What is new comes last: older pages lack it. */
const toRow = (record: CallRecord, before: CallRecord | undefined, at: number, stages: Map<string, number>) =>
  [
    record.id,
    record.call,
    unlessSame(record.message, before?.message),
    unlessSame(record.agent, before?.agent),
    unlessSame(record.tool, before?.tool),
    record.at - at,
    record.microseconds,
    unlessSame(record.status, before?.status),
    unlessSame(record.target, before?.target),
    record.input,
    flatTouches(record.touches, record.workspace),
    flatTrace(record.trace, stages),
    isSameVerdict(record.verdict, before?.verdict) ? SAME : (record.verdict ?? null),
    ...rareOf(record),
  ] as const;

type Rare = [
  error?: CallRecord["error"] | null,
  alerts?: CallRecord["alerts"] | null,
  parent?: string | null,
  output?: CallRecord["output"] | null,
  seen?: CallRecord["seen"] | null,
  changed?: boolean | null,
  ceiling?: CallRecord["ceiling"] | null,
  outside?: boolean | null,
];

const NONE: Rare = [];

/** What few records have. */
function rareOf({ error, alerts, parent, output, seen, changed, ceiling, outside }: CallRecord): Rare {
  if (!error && !alerts && parent === undefined && !output && !seen && changed === undefined && !ceiling && !outside)
    return NONE;
  const rare: Rare = [
    ...([error ?? null, alerts ?? null, parent ?? null, output ?? null] as const),
    ...([seen ?? null, changed ?? null, ceiling ?? null, outside ?? null] as const),
  ];
  while (rare.at(-1) === null) rare.pop();
  return rare;
}

const isTold = (each: unknown): boolean => each !== null;

export function toPage(records: readonly CallRecord[], at: number): string {
  const stages = new Map<string, number>();
  const rows = records.map((record, index) => toRow(record, records[index - 1], at, stages));
  const told = records.map((record) => record.told ?? null);
  const answers = records.map((record) => record.answer ?? null);
  const page: Page = {
    ...{ at, stages: [...stages.keys()], rows },
    ...(told.some(isTold) && { told }),
    ...(answers.some(isTold) && { answers }),
  };
  return toJson(page);
}

/** What all records of a page have in common; `first` is the number of the first. */
export type Common = { session: string; workspace: string; first: number };

export function fromPage(text: string, { session, workspace, first }: Common): Numbered[] {
  const kept = fromJson<Page | readonly Row[]>(text);
  const page: Page = "rows" in kept ? kept : { at: 0, stages: [], rows: kept };
  const { at: start, stages, rows } = page;
  let last: Numbered | undefined;
  /** The value itself, or that of the row before. */
  const own = <K extends keyof CallRecord>(value: Same<CallRecord[K]>, field: K): CallRecord[K] =>
    value === SAME ? (last as Numbered)[field] : value;
  return rows.map((row, index) => {
    const [id, call, message, agent, tool, at, microseconds, status, target, input, touches, ...more] = row;
    const [trace, judged, error, alerts, parent, output, seen, changed, ceiling, outside] = more;
    const verdict = judged === SAME ? last?.verdict : judged;
    const told = page.told?.[index];
    const answer = page.answers?.[index];
    last = {
      ...{ id, seq: first + index, call, session, message: own(message, "message"), agent: own(agent, "agent") },
      ...{ workspace, tool: own(tool, "tool"), at: start + at, microseconds, status: own(status, "status") },
      ...{ target: own(target, "target"), input, touches: touches.map((touch) => toTouch(touch, workspace)) },
      trace: toMarks(trace, stages),
      ...(verdict && { verdict }),
      ...(error && { error }),
      ...(alerts && { alerts }),
      ...(typeof parent === "string" && { parent }),
      ...(output && { output }),
      ...(seen && { seen }),
      ...(typeof changed === "boolean" && { changed }),
      ...(ceiling && { ceiling }),
      ...(outside && { outside }),
      ...(typeof told === "number" && { told }),
      ...(typeof answer === "string" && { answer }),
    };
    return last;
  });
}
