import type { Facts, LastSeen, Past } from "../contracts/policy.ts";
import type { CallRecord, Seen } from "../contracts/store/records.ts";
import type { Store } from "../contracts/store/store.ts";
import { sameStamp, type Workspace } from "../contracts/workspace.ts";
import { type Ceiling, meet, type Narrowing } from "../words/ceiling.ts";
import { isSame, signOf } from "../words/same.ts";
import { type Part, united } from "../words/sight.ts";
import { eachTouch, type RunTouch, runsSomething, type Touch } from "../words/touch.ts";

const REMEMBERED_FILES = 10_000;
const RECORDS_AT_ONCE = 1_000;
const SWEEP_EVERY = 1_000;
const FEWEST_RECENT = 20;
/** They are forgotten some at a time: to move all of them up for every call would cost more than to keep a few. */
const FORGOTTEN_AT_ONCE = 5;
const MOST_DEEDS = 64;
const KEPT_SESSIONS = 16;

/** What happened in one session, through whichever gate: a projection of its records. */
export class Session {
  readonly id: string;
  calls = 0;
  changes = 0;
  readonly recent: Past[] = [];
  readonly deeds: Past[] = [];
  readonly #done = new Set<Touch["action"]>();
  #outside = false;
  #reachedOut = false;
  readonly #seen = new Map<string, LastSeen>();
  /** Read before every call, because other processes may have added records. */
  readonly #store: Store | undefined;
  #seq = 0;
  readonly #own = new Set<string>();

  /** Without a store the session is new, and no other process knows its id. */
  constructor(id: string, store?: Store) {
    this.id = id;
    this.#store = store;
  }

  get isShared(): boolean {
    return this.#store !== undefined;
  }

  seen(real: string): LastSeen | undefined {
    return this.#seen.get(real);
  }

  /** Counts what other processes recorded for this session since the last refresh. */
  async refresh(): Promise<void> {
    if (!this.#store) return;
    for (;;) {
      const records = await this.#store.records({
        session: this.id,
        after: this.#seq,
        limit: RECORDS_AT_ONCE,
        order: "oldest-first",
      });
      for (const record of records) {
        this.#seq = record.seq ?? this.#seq;
        // calls of this process were counted when they ended
        if (!this.#own.delete(record.id)) this.#count(record);
      }
      if (records.length < RECORDS_AT_ONCE) return;
    }
  }

  /** Counts a call of this process that has ended. `answer` is everything that the model reads of it. */
  noteEnd(record: CallRecord, answer?: string): Past {
    if (this.isShared && record.session === this.id) this.#own.add(record.id);
    return this.#count(record, answer);
  }

