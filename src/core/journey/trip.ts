import type { Process } from "../contracts/process.ts";
import type { NewChange, Outcome } from "../contracts/store/changes.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Mark, UnderWay } from "../contracts/store/records.ts";
import type { Before, GuardedView, Stamp } from "../contracts/workspace.ts";
import type { Call, IncomingCall } from "../words/call.ts";
import type { CallOptions } from "../words/gate-view.ts";
import type { Ready } from "../words/ready.ts";
import { isPathTouch } from "../words/touch.ts";
import type { Trouble } from "../words/trouble.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Station } from "./journey-parts.ts";
import { Life } from "./life.ts";
import type { Opinion } from "./opinions.ts";
import { Opening } from "./recorder.ts";

/** What has been done in the world for a call. */
export type Deeds = {
  /** Files that it has changed, as they are shown. */
  readonly changed: string[];
  /** A command that it ran has changed files. */
  commandChanged?: true;
  /** Files that it wrote, or that were read for it, as they are now. */
  known?: { real: string; stamp: Stamp }[];
  /** The output without notes, where there are some: what is said besides makes no other answer of it. */
  unnoted?: string;
  /** What policies had to say of changes that no preview showed. */
  notes?: string[];
  /** How often the tool was run. */
  tries?: number;
  /** What was behind the failure, where it was not the call's own fault. */
  trouble?: Trouble;
  /** The tool was run, and not answered for from the cache. */
  ran: boolean;
  /** Changes that have begun and not yet ended. */
  underWay?: Set<Promise<void>>;
  /** Commands that it has started. */
  processes?: Process[];
  /** It has sent something into the network. */
  requested?: true;
  /** What it gave back holds text from outside. */
  outside?: true;
  /** What the tool looked at while it ran. */
  view?: GuardedView;
  /** Views of previews, to be closed at the end. */
  previews?: GuardedView[];
};

/** One call under way. Stages return what they found; this holds what outlives them. */
export type Trip = {
  readonly station: Station;
  readonly recordID: string;
  readonly life: Life;
  readonly startedAt: number;
  readonly started: number;
  readonly trace: Mark[];
  readonly deeds: Deeds;
  /** The planned call that is carried out by this one. */
  planned?: PlannedCall;
  /** Set for a call that will have a record. */
  opening?: Opening;
  /** What is known of the call so far, for its record; no stage decides by it. */
  readonly known: {
    call: Call;
    ready?: Ready;
    verdict?: Judgement;
    /** What each policy said, where somebody wants to know. */
    said?: Opinion[];
  };
};

export function begin(station: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts } = station;
  const trip = lookOnly(station, incoming, options);
  for (const lives of station.lives) lives.add(trip.life);
  const { call } = trip.known;
  trip.opening = new Opening(trip.recordID, () => underWay(trip));
  parts.recorder.open(trip.opening);
  if (parts.heard()) parts.emit({ type: "start", call }, aboutTrip(trip));
  return trip;
}

/** The call as other processes see it while it lasts. */
function underWay({ station, recordID, startedAt, known: { call, ready } }: Trip): UnderWay {
  const { redact } = station.parts;
  const parent = station.ancestors.at(-1);
  return {
    id: recordID,
    call: call.id,
    ...(parent !== undefined && { parent }),
    session: call.sessionID,
    agent: call.agent,
    workspace: workspaceOf(station),
    tool: redact(ready?.tool.name ?? call.name),
    target: redact(ready ? targetOf(ready) : ""),
    at: startedAt,
  };
}

/** The folder that the calls of a gate work in, as records name it. */
export const workspaceOf = ({ workspace }: Station): string => workspace.roots[0] ?? "";

/** What a call is about, for people. */
export function targetOf({ touches: [first] }: Pick<Ready, "touches">): string {
  if (!first) return "";
  if (isPathTouch(first)) return first.place.shown;
  if (first.action === "run") return first.command;
  if (first.action === "fetch") return first.url;
  if (first.action === "use") return first.name;
  return first.action === "unknown" ? "" : first.target;
}

/** A session that somebody named goes on from gate to gate and from process to process: what it did counts. */
export const inSession = (station: Station, session: string): Station =>
  session === station.facts.session.id
    ? station
    : { ...station, facts: station.facts.in(station.parts.sessions.named(session)) };

/** A call in the name of an agent that somebody wrote down, or below one, stands under what that agent may do. */
function underAgents(station: Station, { agent, name }: Call): Station {
  const { agentLimits } = station.parts;
  if (!agentLimits) return station;
  let { facts } = station;
  for (const each of agentsOf(station, agent)) {
    const most = agentLimits(each, name);
    if (most) facts = facts.under(most);
  }
  return facts === station.facts ? station : { ...station, facts };
}

/** Whoever calls, and all that it works for: most calls are of the gate's own agent alone. */
const agentsOf = ({ agent, keepers }: Station, caller: string): Iterable<string> =>
  caller === agent && keepers.length === 0 ? [agent] : new Set([caller, agent, ...keepers.map((each) => each.agent)]);

/** A trip without events and without a record. */
export function lookOnly(gate: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts, callers } = gate;
  const id = incoming.id === undefined ? `call_${parts.ids()}` : asText(incoming.id);
  const call: Call = {
    id,
    name: asText(incoming.name),
    args: incoming.args,
    messageID: incoming.messageID === undefined ? (gate.turn ?? `turn_${id}`) : asText(incoming.messageID),
    sessionID:
      incoming.sessionID === undefined ? (callers?.sessionID ?? gate.sessions[0] ?? "") : asText(incoming.sessionID),
    agent: incoming.agent === undefined ? (callers?.agent ?? gate.agent) : asText(incoming.agent),
  };
  const station = underAgents(inSession(gate, call.sessionID), call);
  return {
    station,
    recordID: parts.ids(),
    life: new Life(parts.clock, options.signal, station.above),
    startedAt: parts.clock.now(),
    started: parts.clock.ticks(),
    trace: [],
    deeds: { changed: [], ran: false },
    known: { call },
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

export const aboutTrip = ({ known, recordID }: Trip): { session: string; record: string } => ({
  session: known.call.sessionID,
  record: recordID,
});

/** A change of one file by this call, as the journal keeps it. */
export function rowOf(trip: Trip, { place, before, modeBefore }: Before, outcome: Outcome): NewChange {
  const { station, recordID, known } = trip;
  const { call, ready } = known;
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
