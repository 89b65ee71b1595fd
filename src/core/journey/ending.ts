import type { Alert } from "../contracts/anomalies.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Bytes } from "../contracts/workspace.ts";
import { isPlain } from "../words/plain.ts";
import { Ending, type Failure, type Result, render, ToolFailure } from "../words/result.ts";
import { withoutEcho } from "../words/same.ts";
import { runsSomething } from "../words/touch.ts";
import { troubleOf } from "../words/trouble.ts";
import { seenIn } from "./known-files.ts";
import { letterOf } from "./making-letters.ts";
import { wellFormed } from "./returned.ts";
import type { Soon } from "./soon.ts";
import type { Ended } from "./stages.ts";
import { aboutTrip, mark, type Trip, targetOf, workspaceOf } from "./trip.ts";

const HEAD_LENGTH = 400;
const MOST_SEEN = 100;
const DIGEST_LENGTH = 16;
const NOTHING: readonly never[] = [];

/** The only catch-all: whatever a stage throws becomes the result of the call. Both are handed what they need. */
export function attempt<T, U, G>(
  trip: Trip,
  stage: (trip: Trip, given: G) => Soon<T>,
  next: (made: T | Ended, trip: Trip, given: G) => U,
  given: G,
): Soon<U> {
  let made: Soon<T>;
  try {
    made = stage(trip, given);
  } catch (error) {
    return next({ ended: failed(trip, error) }, trip, given);
  }
  return made instanceof Promise
    ? made.then(
        (value) => next(value, trip, given),
        (error) => next({ ended: failed(trip, error) }, trip, given),
      )
    : next(made, trip, given);
}

/** `attempt` without a continuation. */
export const tried = <T>(trip: Trip, stage: () => Soon<T>): Soon<T | Ended> => attempt(trip, stage, itself, undefined);

const itself = <T>(made: T): T => made;

/** What a call that threw ends with. */
export function failed(trip: Trip, error: unknown): Result {
  const { redact } = trip.station.parts;
  const known = understood(error);
  const trouble = troubleOf(error);
  if (trouble) trip.deeds.trouble = trouble;
  const failure: Failure = {
    code: known.code,
    message: redact(`${known.message}${alreadyMade(trip)}`),
    hint: redact(known === error || trip.deeds.changed.length === 0 ? known.hint : TAKE_BACK),
  };
  return {
    success: false,
    status: known instanceof Ending ? known.status : "failed",
    title: `${trip.known.call.name}: ${failure.message.split("\n", 1)[0]}`,
    output: known.output,
    error: failure,
    metadata: trip.deeds.tries > 1 ? { ...known.metadata, attempts: trip.deeds.tries } : known.metadata,
  };
}

const TAKE_BACK = "Undo the change if you do not want it without the rest.";

/** Tells the model which files were changed before the call failed. */
export const alreadyMade = ({ deeds: { changed } }: Trip): string =>
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

/** Foreign code may throw a value on which even `instanceof` throws. */
function understood(error: unknown): ToolFailure {
  try {
    if (error instanceof ToolFailure) return error;
  } catch {
    // not an error of ours
  }
  return accident(error);
}

/** An unforeseen error, of which only the message and a system code are known. */
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
    "The tool did not expect this. Check the arguments, or try another approach.",
  );
}

/** Ends every call: closes its views, keeps its record, notifies listeners and returns the result. */
export function end(trip: Trip, ended: Result): Result {
  const result = wellFormed(ended);
  const { station, known, deeds } = trip;
  const { parts } = station;
  deeds.view?.close();
  for (const view of deeds.previews ?? []) view.close();
  trip.life.end();
  parts.lives.remove(trip.life);
  mark(trip, "end");
  const alerts = alertsOf(trip, result);
  const record = recordOf(trip, result, alerts);
  const answer = answerOf(trip, result);
  record.told = answer.length;
  const heard = withoutEcho(answer, record.input);
  if (station.facts.isShared) record.answer = digestOf(heard, parts.hash);
  station.facts.noteEnd(record, heard);
  parts.recorder.add(record, trip.opening);
  const letter = result.success ? undefined : letterOf(trip, result);
  if (letter) parts.recorder.addLetter(letter);
  for (const running of deeds.processes ?? []) if (running.exit === undefined) tellLater(trip, record, running);
  if (parts.heard()) {
    const about = aboutTrip(trip);
    for (const alert of alerts) parts.emit({ type: "alert", call: known.call, ...alert }, about);
    const type = result.success ? "done" : "failed";
    parts.emit({ type, call: known.call, result, trace: trip.trace }, about);
  }
  return result;
}

