import { type NewChange, UNTOLD } from "../contracts/store/changes.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Table } from "../contracts/store/tables.ts";
import type { Before, Watch } from "../contracts/workspace.ts";
import type { IncomingCall } from "../words/call.ts";
import type { HandedBack, HandedOver, HandOverOptions } from "../words/handed-over.ts";
import type { Ready } from "../words/ready.ts";
import { Ending, type Result } from "../words/result.ts";
import { isSame } from "../words/same.ts";
import { eachTouch, type Place, type RunTouch, runsReadOnly, runsSomething } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { grantedBefore } from "./asking.ts";
import { boundOf } from "./binding.ts";
import { digestOf, end, recordOf, tried } from "./ending.ts";
import { type Handed, handedOver } from "./forgotten.ts";
import { foresee, noteForeseen } from "./handed-sights.ts";
import { passHolds } from "./holding.ts";
import { hearAfterOthers, messageOf } from "./hooking.ts";
import { answerQuestions, depart } from "./journey.ts";
import type { Station } from "./journey-parts.ts";
import { refusal } from "./judging.ts";
import { judge } from "./opinions.ts";
import { bytesAt } from "./preview.ts";
import { reserve } from "./reserving.ts";
import { isEnded, isWaiting, type Prepared, type Stage } from "./stages.ts";
import { ANY_TOOL, standingFor } from "./standing-grants.ts";
import { lookOnly, mark, rowOf, type Trip } from "./trip.ts";
import { accountFor, knownTouches } from "./watching.ts";

const MOST_TOLD_AT_ONCE = 20;
const HEAD_LENGTH = 400;

/**
 * The journey of a call that another agent performs: read, judged, asked about if anybody can be asked, and reserved;
 * the files that it would change are saved. Takes no locks, as they end with this process. Never throws.
 */
export async function handOver(
  station: Station,
  incoming: IncomingCall,
  options: HandOverOptions,
): Promise<HandedOver> {
  const trip = lookOnly(station, incoming);
  const traveller = (await depart(trip)) as { trip: Trip; stage: Stage };
  if (isWaiting(traveller.stage)) {
    if (station.parts.approve) await answerQuestions([traveller]);
    else traveller.stage = await answeredBefore(trip, traveller.stage);
  }
  const { stage } = traveller;
  const handed = isEnded(stage) ? stage : await tried(trip, () => keep(trip, stage, incoming, options));
  if (isEnded(handed)) return refused(end(trip, handed.ended), trip);
  trip.life.end();
  const { answer, by, reason } = handed;
  return { answer, by, reason };
}

const answeredBefore = async (trip: Trip, prepared: Prepared): Promise<Stage> =>
  tried(trip, async () => (await grantedBefore(trip, prepared)) ?? prepared);

/** A call that ended here was not handed over, so it must not be performed. */
function refused({ error, output }: Result, { known: { verdict } }: Trip): HandedOver {
  const by = verdict?.answer === "deny" ? verdict.by : "journey";
  const reason = error?.message ?? output;
  return { answer: "deny", by, reason, ...(error?.hint && { next: error.hint }) };
}

async function keep(
  trip: Trip,
  prepared: Prepared,
  incoming: IncomingCall,
  { key, asks, unique, partly = false }: HandOverOptions,
): Promise<Judgement> {
  const { ready } = prepared;
  const { parts } = trip.station;
  if (!isSame(trip.known.call.args, incoming.args)) throw changedArguments(trip);
  const verdict = asPerformedElsewhere(trip, prepared, incoming);
  trip.known.verdict = verdict;
  if (verdict.answer === "ask" && !asks) throw await unasked(trip, { ...prepared, verdict });
  await passHolds(trip, ready.touches);
  const giveBack = await reserve(trip, verdict);
  try {
    const since = parts.clock.now();
    const { rows, watched } = await befores(trip, ready);
    const foreseen = await foresee(trip, prepared, partly);
    const changes = rows.length > 0 ? await parts.store.intend(rows) : [];
    mark(trip, "handed over", verdict.answer);
    const record = parts.recorder.cleaned(recordOf(trip, NOT_YET, []));
    const handed: Handed = { record, changes, since, watched, foreseen };
    const row = unique ? key : `${key} ${trip.recordID}`;
    // another hook process handed over the same call first
    if (!(await handedOver(parts).put(row, handed, { ifVersion: 0 }))) {
      await parts.store.conclude(changes, "void");
      await parts.pictures?.take(trip.recordID);
      await giveBack?.();
    }
  } catch (error) {
    await giveBack?.();
    throw error;
  }
  return verdict;
}

