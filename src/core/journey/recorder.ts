import type { Clock } from "../contracts/clock.ts";
import type { CallRecord, Store } from "../contracts/store.ts";

const GROUP = 512;
const LATEST_MS = 100;

/** Keeps records in groups, so that a read costs next to nothing. A change has its intent, which does not wait. */
export class Recorder {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #clean: (record: CallRecord) => CallRecord;
  readonly #lost: (message: string) => void;
  #waiting: CallRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(store: Store, clock: Clock, clean: (record: CallRecord) => CallRecord, lost: (message: string) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#clean = clean;
    this.#lost = lost;
  }

  add(record: CallRecord): void {
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
    if (group.length > 0) this.#writing = this.#writing.then(() => this.#write(group));
    return this.#writing;
  }

  async #write(group: CallRecord[]): Promise<void> {
    try {
      await this.#store.record(group.map(this.#clean));
    } catch (error) {
      this.#lost(`${group.length} records could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  }
}
