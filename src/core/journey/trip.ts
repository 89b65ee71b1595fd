import type { Alert, AnomalyWatch } from "../contracts/anomalies.ts";
import type { Approver } from "../contracts/approval.ts";
import type { Clock } from "../contracts/clock.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Process } from "../contracts/process.ts";
import type { Step } from "../contracts/step.ts";
import type { CallRecord, Hash, Mark, NewChange, Outcome, Store } from "../contracts/store.ts";
import type { Before, Bytes, Change, Guard, GuardedView, Workspace } from "../contracts/workspace.ts";
import type { Registry } from "../registry.ts";
import type { Call, IncomingCall } from "../words/call.ts";
import type { CallOptions, Purse } from "../words/ceiling.ts";
import type { GateEvent } from "../words/event.ts";
import type { Ready } from "../words/ready.ts";
import { Ending, type Failure, type Result, ToolFailure, type Truncated } from "../words/result.ts";
import type { PlainTool, Tool } from "../words/tool.ts";
import { isPathTouch, runsSomething } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";
import type { SessionFacts } from "./facts.ts";
import { Life } from "./life.ts";
import type { Recorder } from "./recorder.ts";

/** Everything of the world that a journey reaches; tests replace any of it. */
export type Parts = {
  readonly registry: Registry;
  readonly store: Store;
  readonly recorder: Recorder;
  readonly anomalies: AnomalyWatch;
  readonly policies: readonly Policy[];
  readonly steps: readonly Step[];
  readonly guard: Guard;
  /** A workspace on top of another one, in which plans stay. */
  overlay(base: Workspace): Workspace;
  readonly clock: Clock;
  readonly approve?: Approver;
  readonly resolve?: (name: string) => Promise<Tool | PlainTool | null | undefined>;
  ids(): string;
  hash(bytes: Bytes): Hash;
  equal(a: Bytes | null, b: Bytes | null): boolean;
  redact(text: string): string;
  diff(changes: readonly Change[]): string;
  /** Within the budget of every output, or within fewer lines. */
  trim(text: string, lines?: number): { text: string; truncated?: Truncated };
  /** Keeps a whole output that was cut; gives the path to read it by. */
  readonly keep?: (id: string, text: string) => Promise<string>;
  nearest(word: string, candidates: readonly string[]): string[];
  emit(event: GateEvent): void;
  /** Whether anybody listens; events are not even made for nobody. */
  heard(): boolean;
};

/** Who travels: one gate with its session, under its ceiling, below the calls that opened it. */
export type Station = {
  readonly parts: Parts;
  readonly workspace: Workspace;
  readonly facts: SessionFacts;
  readonly purse: Purse;
  readonly sessionID: string;
  readonly agent: string;
  /** Record ids of the calls above. */
  readonly ancestors: readonly string[];
  readonly above?: Life;
  /** The turn that calls belong to when they do not say. */
  readonly turn?: string;
  /** Calls under way, of this gate and of those above it, so that closing a gate can stop them. */
  readonly lives: readonly Set<Life>[];
};

/** One call under way. Only the journey writes to it. */
export type Trip = {
  readonly station: Station;
  readonly recordID: string;
  readonly life: Life;
  readonly startedAt: number;
  readonly started: number;
  readonly trace: Mark[];
  call: Call;
  ready?: Ready;
  verdict?: Verdict;
  /** What policies hide from this call. */
  exclude: readonly string[];
  /** What the person's answer holds for. */
  approved?: Hash;
  /** A preview that failed, told only after a person agreed to the call. */
  withheld?: unknown;
  preview?: GuardedView;
  previewReadJournal?: boolean;
  view?: GuardedView;
  /** The tool was run, and not answered for from the cache. */
  ran?: boolean;
  /** Files that this call has changed, as they are shown. */
  readonly changed: string[];
  /** Changes that have begun and not yet ended. */
  underWay?: Set<Promise<void>>;
  /** Commands that this call has started. */
  processes?: Process[];
  result?: Result;
  /** What was kept of it at its end, and the commands that went on. */
  ended?: { record: CallRecord; leaving: readonly Process[] };
};

export function begin(station: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts } = station;
  const trip = rehearse(station, incoming, options);
  for (const lives of station.lives) lives.add(trip.life);
  if (parts.heard()) parts.emit({ type: "start", call: trip.call });
  return trip;
}

/** A trip that nobody hears of, for looking only. */
export function rehearse(station: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts } = station;
  const id = incoming.id === undefined ? `call_${parts.ids()}` : asText(incoming.id);
  return {
    station,
    recordID: parts.ids(),
    life: new Life(parts.clock, options.signal, station.above),
    startedAt: parts.clock.now(),
    started: parts.clock.ticks(),
    trace: [],
    call: {
      id,
      name: asText(incoming.name),
      args: incoming.args,
      messageID: incoming.messageID === undefined ? (station.turn ?? `turn_${id}`) : asText(incoming.messageID),
      sessionID: incoming.sessionID === undefined ? station.sessionID : asText(incoming.sessionID),
      agent: incoming.agent === undefined ? station.agent : asText(incoming.agent),
    },
    changed: [],
    exclude: [],
  };
}