/** Nobody can be asked, so the hint names rules by which a person could allow the call beforehand. */
async function unasked(trip: Trip, prepared: Prepared): Promise<Ending> {
  const { verdict, ready } = prepared;
  const bound = verdict.grantable ? await boundOf(trip, ready) : undefined;
  const standing = bound?.whole ? await standingFor(trip, prepared, bound) : [];
  const rules = standing.filter(({ tool }) => tool === ANY_TOOL).map(({ shown }) => JSON.stringify(shown));
  return new Ending(
    "refused",
    "PERMISSION_DENIED",
    `This call needs a person's approval (${verdict.reason}), and nobody can be asked here.`,
    rules.length > 0
      ? `Go on without it, or ask the person to allow it in toolgate.yaml, below rules.allow: ${rules.join(", ")}.`
      : "Go on without it, or ask the person to do it.",
  );
}

const NOT_YET: Result = { success: true, status: "done", title: "", output: "", metadata: {} };

/** A hook or a person changed the arguments, so the agent has to call again with the new ones. */
const changedArguments = ({ known: { call } }: Trip) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    "The arguments were changed on their way here, so the call as it was sent must not be made.",
    `Call again with: ${JSON.stringify(call.args)}`,
  );

/**
 * Where another agent performs the call, nothing can be left out of a search, so it is judged like a command that reads
 * all of it; and a command that counts as another tool here is run as a command there.
 */
function asPerformedElsewhere(trip: Trip, { ready, verdict }: Prepared, { name }: IncomingCall): Judgement {
  const { policies, registry } = trip.station.parts;
  if (registry.get(name)?.name !== ready.tool.name)
    return stricter(verdict, {
      answer: "ask",
      by: "journey",
      reason: `it counts as ${ready.tool.name} here, but the agent may run it as a command`,
    });
  if (!verdict.exclude || runsSomething(ready.touches)) return verdict;
  const inner = ready.touches.map((touch) =>
    touch.action === "list" ? { ...touch, action: "read" as const, scope: touch.scope ?? "*" } : touch,
  );
  const search: RunTouch = { action: "run", command: ready.tool.name, class: "safe", inner };
  const judged = judge(policies, { ...ready, touches: [search] }, trip.station.facts);
  if (judged.answer === "deny") throw refusal(judged);
  return stricter(verdict, judged);
}

const stricter = (verdict: Judgement, other: Judgement): Judgement =>
  verdict.answer === "allow" && other.answer === "ask" ? { ...verdict, ...other } : verdict;

/** The files that the call would change, as they are. If it may change any file, a snapshot of all is kept. */
async function befores(trip: Trip, ready: Ready): Promise<{ rows: NewChange[]; watched: boolean }> {
  const { parts, workspace } = trip.station;
  const { touches, changes } = ready;
  const runs = touches.some((touch) => touch.action === "run" && !runsReadOnly(touch));
  const unknown = touches.some((touch) => touch.action === "unknown" || touch.action === "use");
  if (runs || unknown) {
    const watch = await workspace.watch?.(knownTouches(touches), parts.hash);
    const picture = watch?.picture?.();
    if (picture) await parts.pictures?.keep(trip.recordID, picture);
    const rows = (watch?.known ?? []).map((file) => rowOf(trip, file, { after: UNTOLD }));
    return { rows, watched: true };
  }
  const rows = new Map<string, NewChange>();
  for (const { place, before, after, modeBefore } of changes)
    rows.set(place.real, rowOf(trip, beforeAt(place, before, modeBefore), { after: after && parts.hash(after) }));
  for (const touch of eachTouch(touches)) {
    if (touch.action !== "write" && touch.action !== "delete") continue;
    if (touch.scope !== undefined || rows.has(touch.place.real)) continue;
    const info = await workspace.files.stat(touch.place);
    if (info && info.kind !== "file") continue;
    const before = await bytesAt(workspace, touch.place);
    rows.set(touch.place.real, rowOf(trip, beforeAt(touch.place, before, info?.mode), { after: UNTOLD }));
  }
  return { rows: [...rows.values()], watched: false };
}

