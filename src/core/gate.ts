import type { Format } from "./contracts/arguments.ts";
import { type Explanation, explain } from "./journey/explain.ts";
import { SessionFacts } from "./journey/facts.ts";
import { travel } from "./journey/journey.ts";
import { cancelled } from "./journey/life.ts";
import type { Below } from "./journey/performing.ts";
import type { Station } from "./journey/trip.ts";
import { type BatchOptions, travelAll } from "./journey/waves.ts";
import type { Listeners } from "./listeners.ts";
import type { Dialect, Registry } from "./registry.ts";
import type { IncomingCall } from "./words/call.ts";
import { type CallOptions, type ChildGate, type ChildOptions, type GateView, meet, Purse } from "./words/ceiling.ts";
import type { GateEvent } from "./words/event.ts";
import { Ending, type Result } from "./words/result.ts";
import type { JsonSchema } from "./words/tool.ts";

export type GateSettings = {
  listeners: Listeners;
  dialects: Readonly<Record<string, Dialect>>;
  dialect: string;
  /** Ends what the gate started, once its calls are over. */
  shut(): Promise<void>;
  /** Whether a gate above this one was closed. */
  isOver?(): boolean;
};

/** What an agent builder holds: calls go in, results come out, nothing gets around the journey. */
export class Gate implements GateView, ChildGate {
  readonly #station: Station;
  readonly #settings: GateSettings;
  #closing: Promise<void> | undefined;
  constructor(station: Station, settings: GateSettings) {
    this.#station = station;
    this.#settings = settings;
  }

  get registry(): Registry {
    return this.#station.parts.registry;
  }
  get sessionID(): string {
    return this.#station.sessionID;
  }
  get agent(): string {
    return this.#station.agent;
  }

  /** Runs one call. Never throws: whatever happens is told by the result. */
  call(call: IncomingCall, options: CallOptions = {}): Promise<Result> {
    return travel(this.#station, readable(call), this.#stopped(options), this.#below);
  }

  /** Runs many, those that cannot disturb each other together; answers in order. */
  callAll(calls: readonly IncomingCall[], options: BatchOptions = {}): Promise<Result[]> {
    const all = Array.isArray(calls) ? calls.map(readable) : [];
    return travelAll(this.#station, all, this.#stopped(options), this.#below);
  }

  /** Judges a call and runs nothing. */
  explain(call: IncomingCall): Promise<Explanation> {
    return explain(this.#station, readable(call));
  }

  /** A gate for whoever works for this one: the same store, locks and approver, never more rights. */
  child(options: ChildOptions = {}): Gate {
    const { agent, sessionID, budget, ...ceiling } = options;
    const { parts, facts, purse, workspace } = this.#station;
    const tools = ceiling.tools?.map((name) => this.registry.get(name)?.name ?? name);
    const met = meet(facts.ceiling, tools ? { ...ceiling, tools } : ceiling);
    const plansNow = (met.plan || met.dryRun) && !(facts.ceiling.plan || facts.ceiling.dryRun);
    const child: Station = {
      ...this.#station,
      lives: [new Set(), ...this.#station.lives],
      workspace: plansNow ? parts.overlay(workspace) : workspace,
      facts: new SessionFacts(met),
      purse: new Purse(budget ?? {}, purse),
      sessionID: sessionID ?? `session_${parts.ids()}`,
      agent: agent ?? this.#station.agent,
    };
    // what is shared is the parent's to close
    return new Gate(child, { ...this.#settings, shut: async () => {}, isOver: () => this.#isOver });
  }

  on(_event: "event", listener: (event: GateEvent) => void): () => void {
    return this.#settings.listeners.on(listener);
  }

  /** What to send to a model. */
  schemas(options: { format?: Format; dialect?: string; names?: readonly string[] } = {}): JsonSchema[] {
    const { dialects, dialect: own } = this.#settings;
    const dialect = dialects[options.dialect ?? own];
    if (!dialect)
      throw new TypeError(
        `There is no dialect ${options.dialect ?? own}; there are ${Object.keys(dialects).join(", ")}.`,
      );
    return this.registry.schemas(this.#shown(options.names), {
      dialect,
      ...(options.format && { format: options.format }),
    });
  }

  /** Only what this gate may call is worth a model's attention. */
  #shown(wanted: readonly string[] | undefined): string[] {
    const { tools, permissions } = this.#station.facts.ceiling;
    const able = permissions ? this.registry.enabled(permissions) : this.registry.list();
    const asked = wanted && new Set(this.registry.filter(wanted));
    return able
      .filter((entry) => (!tools || tools.includes(entry.name)) && (!asked || asked.has(entry)))
      .map(({ name }) => name);
  }

  /** Stops what is running, waits for it, keeps the record and lets go of everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { parts } = this.#station;
    const lives = this.#station.lives[0] ?? new Set();
    for (const life of lives) life.stop(cancelled("The gate was closed while the call ran."));
    while (lives.size > 0) await new Promise<void>((resolve) => void parts.clock.after(5, resolve));
    await parts.recorder.flush();
    await this.#settings.shut();
  }

  readonly #below: Below = (trip) =>
    this.#at({
      ...this.#station,
      ancestors: [...this.#station.ancestors, trip.recordID],
      above: trip.life,
      turn: trip.call.messageID,
      sessionID: trip.call.sessionID,
      agent: trip.call.agent,
    });

  #at(station: Station): Gate {
    return new Gate(station, this.#settings);
  }

  get #isOver(): boolean {
    return this.#closing !== undefined || this.#settings.isOver?.() === true;
  }

  #stopped<T extends CallOptions>(options: T): T {
    return this.#isOver ? { ...options, signal: AbortSignal.abort(closed()) } : options;
  }
}

const closed = () => new Ending("cancelled", "CANCELLED", "The gate is closed.", "Open another one and call again.");

/** Something that is no call at all must still end as a result. */
function readable(call: unknown): IncomingCall {
  if (typeof call !== "object" || call === null) return { name: typeof call === "string" ? call : "" };
  try {
    const given = { ...(call as IncomingCall) };
    return typeof given.name === "string" ? given : { ...given, name: "" };
  } catch {
    return { name: "" };
  }
}
