import type { Moment, MomentName } from "./contracts/hook.ts";
import type { Finished } from "./contracts/quality-gate.ts";
import type { LateTools } from "./contracts/servers.ts";
import type { Grant } from "./contracts/store/grants.ts";
import type { PlannedCall, PlanQuery } from "./contracts/store/plans.ts";
import type { UnderWay } from "./contracts/store/records.ts";
import { GateApprovals } from "./gate-approvals.ts";
import { GateBoard } from "./gate-board.ts";
import { DeadLetters } from "./gate-dead-letters.ts";
import { GateLocks } from "./gate-locks.ts";
import { GatePlans } from "./gate-plans.ts";
import type { Below } from "./journey/context.ts";
import { explain } from "./journey/explain.ts";
import { forgetSession, GateFacts } from "./journey/facts.ts";
import { finish } from "./journey/finishing.ts";
import { type Fired, fire, type Sitting } from "./journey/firing.ts";
import { withSaid } from "./journey/hooking.ts";
import { travel } from "./journey/journey.ts";
import type { Station } from "./journey/journey-parts.ts";
import { cancelled } from "./journey/life.ts";
import { PlanSoFar } from "./journey/plan-so-far.ts";
import { type Spent, spend } from "./journey/spending.ts";
import { inSession, livesIn } from "./journey/trip.ts";
import { travelAll } from "./journey/waves.ts";
import type { Listeners } from "./listeners.ts";
import type { Dialect, Registry } from "./registry.ts";
import { type IncomingCall, readable } from "./words/call.ts";
import { meet } from "./words/ceiling.ts";
import type { GateEvent } from "./words/event.ts";
import type { Explanation } from "./words/explanation.ts";
import type { BatchOptions, CallOptions, ChildOptions, GateView, SchemaChoice } from "./words/gate-view.ts";
import type { Format, ToolSchema } from "./words/json-schema.ts";
import type { Spending } from "./words/model-spending.ts";
import { Ending, type Result } from "./words/result.ts";

export type GateSettings = {
  listeners: Listeners;
  dialects: Readonly<Record<string, Dialect>>;
  dialect: string;
  /** Names of tools that belong together. */
  toolsets: Readonly<Record<string, readonly { name: string }[]>>;
  /** Settings of the configuration that were ignored, and why. */
  notes: readonly string[];
  /** Ends what the gate started, once its calls are over. */
  shut(): Promise<void>;
  /** Tells hooks when the session of the gate, and of all gates below it, starts and ends. */
  readonly sitting?: Sitting;
  /** Whether a gate above this one was closed. */
  isOver?(): boolean;
};

