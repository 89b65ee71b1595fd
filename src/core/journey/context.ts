import { turnsBy } from "../contracts/clock.ts";
import type { Network } from "../contracts/network.ts";
import type { PageView } from "../contracts/pages.ts";
import type { Bytes, Change, FileView, GuardedView } from "../contracts/workspace.ts";
import { type Ceiling, type Limits, strictest } from "../words/ceiling.ts";
import type { GateView } from "../words/gate-view.ts";
import type { HoldView } from "../words/hold-view.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { AgentsView, CommandView, Context, JournalView, PeopleView, Proposed } from "../words/tool.ts";
import { commandView } from "./commanding.ts";
import { holdView } from "./holding.ts";
import { refusal } from "./judging.ts";
import { commitJudged } from "./late-changes.ts";
import { judgeFurther } from "./late-fetches.ts";
import { judge } from "./opinions.ts";
import { pageView } from "./paging.ts";
import type { Prepared } from "./stages.ts";
import { aboutTrip, type Trip } from "./trip.ts";

/** Makes the gate through which a tool makes calls below its own. */
export type Below = (trip: Trip) => GateView;

export class CallContext implements Context {
  readonly changes: readonly (Change & Pick<Proposed, "note">)[];
  readonly #trip: Trip;
  readonly #prepared: Prepared;
  readonly #ready: Ready;
  readonly #below: Below;
  #view: GuardedView | undefined;
  #over = false;
  constructor(trip: Trip, prepared: Prepared, below: Below) {
    this.#trip = trip;
    this.#prepared = prepared;
    this.#ready = prepared.ready;
    this.#below = below;
    this.changes = prepared.ready.changes;
  }
  /** Called when the run is over: closes the file view, which the tool may still hold. */
  static close(context: CallContext): void {
    context.#over = true;
    context.#view?.close();
  }
  /** Created on first use. If the run is over by then, the view is closed from the start. */
  get files(): FileView {
    if (this.#view) return this.#view;
    const trip = this.#trip;
    const { parts, workspace } = trip.station;
    const { ready, verdict } = this.#prepared;
    this.#view = parts.guard(workspace, ready.touches, {
      commit: (change) => commitJudged(trip, this.#prepared, change),
      ...(verdict.exclude && { exclude: verdict.exclude }),
      signal: () => trip.life.signal,
    });
    if (this.#over) this.#view.close();
    else trip.deeds.view = this.#view;
    return this.#view;
  }
  get sessionID(): string {
    return this.#ready.call.sessionID;
  }
  get messageID(): string {
    return this.#ready.call.messageID;
  }
  get agent(): string {
    return this.#ready.call.agent;
  }
  get callID(): string {
    return this.#ready.call.id;
  }
  get abort(): AbortSignal {
    return this.#trip.life.signal;
  }
  get turn(): Context["turn"] {
    return turnsBy(this.#trip.station.parts.clock);
  }
  get journal(): JournalView {
    const { plan, parts } = this.#trip.station;
    return plan?.journal ?? parts.store;
  }
  get commands(): CommandView {
    return commandView(this.#trip, this.#ready);
  }
  get gate(): GateView {
    return this.#below(this.#trip);
  }
  get network(): Network {
    const { station, deeds, life } = this.#trip;
    const { network } = station.workspace;
    if (!network) throw nowhere("Nothing can be fetched in this workspace.");
    const noted: Network = {
      request(request) {
        deeds.requested = true;
        return network.request(request);
      },
    };
    const further = judgeFurther(this.#trip, this.#prepared);
    return station.parts.guardNetwork(noted, this.#ready.touches, () => life.signal, further);
  }
  get pages(): PageView {
    const { pages } = this.#trip.station.workspace;
    if (!pages) throw nowhere("No page can be opened in this workspace.");
    return pageView(this.#trip, this.#prepared, pages);
  }
  get people(): PeopleView {
    const { life, station, opening } = this.#trip;
    const { people, recorder } = station.parts;
    checkAsking(this.#trip, this.#ready);
    if (!people) throw nowhere("There is nobody to ask: open() was given no ask function.");
    return {
      ask(question) {
        if (opening) recorder.visible(opening);
        return life.whileThinking(people.ask(question, life.signal));
      },
    };
  }
  get agents(): AgentsView {
    const { life, station } = this.#trip;
    const { agents } = station.parts;
    if (!agents) throw nowhere("There are no other agents that work could be handed to.");
    return {
      run: (task, ceiling = {}) => agents.run(task, this.gate.child({ agent: task.agent, ...ceiling }), life.signal),
    };
  }
  get holding(): HoldView {
    return holdView(this.#trip);
  }
  // getters that return functions: a tool may destructure the context, and they are created only if used
  get metadata(): Context["metadata"] {
    const trip = this.#trip;
    const { call } = this.#ready;
    return (update) => {
      const { parts } = trip.station;
      if (parts.heard()) parts.emit({ type: "progress", call, ...update }, aboutTrip(trip));
    };
  }
  get keep(): Context["keep"] {
    const { station, recordID, known } = this.#trip;
    return async (content, name) => {
      const [, first = name, ending = ""] = /^(.*)\.(\w+)$/.exec(name) ?? [];
      return station.parts.keep?.(known.call.sessionID, `${recordID}-${first}`, content, ending);
    };
  }
  get table(): Context["table"] {
    const { store } = this.#trip.station.parts;
    const { name: tool, definition } = this.#ready.tool;
    return (name = "") => store.table(`${definition?.tables ?? tool}/${name}`);
  }
  get personal(): Context["personal"] {
    const { personal } = this.#trip.station.parts;
    const { name: tool, definition } = this.#ready.tool;
    return (name = "") => personal.table(`${definition?.tables ?? tool}/${name}`);
  }
  get ceiling(): Ceiling {
    return this.#trip.station.facts.ceiling;
  }
  get limits(): Limits {
    return strictest(this.#trip.station.facts.budgets.map(({ limits }) => limits));
  }
  get outside(): boolean {
    return this.#trip.station.facts.outside;
  }
  get noteOutside(): () => void {
    const { deeds } = this.#trip;
    return () => {
      deeds.outside = true;
    };
  }
  get now(): () => number {
    const { clock } = this.#trip.station.parts;
    return () => clock.now();
  }
  get hash(): (bytes: Bytes) => string {
    return this.#trip.station.parts.hash;
  }
}

/** An MCP server may ask the person without the call having declared it, unless a policy denies asking. */
function checkAsking({ station: { parts, facts } }: Trip, ready: Ready): void {
  if (ready.touches.some(({ action }) => action === "ask")) return;
  if (!ready.touches.some((touch) => touch.action === "use" && touch.source === "mcp")) throw unsaid();
  const asking: Ready = { ...ready, touches: [{ action: "ask", target: "person" }], danger: "safe" };
  const verdict = judge(parts.policies, asking, facts);
  if (verdict.answer === "deny") throw refusal(verdict);
}

const unsaid = () =>
  new ToolFailure(
    "PERMISSION_DENIED",
    "Asking a person was not declared by this call.",
    'A tool that asks says so in its touches: { action: "ask", target: what it asks about }.',
  );

const nowhere = (message: string) =>
  new ToolFailure("CONFIG_ERROR", message, "Try another approach, or have a person set it up.");
