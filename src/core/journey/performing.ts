import type { NewChange } from "../contracts/store.ts";
import type { Bytes, Change, FileView, GuardedView } from "../contracts/workspace.ts";
import type { ChildGate, GateView } from "../words/ceiling.ts";
import { type Ending, type Metadata, type Result, type Returned, ToolFailure } from "../words/result.ts";
import type { CommandView, Context, JournalView, Proposed } from "../words/tool.ts";
import { type Place, runsSomething } from "../words/touch.ts";
import { commandView } from "./commanding.ts";
import { bytesAt } from "./preview.ts";
import { rowOf, type Trip } from "./trip.ts";
import { underWatch } from "./watching.ts";

/** Makes the tools' way back into the journey, below this call. */
export type Below = (trip: Trip) => GateView & ChildGate;

/** The journey commits what the preview showed, then the tool tells about it, or does its work. */
export async function run(trip: Trip, below: Below): Promise<Result> {
  const { ready, life } = trip;
  if (!ready?.tool.definition) throw new Error("ran a call that is not ready");
  trip.ran = true;
  const view = new LateView(trip);
  life.check();
  if (ready.changes.length > 0) await commit(trip, ready.changes);
  const { definition } = ready.tool;
  const context = new CallContext(trip, view, below);
  const execute = async (): Promise<Result> => {
    life.check();
    const work = Promise.resolve(definition.execute(ready.input as never, context));
    const { value, stopped } = await life.race(work);
    const result = toResult(value as Returned, ready.tool.name);
    return stopped ? cutShort(result, stopped) : result;
  };
  try {
    return await (runsSomething(ready.touches) ? underWatch(trip, execute) : execute());
  } finally {
    view.close();
    // a change that has begun is waited for: its locks are held, and the result must tell of it
    if (trip.underWay?.size) await Promise.allSettled(trip.underWay);
  }
}

async function commit(trip: Trip, changes: readonly Proposed[]): Promise<void> {
  trip.life.check();
  trip.underWay ??= new Set();
  const { underWay } = trip;
  const making = make(trip, changes);
  underWay.add(making);
  try {
    await making;
  } finally {
    underWay.delete(making);
  }
}

/** Intent first, then the files: a change that cannot be recorded does not happen. */
async function make(trip: Trip, changes: readonly Proposed[]): Promise<void> {
  const { station } = trip;
  const { store } = station.parts;
  let ids: number[] = [];
  try {
    await station.workspace.files.commit(changes, async () => {
      ids = await store.intend(changes.map((change) => toRow(trip, change)));
    });
  } catch (error) {
    for (const [index, id] of ids.entries()) await concludeFailed(trip, id, changes[index]!, error);
    throw error;
  }
  trip.changed.push(...changes.map(({ place }) => place.shown));
  // if this fails, the file's own hash says that it happened
  await store.conclude(ids, "done").catch(() => {});
  for (const { place } of changes) await noteOwnChange(trip, place).catch(() => {});
}

/** Only the answer may have been lost: the file says how it ended. In doubt the row stays what it is, an intent. */
async function concludeFailed(trip: Trip, id: number, change: Proposed, error: unknown): Promise<void> {
  const { parts, workspace } = trip.station;
  const { place, before, after } = change;
  const conclude = (state: "done" | "void") => parts.store.conclude([id], state).catch(() => {});
  if (error instanceof ToolFailure && error.code === "CONFLICT") return conclude("void");
  const now = await bytesAt(workspace, place).catch(() => undefined);
  if (now === undefined || parts.equal(before, after)) return;
  if (parts.equal(now, before)) return conclude("void");
  if (!parts.equal(now, after)) return;
  trip.changed.push(place.shown);
  await conclude("done");
}

/** What this session changed itself is no surprise to it. */
export async function noteOwnChange({ station }: Trip, place: Place): Promise<void> {
  if (!station.facts.seen(place.real)) return;
  const info = await station.workspace.files.stat(place);
  if (info) station.facts.noteRead(place.real, info.stamp);
}

function toRow(trip: Trip, change: Proposed): NewChange {
  const { after, modeBefore, mode = modeBefore, undoes, redoes } = change;
  const outcome = { after: after && trip.station.parts.hash(after), ...(mode !== undefined && { modeAfter: mode }) };
  return { ...rowOf(trip, change, outcome), replaced: true, ...(undoes && { undoes }), ...(redoes && { redoes }) };
}

