import type { Clock } from "../contracts/clock.ts";
import type { CallRecord, UnderWay } from "../contracts/store/records.ts";
import type { Store } from "../contracts/store/store.ts";

const GROUP = 512;
const LATEST_MS = 100;

/**
 * Keeps records in groups, so that a read costs next to nothing. A change has its intent, which does not wait; a call
 * that takes its time is shown to other processes while it does.
 */
export class Recorder {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #clean: (record: CallRecord) => CallRecord;
  readonly #lost: (message: string) => void;
  readonly #open = new Map<string, () => UnderWay>();
  readonly #begun = new Set<string>();
  #waiting: CallRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(store: Store, clock: Clock, clean: (record: CallRecord) => CallRecord, lost: (message: string) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#clean = clean;
    this.#lost = lost;
  }

  /** A call has begun; `told` says what is known of it, if anybody ever needs to know. */
  open(id: string, told: () => UnderWay): void {
    this.#open.set(id, told);
    this.#cancelTimer ??= this.#clock.after(LATEST_MS, () => void this.flush());
  }

  /** Durable when it resolves: should the process die, the record says that the call had begun. */
  async begun(id: string): Promise<void> {
    const told = this.#open.get(id);
    if (!told || this.#begun.has(id)) return;
    this.#begun.add(id);
    await this.#store.begin([told()], true);
  }

  /** It will take a while: other processes may see it. */
  visible(id: string): void {
    const told = this.#open.get(id);
    if (!told || this.#begun.has(id)) return;
    this.#begun.add(id);
    this.#writing = this.#writing.then(() => this.#store.begin([told()])).catch(() => {});
  }

  add(record: CallRecord): void {
    this.#open.delete(record.id);
    this.#waiting.push(record);
    if (this.#waiting.length >= GROUP) void this.flush();
    else this.#cancelTimer ??= this.#clock.after(LATEST_MS, () => void this.flush());
  }

  /** All that was added before is in the store when it resolves, or was reported as lost. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const group = this.#waiting;
    this.#waiting = [];
    for (const id of this.#open.keys()) this.visible(id);
    if (group.length > 0) this.#writing = this.#writing.then(() => this.#write(group));
    return this.#writing;
  }

  async #write(group: CallRecord[]): Promise<void> {
    try {
      await this.#store.record(group.map(this.#clean));
      const begun = group.map(({ id }) => id).filter((id) => this.#begun.delete(id));
      if (begun.length > 0) await this.#store.finish(begun);
    } catch (error) {
      this.#lost(`${group.length} records could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  }
}
