import type { Process } from "../contracts/process.ts";
import type { NewChange, Outcome } from "../contracts/store/changes.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Mark, Seen, UnderWay } from "../contracts/store/records.ts";
import type { Before, GuardedView } from "../contracts/workspace.ts";
import { type Call, type IncomingCall, turnOf } from "../words/call.ts";
import type { CallOptions } from "../words/gate-view.ts";
import type { Ready } from "../words/ready.ts";
import { isPathTouch } from "../words/touch.ts";
import type { Trouble } from "../words/trouble.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Station } from "./journey-parts.ts";
import { Life } from "./life.ts";
import type { Opinion } from "./opinions.ts";
import { Opening } from "./recorder.ts";

/** What a call has really done so far. */
export type Deeds = {
  /** Files that it changed, by the names that people are shown. */
  readonly changed: string[];
  /** A command of the call changed files. */
  commandChanged?: true;
  /** Files that it read or wrote, with their stamps as of now. */
  known?: Seen[];
  /** The output without its notes, if it has any: notes do not make the same answer a different one. */
  unnoted?: string;
  /** What policies noted about changes that no preview showed. */
  notes?: string[];
  /** How often the tool was run. */
  tries: number;
  /** Why the call failed, if that was not its own fault. */
  trouble?: Trouble;
  /** The tool was run, as opposed to a result from the cache. */
  ran: boolean;
  /** Commits that have begun and not yet ended. */
  underWay?: Set<Promise<void>>;
  /** Rows of the journal whose files are in place: the release of the locks concludes them. Absent without locks. */
  unconcluded?: number[];
  /** Commands that it has started. */
  processes?: Process[];
  /** It has sent something over the network. */
  requested?: true;
  /** Its result contains text from outside. */
  outside?: true;
  /** The view through which the tool looked at files while it ran. */
  view?: GuardedView;
  /** The views of previews, closed when the call ends. */
  previews?: GuardedView[];
};

/** One call under way. Stages return what they find; this holds only what outlives them. */
export type Trip = {
  readonly station: Station;
  readonly recordID: string;
  readonly life: Life;
  readonly startedAt: number;
  readonly started: number;
  readonly trace: Mark[];
  readonly deeds: Deeds;
  /** The planned call that this call carries out. */
  planned?: PlannedCall;
  /** Set for calls that get a record. */
  opening: Opening | undefined;
  /** What is known of the call so far, mainly for its record. */
  readonly known: {
    call: Call;
    ready: Ready | undefined;
    verdict: Judgement | undefined;
    /** What each policy said, collected only for `explain`. */
    said?: Opinion[];
  };
};

export function begin(station: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts } = station;
  const trip = lookOnly(station, incoming, options);
  parts.lives.add(trip.life);
  const { call } = trip.known;
  trip.opening = new Opening(trip.recordID, trip, underWay);
  parts.recorder.open(trip.opening);
  if (parts.heard()) parts.emit({ type: "start", call }, aboutTrip(trip));
  return trip;
}

/** What is under way in a gate and in all gates below it. */
export const livesIn = ({ parts, gates: [own] }: Station): Life[] =>
  parts.lives.members.filter(({ gates }) => own !== undefined && gates.includes(own));

/** The call as other processes see it while it is under way. */
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

/** What a call is about, as people are shown it. */
export function targetOf({ touches: [first] }: Pick<Ready, "touches">): string {
  if (!first) return "";
  if (isPathTouch(first)) return first.place.shown;
  if (first.action === "run") return first.command;
  if (first.action === "fetch") return first.url;
  if (first.action === "use") return first.name;
  return first.action === "unknown" ? "" : first.target;
}

/** The station for a call that names another session: what that session did, here or in other processes, counts. */
export const inSession = (station: Station, session: string): Station =>
  session === station.facts.session.id
    ? station
    : { ...station, facts: station.facts.in(station.parts.sessions.named(session)) };

/** Applies the limits of every configured agent that makes the call, or that the call is made for. */
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

/** The caller and every agent it works for. Usually that is the gate's own agent alone. */
const agentsOf = ({ agent, keepers }: Station, caller: string): Iterable<string> =>
  caller === agent && keepers.length === 0 ? [agent] : new Set([caller, agent, ...keepers.map((each) => each.agent)]);

/** A trip that emits no events and leaves no record. */
export function lookOnly(gate: Station, incoming: IncomingCall, options: CallOptions = {}): Trip {
  const { parts, callers } = gate;
  const id = incoming.id === undefined ? `call_${parts.ids()}` : asText(incoming.id);
  const call: Call = {
    id,
    name: asText(incoming.name),
    args: incoming.args,
    messageID: incoming.messageID === undefined ? (gate.turn ?? turnOf(id)) : asText(incoming.messageID),
    sessionID:
      incoming.sessionID === undefined ? (callers?.sessionID ?? gate.sessions[0] ?? "") : asText(incoming.sessionID),
    agent: incoming.agent === undefined ? (callers?.agent ?? gate.agent) : asText(incoming.agent),
  };
  const station = underAgents(inSession(gate, call.sessionID), call);
  return {
    station,
    recordID: parts.ids(),
    life: new Life(parts.clock, options.signal, station.above, station.gates),
    startedAt: parts.clock.now(),
    started: parts.clock.ticks(),
    trace: [],
    opening: undefined,
    deeds: { changed: [], tries: 0, ran: false },
    known: { call, ready: undefined, verdict: undefined },
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

/** The journal row for one file that this call changes. */
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