/** What an agent builder holds: calls go in, results come out, and nothing bypasses the journey. */
export class Gate implements GateView {
  readonly #station: Station;
  readonly #settings: GateSettings;
  #closing: Promise<void> | undefined;
  constructor(station: Station, settings: GateSettings) {
    this.#station = station;
    this.#settings = settings;
    this.plans = new GatePlans(station, { below: this.#below, stopped: (given) => this.#stopped(given) });
    this.approvals = new GateApprovals(station.parts.store);
    this.locks = new GateLocks(station.parts.store);
    this.board = new GateBoard(station, () => ({ session: this.sessionID, agent: this.agent }));
    this.deadLetters = new DeadLetters(station.parts, (call) => this.call(call));
  }

  get registry(): Registry {
    return this.#station.parts.registry;
  }
  /** Tools of other servers, which are loaded when they are called or found. */
  get servers(): LateTools | undefined {
    return this.#station.parts.servers;
  }
  get sessionID(): string {
    return this.#station.callers?.sessionID ?? this.#station.sessions[0] ?? "";
  }
  get agent(): string {
    return this.#station.callers?.agent ?? this.#station.agent;
  }
  /** Settings of the configuration that were ignored, and why. */
  get notes(): readonly string[] {
    return this.#settings.notes;
  }

  /** Runs one call. Never throws: the result says what happened. */
  call(call: IncomingCall, options: CallOptions = {}): Promise<Result> {
    const begun = this.#begun();
    return begun ? this.#saidAtStart(begun, call, options) : this.#made(call, options);
  }

  #made(call: IncomingCall, options: CallOptions): Promise<Result> {
    return travel(this.#station, readable(call), this.#stopped(options), this.#below);
  }

  async #saidAtStart(begun: Promise<Fired>, call: IncomingCall, options: CallOptions): Promise<Result> {
    const { context } = await begun;
    return withSaid(await this.#made(call, options), context);
  }

  /** Runs many calls, in parallel if they cannot disturb each other. Results are in order. */
  callAll(calls: readonly IncomingCall[], options: BatchOptions = {}): Promise<Result[]> {
    const all = Array.isArray(calls) ? calls.map(readable) : [];
    const begun = this.#begun();
    const made = () => travelAll(this.#station, all, this.#stopped(options), this.#below);
    if (!begun) return made();
    return begun.then(async ({ context }) =>
      (await made()).map((each, index) => (index === 0 ? withSaid(each, context) : each)),
    );
  }

  /** Starts the session, unless it has started; otherwise the first call does. Returns what hooks say. */
  async begin(): Promise<Fired> {
    return (await this.#begun()) ?? { context: [], leftOut: [] };
  }

  #begun(): ReturnType<Sitting["begin"]> {
    return this.#isOver ? undefined : this.#settings.sitting?.begin();
  }

  /**
   * Tells hooks about events besides calls, for the program that runs the model: `pre_llm_call`, which hooks may block,
   * `post_llm_call`, `context_compress` and the like. Sessions, failed calls, budgets and `finish` fire by themselves.
   */
  async fire(event: MomentName, details: Moment["details"] = {}, options: CallOptions = {}): Promise<Fired> {
    const { sitting } = this.#settings;
    if (event === "session_start" && sitting) return sitting.start(details, options.signal);
    return fire(this.#station, event, details, options.signal);
  }

  /** Judges a call without running it. */
  explain(call: IncomingCall): Promise<Explanation> {
    return explain(this.#station, readable(call));
  }

  /** Counts what calling the model took. Returns the budget that is used up, if any: further calls are then refused. */
  spend(spending: Spending): Promise<Spent> {
    return spend(this.#station, spending);
  }

  /** Whether the work may be called finished: runs the quality gates, and says what is left to do. */
  finish(options: CallOptions = {}): Promise<Finished> {
    return finish(this.#station, (call) => this.call(call, options), options.signal);
  }

  /** A gate for an agent that works for this one: the same store, locks and approver, and never more rights. */
  child(options: ChildOptions = {}): Gate {
    const { agent, sessionID, budget, ...narrowing } = options;
    const { parts, facts, workspace, sessions } = this.#station;
    const tools = this.#toolsFor(narrowing.tools);
    const ceiling = meet(facts.ceiling, tools ? { ...narrowing, tools } : withoutTools(narrowing));
    const plansNow = (ceiling.plan || ceiling.dryRun) && !(facts.ceiling.plan || facts.ceiling.dryRun);
    const session =
      sessionID === undefined ? parts.sessions.fresh(`session_${parts.ids()}`) : parts.sessions.named(sessionID);
    const budgets = budget ? [{ session: session.id, limits: budget }, ...facts.budgets] : facts.budgets;
    const { callers: _, ...station } = this.#station;
    const above = plansNow ? parts.overlay(workspace) : undefined;
    const child: Station = {
      ...station,
      gates: [{}, ...station.gates],
      ...(above && { workspace: above, plan: new PlanSoFar(parts.store, above, session.id) }),
      facts: new GateFacts(ceiling, session, budgets, [facts.session, ...facts.above]),
      sessions: [...new Set([session.id, ...sessions])],
      keepers: [{ session: this.sessionID, agent: this.agent }, ...station.keepers],
      agent: agent ?? this.agent,
    };
    // the parent closes what is shared, and a named session may continue elsewhere
    const shut = async () => (sessionID === undefined ? forgetSession(workspace, session.id) : undefined);
    return new Gate(child, { ...this.#settings, shut, isOver: () => this.#isOver });
  }

  /**
   * Resolves to canonical names: `*` means all tools, the name of a toolset those in it. An unknown name throws, unless
   * the tool may still be loaded.
   */
  #toolsFor(given: readonly string[] | undefined): readonly string[] | undefined {
    if (given === undefined || given.includes("*")) return undefined;
    const { toolsets } = this.#settings;
    // a tool's name takes precedence over a toolset's
    const members = (name: string) => (Object.hasOwn(toolsets, name) ? toolsets[name] : undefined) ?? [{ name }];
    const names = given.flatMap((name) => (this.registry.has(name) ? name : members(name).map((tool) => tool.name)));
    const unknown = names.filter((name) => !this.registry.has(name));
    if (unknown.length > 0 && !this.#station.parts.resolve && !this.servers)
      throw new TypeError(
        `A child gate cannot have tools that do not exist: ${unknown.join(", ")}. The tools are ${this.registry
          .list()
          .map(({ name }) => name)
          .join(", ")}.`,
      );
    return names.map((name) => this.registry.get(name)?.name ?? name);
  }

  on(_event: "event", listener: (event: GateEvent) => void): () => void {
    return this.#settings.listeners.on(listener);
  }

  /** The schemas to send to a model. */
  schemas<F extends Format = "openai">(options: SchemaChoice<F> = {}): ToolSchema<F>[] {
    const { dialects, dialect: own } = this.#settings;
    const dialect = dialects[options.dialect ?? own];
    if (!dialect)
      throw new TypeError(
        `There is no dialect ${options.dialect ?? own}. The dialects are ${Object.keys(dialects).join(", ")}.`,
      );
    return this.registry.schemas(this.#shown(options.names), {
      dialect,
      ...(options.format && { format: options.format }),
    });
  }

  /** Only tools that this gate may call are shown to a model. */
  #shown(wanted: readonly string[] | undefined): string[] {
    const { tools, permissions } = this.#station.facts.ceiling;
    const able = permissions ? this.registry.enabled(permissions) : this.registry.list();
    const asked = wanted && new Set(this.registry.filter(wanted));
    return able
      .filter((entry) => (!tools || tools.includes(entry.name)) && (asked ? asked.has(entry) : !entry.hidden))
      .map(({ name }) => name);
  }

  /** Questions waiting for a person, from every process that shares the store. */
  readonly approvals: GateApprovals;

  /** What people have allowed until further notice. */
  readonly grants = {
    list: (): Promise<Grant[]> => this.#store.grants({}),
    /** Returns false if there is no such id. */
    revoke: (id: string): Promise<boolean> => this.#store.revoke(id),
  };

  readonly locks: GateLocks;
  readonly board: GateBoard;
  /** Calls that failed through no fault of their own: to look at, retry and drop. */
  readonly deadLetters: DeadLetters;

  /** What was planned and not run: to look at, approve, drop and run. */
  readonly plans: GatePlans;

  /** Every call that was ever planned, whatever became of it. */
  planned(query: PlanQuery = {}): Promise<PlannedCall[]> {
    return this.#store.planned(query);
  }

  /** Calls under way now, in this process and others. */
  underWay(): Promise<UnderWay[]> {
    return this.#store.underWay();
  }

  get #store() {
    return this.#station.parts.store;
  }

  /** Stops running calls, waits for them, writes the records and releases everything. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { parts } = this.#station;
    for (const life of livesIn(this.#station)) life.stop(cancelled("The gate was closed while the call ran."));
    while (livesIn(this.#station).length > 0) await new Promise<void>((resolve) => void parts.clock.after(5, resolve));
    await parts.store.letGoOf(this.#station.sessions[0] ?? "").catch(() => {});
    await parts.recorder.flush();
    await this.#settings.shut();
  }

  /** `await using gate = await open()` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #below: Below = ({ recordID, life, known: { call } }) =>
    this.#at({
      ...inSession(this.#station, call.sessionID),
      ancestors: [...this.#station.ancestors, recordID],
      keepers: [{ session: call.sessionID, agent: call.agent }, ...this.#station.keepers],
      above: life,
      turn: call.messageID,
      callers: { sessionID: call.sessionID, agent: call.agent },
      // what is done below also counts in the session of this call
      sessions: [...new Set([call.sessionID, ...this.#station.sessions])],
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

const withoutTools = ({ tools: _, ...rest }: Omit<ChildOptions, "agent" | "sessionID" | "budget">) => rest;

const closed = () => new Ending("cancelled", "CANCELLED", "The gate is closed.", "Open another one and call again.");