const beforeAt = (place: Place, before: Before["before"], modeBefore: number | undefined): Before => ({
  place,
  before,
  ...(modeBefore !== undefined && { modeBefore }),
});

/**
 * Completes a call that another agent has performed: tells hooks, finds and journals what became of the files, and
 * writes the record. Returns what hooks said, or undefined if nothing was handed over under this key.
 */
export async function handBack(station: Station, key: string, told: HandedBack): Promise<string | undefined> {
  const handed = await takeOldest(handedOver(station.parts), key);
  if (!handed) return undefined;
  const { parts } = station;
  const { record } = handed;
  const trip = tripOf(station, record);
  const said = await hearAfterOthers(trip, record, resultOf(told)).catch((error) => [messageOf(error)]);
  const known = await knownOf(trip);
  const watch = (await watchOf(trip, handed)) ?? {
    known: [],
    end: async () => ({ ...NOTHING, whole: !handed.watched }),
  };
  const { account, whole } = await accountFor(trip, { ...known, since: handed.since }, watch);
  const changed = account.kept.length + account.lost.length > 0;
  const { failed, output = "" } = told;
  // a failure shows nothing
  if (failed === undefined && handed.foreseen) await noteForeseen(trip, record, handed.foreseen);
  parts.recorder.add({
    ...record,
    status: failed === undefined ? "done" : "failed",
    microseconds: Math.max(0, parts.clock.now() - record.at) * 1000,
    trace: [
      ...record.trace,
      { stage: whole ? "handed back" : "handed back; not every file was checked", microseconds: 0 },
    ],
    ...(changed && { changed: true }),
    ...(failed !== undefined && { error: { code: "COMMAND_FAILED", message: failed } }),
    ...(output !== "" && { output: { bytes: output.length, head: output.slice(0, HEAD_LENGTH) } }),
    ...(trip.deeds.known && { seen: trip.deeds.known }),
    ...((failed ?? told.output) !== undefined && { answer: digestOf(`${failed ?? ""}\n${output}`, parts.hash) }),
  });
  return parts.redact(said.join("\n\n"));
}

const resultOf = ({ failed, output = "" }: HandedBack): Result =>
  failed === undefined
    ? { ...NOT_YET, output }
    : {
        ...{ success: false, status: "failed", title: "", output, metadata: {} },
        error: { code: "COMMAND_FAILED", message: failed, hint: "" },
      };

const NOTHING = { found: [], lost: [] };

/** If two processes report the same end, the first one takes it. */
async function takeOldest(rows: Table, prefix: string): Promise<Handed | undefined> {
  for (const { key, value } of await rows.list<Handed>({ prefix, limit: MOST_TOLD_AT_ONCE }))
    if (await rows.remove(key)) return value;
  return undefined;
}

/** Rebuilds the trip of the process that handed the call over, as far as it is still needed. */
function tripOf(station: Station, { id, call, tool, session, message, agent, at }: CallRecord): Trip {
  const trip = lookOnly(station, { id: call, name: tool, sessionID: session, messageID: message, agent });
  return { ...trip, recordID: id, startedAt: at };
}

async function knownOf(trip: Trip): Promise<{ known: Before[]; ids: number[] }> {
  const { parts, workspace } = trip.station;
  const rows = await parts.store.changes({ record: trip.recordID, states: ["intended"] });
  const known: Before[] = [];
  for (const { real, shown, before, modeBefore } of rows) {
    const place = await workspace.trace(real);
    const content = before === null ? null : ((await parts.store.content(before)) ?? new Uint8Array());
    known.push(beforeAt({ ...place, shown }, content, modeBefore));
  }
  return { known, ids: rows.map(({ id }) => id) };
}

async function watchOf({ station, recordID }: Trip, { watched }: Handed): Promise<Watch | undefined> {
  const { parts, workspace } = station;
  const picture = watched ? await parts.pictures?.take(recordID).catch(() => undefined) : undefined;
  return picture && workspace.rewatch?.(picture, parts.hash);
}