  #count(record: CallRecord, answer?: string): Past {
    const { changed, status, seen } = record;
    this.calls += 1;
    if (changed && status === "done") this.changes += 1;
    if (seen) for (const each of seen) this.noteRead(each);
    const past = pastOf(record, answer);
    this.#remember(past);
    this.noteBelow(past);
    return past;
  }

  /** A repeated call with the same answer only raises the count of the last entry. */
  #remember(past: Past): void {
    const last = this.recent.at(-1);
    if (last && isRepeated(last, past)) this.recent[this.recent.length - 1] = { ...last, times: last.times + 1 };
    else if (this.recent.push(past) >= FEWEST_RECENT + FORGOTTEN_AT_ONCE) this.recent.splice(0, FORGOTTEN_AT_ONCE);
  }

  /** Notes what a call of this session, or of a session below it, has done. */
  noteBelow(past: Past): void {
    const { touches, status, changed, outside } = past;
    if (outside) this.#outside = true;
    if (touches.length > 0 && status !== "refused" && status !== "planned") this.#noteTouches(touches);
    if ((changed || (status !== "refused" && runsSomething(touches))) && this.deeds.push(past) > MOST_DEEDS)
      this.deeds.shift();
  }

  #noteTouches(touches: readonly Touch[]): void {
    if (touches.some((touch) => touch.action === "unknown" && isOnline(touch))) this.#outside = true;
    for (const touch of eachTouch(touches)) {
      this.#done.add(touch.action);
      if (touch.action === "run" && mayFetch(touch)) this.#reachedOut = true;
    }
  }

  did(action: Touch["action"]): boolean {
    return this.#done.has(action);
  }

  get outside(): boolean {
    return this.#outside || this.did("fetch") || this.did("use");
  }

  get reachedOut(): boolean {
    return this.#reachedOut;
  }

  noteRead(seen: Seen): void {
    const { real, stamp } = seen;
    const inPart = partsOf(seen, this.#seen.get(real));
    this.#seen.delete(real);
    this.#seen.set(real, inPart ? { ...stamp, inPart } : stamp);
    if (this.#seen.size > REMEMBERED_FILES) {
      const [oldest] = this.#seen.keys();
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
  }
}

/** Parts of another version of the file count for nothing. */
function partsOf({ stamp, parts }: Seen, before: LastSeen | undefined): readonly Part[] | undefined {
  if (!parts) return undefined;
  if (!before || !sameStamp(before, stamp)) return united(parts);
  return before.inPart && united([...before.inPart, ...parts]);
}

type Unknown = Extract<Touch, { action: "unknown" }>;

/** A tool that does not say what it needs may need the network. */
const isOnline = ({ permissions }: Unknown): boolean => permissions.length === 0 || permissions.includes("network");

/** Development tools (network and execute) are taken not to print what they fetch, unless classed as dangerous. */
const mayFetch = ({ class: kind, inner }: RunTouch): boolean =>
  inner.some(
    (touch) =>
      touch.action === "unknown" &&
      touch.permissions.includes("network") &&
      (kind === "dangerous" || !touch.permissions.includes("execute")),
  );

function pastOf(record: CallRecord, answer: string | undefined): Past {
  const { tool, input, touches, status, verdict, changed, outside } = record;
  const past: { -readonly [K in keyof Past]: Past[K] } = {
    tool,
    input,
    sign: signOf(input),
    touches,
    status,
    changed: changed === true,
    times: 1,
  };
  if (status === "refused" && verdict) past.refusedBy = verdict.by;
  const heard = record.answer ?? answer;
  if (heard !== undefined) past.answer = heard;
  if (outside) past.outside = true;
  return past;
}

const isRepeated = (last: Past, next: Past): boolean =>
  next.answer !== undefined &&
  last.answer === next.answer &&
  last.tool === next.tool &&
  last.changed === next.changed &&
  isSame(last.input, next.input);

/** The sessions that gates of this process work in. */
export class Sessions {
  readonly #store: Store;
  readonly #known = new Map<string, WeakRef<Session>>();
  /** Strong references to the sessions named last, so that their records are not read again for every call. */
  readonly #latest = new Set<Session>();
  #kept = 0;
  constructor(store: Store) {
    this.#store = store;
  }

  /** A session that a caller named. Other processes may work in it, too. */
  named(id: string): Session {
    const session = this.#known.get(id)?.deref() ?? this.#keep(new Session(id, this.#store));
    this.#latest.delete(session);
    this.#latest.add(session);
    const [oldest] = this.#latest;
    if (oldest && this.#latest.size > KEPT_SESSIONS) this.#latest.delete(oldest);
    return session;
  }

  fresh(id: string): Session {
    return this.#keep(new Session(id));
  }

  /** Drops garbage-collected sessions from the map, once in a thousand additions. */
  #keep(session: Session): Session {
    if (++this.#kept % SWEEP_EVERY === 0)
      for (const [id, known] of this.#known) if (!known.deref()) this.#known.delete(id);
    this.#known.set(session.id, new WeakRef(session));
    return session;
  }
}

/** What the policies of one gate know: its ceiling, its session, and the budgets here and above. */
export class GateFacts implements Facts {
  readonly ceiling: Ceiling;
  readonly session: Session;
  readonly budgets: Facts["budgets"];
  /** The sessions above, for which this one works. */
  readonly above: readonly Session[];
  readonly isChild: boolean;
  readonly #shared: readonly Session[];
  constructor(
    ceiling: Ceiling,
    session: Session,
    budgets: Facts["budgets"],
    above: readonly Session[] = [],
    isChild = above.length > 0,
  ) {
    this.ceiling = ceiling;
    this.session = session;
    this.budgets = budgets;
    this.above = above;
    this.isChild = isChild;
    this.#shared = [session, ...above].filter((each) => each.isShared);
  }

  /** Some of these sessions are shared with other processes and must be refreshed before every call. */
  get isShared(): boolean {
    return this.#shared.length > 0;
  }

  async refresh(): Promise<void> {
    for (const session of this.#shared) await session.refresh();
  }

  /** The same gate under a narrower ceiling. */
  under(most: Narrowing): GateFacts {
    return new GateFacts(meet(this.ceiling, most), this.session, this.budgets, this.above, this.isChild);
  }
  /** The same gate for a call in the name of another session, whose history counts first, then that of this one. */
  in(session: Session): GateFacts {
    const own = this.budgets.filter((each) => each.session === this.session.id);
    const budgets = [...own.map(({ limits }) => ({ session: session.id, limits })), ...this.budgets];
    const above = [this.session, ...this.above].filter((each) => each !== session);
    return new GateFacts(this.ceiling, session, budgets, above, this.isChild);
  }

  noteEnd(record: CallRecord, answer?: string): void {
    const past = this.session.noteEnd(record, answer);
    for (const each of this.above) if (each !== this.session) each.noteBelow(past);
  }
  get recent(): readonly Past[] {
    return this.session.recent;
  }
  get deeds(): readonly Past[] {
    return this.session.deeds;
  }
  did(action: Touch["action"]): boolean {
    return this.session.did(action) || this.above.some((each) => each.did(action));
  }
  get outside(): boolean {
    return this.session.outside || this.above.some((each) => each.outside);
  }
  get reachedOut(): boolean {
    return this.session.reachedOut || this.above.some((each) => each.reachedOut);
  }
  get calls(): number {
    return this.session.calls;
  }
  get changes(): number {
    return this.session.changes;
  }
  seen(real: string): LastSeen | undefined {
    return this.session.seen(real);
  }
}

/** Ends what the commands and pages of a session share. */
export async function forgetSession({ processes, pages }: Workspace, session: string): Promise<void> {
  processes?.forget?.(session);
  await pages?.forget(session);
}
