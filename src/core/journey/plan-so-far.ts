import type { Laid, Overlay } from "../contracts/overlay.ts";
import type { ChangeQuery, ChangeRow } from "../contracts/store/changes.ts";
import { OPEN_PLANS, type PlanMark, type PlannedCall, type PlannedChange } from "../contracts/store/plans.ts";
import type { Store } from "../contracts/store/store.ts";
import { isLinkMode } from "../contracts/workspace.ts";
import { isWithin } from "../words/containment.ts";
import type { JournalView } from "../words/tool.ts";
import type { Place } from "../words/touch.ts";

/** Ids of planned rows lie above all ids of the journal, with room for the files of each call. */
const FIRST_ROW = 2 ** 40;
const MOST_FILES = 2 ** 20;

/**
 * Calls that were planned and not run, as one gate sees them: files in the overlay, changes in the journal. Only the
 * rows in the store count, because other processes add to the plan, drop from it and run it.
 */
export class PlanSoFar {
  readonly #store: Store;
  readonly #overlay: Overlay;
  readonly #sessions = new Set<string>();
  readonly #own = new Set<string>();
  readonly #calls = new Map<string, PlannedCall>();
  #mark: PlanMark = { last: 0, open: 0 };
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, overlay: Overlay, session: string) {
    this.#store = store;
    this.#overlay = overlay;
    this.#sessions.add(session);
  }

  /** Planned calls of which nobody knows what they would change. */
  get blind(): readonly PlannedCall[] {
    return [...this.#calls.values()].filter(({ blind, state }) => blind || state === "interrupted");
  }

  /** Whether the overlay shows any file differently from the disk. */
  get isSeen(): boolean {
    const { roots } = this.#overlay;
    return roots.some((root) => this.#overlay.differs({ shown: ".", real: root, root, exists: true }));
  }

  /** Whether the plan changes what is shown at this place. */
  differs(place: Place): boolean {
    return this.#overlay.differs(place);
  }

  /** Loads what became of the plan since the last refresh. A call of `session` sees that session's plan, too. */
  refresh(session: string): Promise<void> {
    return this.#alone(() => this.#refresh(session));
  }

  /** Adds a call to the plan. No refresh and no other addition runs meanwhile. */
  keep(id: string, work: () => Promise<void>): Promise<void> {
    return this.#alone(async () => {
      this.#own.add(id);
      await work();
    });
  }

  /** The journal as if the plan had been carried out. */
  readonly journal: JournalView = {
    changes: async (query) => [...(await this.#store.changes(query)), ...this.#rows(query)],
    content: async (hash) => (await this.#store.content(hash)) ?? this.#store.plannedContent(hash),
  };

  #rows({ real, session, message, record, states = ["done"] }: ChangeQuery): ChangeRow[] {
    if (!states.includes("done")) return [];
    const meant = [...this.#calls.values()].filter(
      (call) =>
        (session === undefined || call.session === session) &&
        (message === undefined || call.message === message) &&
        (record === undefined || call.id === record),
    );
    return meant.flatMap((call) =>
      call.changes
        .map((change, index) => rowOf(call, change, index))
        .filter((row) => real === undefined || row.real === real),
    );
  }

  async #refresh(session: string): Promise<void> {
    const isNew = !this.#sessions.has(session);
    this.#sessions.add(session);
    const workspace = this.#overlay.roots[0] ?? "";
    const mark = await this.#store.planMark(workspace);
    if (!isNew && mark.last === this.#mark.last && mark.open === this.#mark.open) return;
    const added = await this.#store.planned({ workspace, states: OPEN_PLANS, after: this.#mark.last });
    const onlyAdded = !isNew && mark.open === this.#mark.open + added.length;
    if (onlyAdded) await this.#add(added.filter((call) => this.#isMine(call)));
    else {
      this.#overlay.clear();
      this.#own.clear();
      this.#calls.clear();
      const all = await this.#store.planned({ workspace, states: OPEN_PLANS });
      await this.#add(all.filter((call) => this.#isMine(call)));
    }
    this.#mark = mark;
  }

  async #add(calls: readonly PlannedCall[]): Promise<void> {
    for (const call of calls) {
      const isShown = this.#own.delete(call.id);
      this.#calls.set(call.id, call);
      if (isShown) continue;
      for (const change of call.changes) await this.#overlay.lay([await this.#laid(change)]);
    }
  }

  async #laid({ real, shown, after, modeBefore, mode }: PlannedChange): Promise<Laid> {
    const root = this.#overlay.roots.find((each) => isWithin(real, each)) ?? "";
    const link = isLinkMode(mode ?? modeBefore) && { link: true as const };
    const place: Place = { shown, real, root, exists: true, ...link };
    const bytes = after === null ? null : await this.#store.plannedContent(after);
    if (bytes === undefined) throw new Error(`The planned content of ${shown} is no longer kept.`);
    return { place, after: bytes, ...(mode !== undefined && { mode }) };
  }

  #isMine({ session, above = [] }: PlannedCall): boolean {
    return this.#sessions.has(session) || above.some((each) => this.#sessions.has(each));
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }
}

/** A planned change as the journal would hold it. */
function rowOf(
  { id: record, call, session, message, tool, at, seq = 0 }: PlannedCall,
  { real, shown, before, after, modeBefore, mode = modeBefore, undoes, redoes }: PlannedChange,
  index: number,
): ChangeRow {
  return {
    ...{
      id: FIRST_ROW + seq * MOST_FILES + index,
      record,
      call,
      session,
      message,
      tool,
      at,
      real,
      shown,
      before,
      after,
    },
    ...(modeBefore !== undefined && { modeBefore }),
    ...(mode !== undefined && { modeAfter: mode }),
    ...(undoes && { undoes }),
    ...(redoes && { redoes }),
    state: "done",
  };
}