const answerOf = ({ deeds: { unnoted } }: Trip, result: Result): string =>
  render(unnoted === undefined ? result : { ...result, output: unnoted });

/** Other processes need to know whether the answer was the same, not what it said. */
export const digestOf = (answer: string, hash: (bytes: Bytes) => string): string =>
  hash(new TextEncoder().encode(answer)).slice(0, DIGEST_LENGTH);

export function recordOf(trip: Trip, result: Result, alerts: readonly Alert[]): CallRecord {
  const { station, known, deeds } = trip;
  const { call, ready, verdict } = known;
  const input = ready ? ready.input : call.args;
  const record: CallRecord = {
    id: trip.recordID,
    call: call.id,
    session: call.sessionID,
    message: call.messageID,
    agent: call.agent,
    workspace: workspaceOf(station),
    tool: ready?.tool.name ?? call.name,
    at: trip.startedAt,
    microseconds: trip.trace.at(-1)?.microseconds ?? 0,
    status: result.status,
    target: ready ? targetOf(ready) : "",
    input: isPlain(input) ? input : station.parts.redactDeep(input),
    touches: ready?.touches ?? [],
    trace: trip.trace,
  };
  const parent = station.ancestors.at(-1);
  const seen = seenBy(trip, result);
  if (parent !== undefined) record.parent = parent;
  if (station.facts.isChild) record.ceiling = station.facts.ceiling;
  if (verdict) record.verdict = { answer: verdict.answer, by: verdict.by, reason: verdict.reason };
  if (result.error) record.error = { code: result.error.code, message: result.error.message };
  if (alerts.length > 0) record.alerts = alerts;
  if (deeds.changed.length > 0 || deeds.commandChanged) record.changed = true;
  if (seen.length > 0) record.seen = seen;
  if (deeds.outside || broughtBelow(trip)) record.outside = true;
  const onlyRead = result.success && ready?.danger === "safe";
  // output that was only read can be read again, so only the path of the whole is kept
  if (result.output !== "" && !onlyRead) record.output = outputOf(result);
  else if (result.truncated?.path !== undefined) record.output = { ...outputOf(result), head: "" };
  return record;
}

/** What came from outside below a call that delegated is part of its answer. */
const broughtBelow = ({ station: { facts }, known: { ready } }: Trip): boolean =>
  ready?.touches.some(({ action }) => action === "delegate") === true && facts.outside;

/** Files that the tool looked at while it ran, or the last of them if there were very many. */
function seenBy({ deeds: { view, known } }: Trip, { success }: Result): NonNullable<CallRecord["seen"]> {
  if (!view && !known) return NOTHING;
  // a failure shows nothing of what was read
  const looked = success && view ? seenIn(view.sights) : [];
  return [...looked, ...(known ?? [])].slice(-MOST_SEEN);
}

const outputOf = ({ output, truncated }: Result): NonNullable<CallRecord["output"]> => ({
  bytes: truncated?.totalBytes ?? output.length,
  head: output.slice(0, HEAD_LENGTH),
  ...(truncated?.path !== undefined && { path: truncated.path }),
});

const alertsOf = ({ station, known, deeds }: Trip, { status, error }: Result): readonly Alert[] =>
  known.ready && runsSomething(known.ready.touches)
    ? station.parts.anomalies.look({
        session: known.call.sessionID,
        status,
        code: error?.code,
        processes: deeds.processes ?? [],
      })
    : NOTHING;

/** Watches a command that outlives its call. An unusual end is reported and gets a record of its own. */
function tellLater(trip: Trip, record: CallRecord, running: NonNullable<Trip["deeds"]["processes"]>[number]): void {
  const { parts } = trip.station;
  const { call } = trip.known;
  const look = (exit: Awaited<typeof running.exited>): void => {
    if (running.stopped) return;
    const alerts = parts.anomalies.lookLater(call.sessionID, exit);
    if (alerts.length === 0) return;
    const message = `The command ${running.id} ended in the background.`;
    const { output: _, seen: __, changed: ___, told: ____, answer: _____, ...kept } = record;
    parts.recorder.add({
      ...kept,
      id: parts.ids(),
      at: parts.clock.now(),
      microseconds: 0,
      trace: [],
      status: "failed",
      error: { code: "COMMAND_FAILED", message },
      alerts,
    });
    if (parts.heard()) for (const alert of alerts) parts.emit({ type: "alert", call, ...alert }, aboutTrip(trip));
  };
  running.exited.then(look, () => {});
}