/** Made when the tool first looks; one that is first asked for after the end is closed from the start. */
class LateView {
  readonly #trip: Trip;
  #view: GuardedView | undefined;
  #over = false;
  constructor(trip: Trip) {
    this.#trip = trip;
  }
  get files(): FileView {
    if (this.#view) return this.#view;
    const trip = this.#trip;
    const { parts, workspace } = trip.station;
    this.#view = parts.guard(workspace, trip.ready?.touches ?? [], {
      commit: (change) => commit(trip, [change]),
      exclude: trip.exclude,
      signal: () => trip.life.signal,
    });
    if (this.#over) this.#view.close();
    else trip.view = this.#view;
    return this.#view;
  }
  close(): void {
    this.#over = true;
    this.#view?.close();
  }
}

class CallContext implements Context {
  readonly changes: readonly (Change & Pick<Proposed, "note">)[];
  readonly #trip: Trip;
  readonly #below: Below;
  readonly #view: LateView;
  constructor(trip: Trip, view: LateView, below: Below) {
    this.#trip = trip;
    this.#below = below;
    this.#view = view;
    this.changes = trip.ready?.changes ?? [];
  }
  get files(): FileView {
    return this.#view.files;
  }
  get sessionID(): string {
    return this.#trip.call.sessionID;
  }
  get messageID(): string {
    return this.#trip.call.messageID;
  }
  get agent(): string {
    return this.#trip.call.agent;
  }
  get callID(): string {
    return this.#trip.call.id;
  }
  get abort(): AbortSignal {
    return this.#trip.life.signal;
  }
  get journal(): JournalView {
    return this.#trip.station.parts.store;
  }
  get commands(): CommandView {
    return commandView(this.#trip);
  }
  get gate(): GateView & ChildGate {
    return this.#below(this.#trip);
  }
  // arrow functions, so that a tool may take them out of the context
  readonly metadata = (update: { title?: string; metadata?: Metadata }): void => {
    const { parts } = this.#trip.station;
    if (parts.heard()) parts.emit({ type: "progress", call: this.#trip.call, ...update });
  };
  readonly now = (): number => this.#trip.station.parts.clock.now();
  readonly hash = (bytes: Bytes): string => this.#trip.station.parts.hash(bytes);
}

/** Whatever a tool gives back, made into a Result; a shape that cannot be read is a failure, not a guess. */
function toResult(returned: Returned, tool: string): Result {
  if (typeof returned === "string")
    return { success: true, status: "done", title: tool, output: returned, metadata: {} };
  if (typeof returned !== "object" || returned === null || !("output" in returned || "error" in returned))
    throw wrongShape(tool, returned);
  const { title, output, metadata, attachments, success, error } = returned;
  const result: Result = {
    success: true,
    status: "done",
    title: typeof title === "string" ? title : tool,
    output: typeof output === "string" ? output : output === undefined ? "" : toJson(output),
    metadata: typeof metadata === "object" && metadata !== null ? metadata : {},
  };
  if (Array.isArray(attachments) && attachments.length > 0) result.attachments = attachments;
  if (success !== false && (error === undefined || error === null)) return result;
  return { ...result, success: false, status: "failed", error: toFailure(error) };
}

function toFailure(error: unknown): NonNullable<Result["error"]> {
  const { code, message, hint } =
    typeof error === "object" && error !== null ? (error as Record<string, unknown>) : { message: error };
  return {
    code: typeof code === "string" ? (code as "UNKNOWN") : "UNKNOWN",
    message: typeof message === "string" && message ? message : "The tool says that it failed.",
    hint: typeof hint === "string" ? hint : "Read its output, then change the arguments or go another way.",
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const wrongShape = (tool: string, returned: unknown) =>
  new ToolFailure(
    "UNKNOWN",
    `${tool} gave back ${returned === null || returned === undefined ? String(returned) : `a ${typeof returned}`} in place of a result.`,
    "This is a mistake in the tool: it must return a text, or an object with an output.",
  );

const cutShort = (result: Result, { status, code, message, hint }: Ending): Result => ({
  ...result,
  success: false,
  status,
  error: { code, message, hint },
});
