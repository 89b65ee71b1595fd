import type { IncomingCall } from "./call.ts";
import { type CallOptions, type ChildGate, type ChildOptions, type GateView, meet, Purse } from "./ceiling.ts";
import type { GateEvent, Listeners } from "./event.ts";
import { type Explanation, explain } from "./explain.ts";
import { SessionFacts } from "./facts.ts";
import { travel } from "./journey.ts";
import { cancelled } from "./life.ts";
import type { Below } from "./performing.ts";
import type { Dialect, Registry } from "./registry.ts";
import type { Result } from "./result.ts";
import type { Format } from "./schema.ts";
import type { JsonSchema } from "./tool.ts";
import type { Station } from "./trip.ts";
import { type BatchOptions, travelAll } from "./waves.ts";

export type GateSettings = {
  listeners: Listeners;
  dialects: Readonly<Record<string, Dialect>>;
  dialect: string;
  /** Ends what the gate started, once its calls are over. */
  shut(): Promise<void>;
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
    return travelAll(this.#station, [...calls].map(readable), this.#stopped(options), this.#below);
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
    return this.#at({
      ...this.#station,
      workspace: plansNow ? parts.overlay(workspace) : workspace,
      facts: new SessionFacts(met),
      purse: new Purse(budget ?? {}, purse),
      sessionID: sessionID ?? `session_${parts.ids()}`,
      agent: agent ?? this.#station.agent,
    });
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
    const allowed = this.#station.facts.ceiling.tools;
    const names = options.names ?? allowed;
    return this.registry.schemas(names, { dialect, ...(options.format && { format: options.format }) });
  }

  /** Stops what is running, waits for it, keeps the record and lets go of everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { lives, parts } = this.#station;
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

  #stopped<T extends CallOptions>(options: T): T {
    return this.#closing ? { ...options, signal: AbortSignal.abort() } : options;
  }
}

/** Something that is no call at all must still end as a result. */
const readable = (call: unknown): IncomingCall =>
  typeof call === "object" && call !== null ? (call as IncomingCall) : { name: String(call) };