/** A model may send anything in place of a name. */
function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** A change of one file by this call, as the journal keeps it. */
export function rowOf(trip: Trip, { place, before, modeBefore }: Before, outcome: Outcome): NewChange {
  const { call, station, ready, recordID } = trip;
  return {
    record: recordID,
    call: call.id,
    session: call.sessionID,
    message: call.messageID,
    tool: ready?.tool.name ?? call.name,
    at: station.parts.clock.now(),
    real: place.real,
    shown: place.shown,
    before: before === null ? null : station.parts.hash(before),
    content: before,
    ...(modeBefore !== undefined && { modeBefore }),
    ...outcome,
  };
}

export function mark(trip: Trip, stage: string, verdict?: string): void {
  const microseconds = Math.round((trip.station.parts.clock.ticks() - trip.started) * 1000);
  trip.trace.push(verdict === undefined ? { stage, microseconds } : { stage, microseconds, verdict });
}

/** The one catch of the project: whatever a stage throws becomes the result of the call. */
export async function attempt(trip: Trip, stage: (trip: Trip) => Promise<void>): Promise<void> {
  try {
    await stage(trip);
  } catch (error) {
    trip.result = failed(trip, error);
  }
}

function failed(trip: Trip, error: unknown): Result {
  const { redact } = trip.station.parts;
  const known = error instanceof ToolFailure ? error : accident(error);
  const failure: Failure = {
    code: known.code,
    message: redact(`${known.message}${alreadyMade(trip)}`),
    hint: redact(known === error || trip.changed.length === 0 ? known.hint : TAKE_BACK),
  };
  return {
    success: false,
    status: known instanceof Ending ? known.status : "failed",
    title: `${trip.call.name}: ${failure.message.split("\n", 1)[0]}`,
    output: known.output,
    error: failure,
    metadata: known.metadata,
  };
}

const TAKE_BACK = "Take the change back if it is not wanted without the rest.";

/** Files were changed before the call failed: the model has to know. */
export const alreadyMade = ({ changed }: Trip): string =>
  changed.length > 0 ? ` (The change of ${[...new Set(changed)].join(", ")} had already been made.)` : "";

const BY_SYSTEM_CODE: ReadonlyMap<unknown, Failure["code"]> = new Map([
  ["ENOENT", "NOT_FOUND"],
  ["EACCES", "PERMISSION_DENIED"],
  ["EPERM", "PERMISSION_DENIED"],
  ["EISDIR", "VALIDATION_ERROR"],
  ["ENOTDIR", "VALIDATION_ERROR"],
  ["EMFILE", "IO_ERROR"],
  ["ENFILE", "IO_ERROR"],
  ["ENOSPC", "IO_ERROR"],
  ["ETIMEDOUT", "TIMEOUT"],
]);

/** Something that nobody foresaw; the message is all there is. */
function accident(error: unknown): ToolFailure {
  let message: string;
  let code: unknown;
  try {
    message = error instanceof Error ? error.message || error.name : `it threw ${String(error)}`;
    code = (error as { code?: unknown } | null | undefined)?.code;
  } catch {
    message = "it threw something that cannot be read";
  }
  return new ToolFailure(
    BY_SYSTEM_CODE.get(code) ?? "UNKNOWN",
    message,
    "This was not foreseen by the tool. Check the arguments, or try another way.",
  );
}

/** Whatever happened: the result goes out, its record is kept, nothing stays behind. */
export function end(trip: Trip): Result {
  const { station, call, ready, verdict } = trip;
  const { parts } = station;
  const result = trip.result ?? failed(trip, new Error("the journey ended without a result"));
  trip.view?.close();
  trip.preview?.close();
  trip.life.end();
  for (const lives of station.lives) lives.delete(trip.life);
  const changed = trip.changed.length > 0;
  station.facts.noteEnd(result.status, changed);
  mark(trip, "end");
  const alerts = alertsOf(trip, result);
  const record: CallRecord = {
    id: trip.recordID,
    call: call.id,
    session: call.sessionID,
    message: call.messageID,
    agent: call.agent,
    tool: ready?.tool.name ?? call.name,
    at: trip.startedAt,
    microseconds: trip.trace.at(-1)?.microseconds ?? 0,
    status: result.status,
    target: ready ? targetOf(ready) : "",
    input: ready ? ready.input : call.args,
    touches: ready?.touches ?? [],
    trace: trip.trace,
  };
  if (verdict) record.verdict = { answer: verdict.answer, by: verdict.by, reason: verdict.reason };
  if (result.error) record.error = { code: result.error.code, message: result.error.message };
  if (alerts.length > 0) record.alerts = alerts;
  parts.recorder.add(record);
  if (trip.processes) trip.ended = { record, leaving: trip.processes.filter(({ exit }) => exit === undefined) };
  if (parts.heard()) for (const alert of alerts) parts.emit({ type: "alert", call, ...alert });
  if (parts.heard()) parts.emit({ type: result.success ? "done" : "failed", call, result, trace: trip.trace });
  return result;
}

const alertsOf = ({ station, call, ready, processes = [] }: Trip, { status, error }: Result): Alert[] =>
  ready && runsSomething(ready.touches)
    ? station.parts.anomalies.look({ session: call.sessionID, status, code: error?.code, processes })
    : [];

/** What the call was about, for people. */
function targetOf(ready: Ready): string {
  const [first] = ready.touches;
  if (!first) return "";
  if (isPathTouch(first)) return first.place.shown;
  if (first.action === "run") return first.command;
  if (first.action === "fetch") return first.url;
  if (first.action === "use") return first.name;
  return first.action === "unknown" ? "" : first.target;
}
