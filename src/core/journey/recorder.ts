import type { Clock } from "../contracts/clock.ts";
import type { CallRecord, UnderWay } from "../contracts/store/records.ts";
import type { Store } from "../contracts/store/store.ts";
import type { NewLetter } from "../words/dead-letter.ts";
import { keepLetters } from "./keeping-letters.ts";
import { Roster } from "./roster.ts";

const GROUP = 1024;
const LATEST_MS = 100;

/** A call that has begun and not ended. `tell` describes it, only if the store has to know of it. */
export class Opening {
  readonly id: string;
  readonly #call: unknown;
  readonly #tell: (call: never) => UnderWay;
  /** The store was told of it. */
  isKept = false;
  /** The store was told when the work began, and what it is about. */
  isBegun = false;
  seat = -1;
  constructor(id: string, call: unknown, tell: (call: never) => UnderWay) {
    this.id = id;
    this.#call = call;
    this.#tell = tell;
  }
  told(): UnderWay {
    return this.#tell(this.#call as never);
  }
}

/**
 * Writes records in groups, so that a read costs next to nothing. Changes do not rely on it, as their intents are
 * written at once. Calls that take a while are shown to other processes.
 */
export class Recorder {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #clean: (record: CallRecord) => CallRecord;
  readonly #lost: (message: string) => void;
  readonly #open = new Roster<Opening>();
  #waiting: CallRecord[] = [];
  /** Ids of finished calls that the store was told of. */
  #finished: string[] = [];
  #letters: NewLetter[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(store: Store, clock: Clock, clean: (record: CallRecord) => CallRecord, lost: (message: string) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#clean = clean;
    this.#lost = lost;
  }

  open(opening: Opening): void {
    this.#open.add(opening);
    this.#cancelTimer ??= this.#clock.after(LATEST_MS, () => void this.flush());
  }

  /**
   * The work of the call begins: if the process dies, the record says so. When this resolves, the store knows of the
   * call, and has it on disk if `durably` is set.
   */
  async begun(opening: Opening, durably: boolean): Promise<void> {
    if (opening.isBegun || !this.#open.has(opening)) return;
    opening.isKept = true;
    await this.#store.begin([opening.told()], durably);
    opening.isBegun = true;
  }

  /**
   * For a call whose work begins with its intents: passes on its row, for the store to keep with them, unless the store
   * has it already.
   */
  async begunWith<T>(opening: Opening, intend: (begun?: UnderWay) => Promise<T>): Promise<T> {
    if (opening.isBegun || !this.#open.has(opening)) return intend();
    opening.isKept = true;
    const intended = await intend(opening.told());
    opening.isBegun = true;
    return intended;
  }

  /** Shows the call to other processes, because it will take a while. */
  visible(opening: Opening): void {
    if (opening.isKept || !this.#open.has(opening)) return;
    opening.isKept = true;
    this.#writing = this.#writing.then(() => this.#store.begin([opening.told()])).catch(() => {});
  }

  add(record: CallRecord, opening?: Opening): void {
    if (opening) {
      this.#open.remove(opening);
      if (opening.isKept) this.#finished.push(opening.id);
    }
    this.#waiting.push(record);
    if (this.#waiting.length >= GROUP) void this.flush();
    else this.#cancelTimer ??= this.#clock.after(LATEST_MS, () => void this.flush());
  }

  /** The record as it is kept, without secrets. */
  cleaned(record: CallRecord): CallRecord {
    return this.#clean(record);
  }

  /** Keeps a call that failed through no fault of its own. */
  addLetter(letter: NewLetter): void {
    this.#letters.push(letter);
    this.#cancelTimer ??= this.#clock.after(LATEST_MS, () => void this.flush());
  }

  /** Adds records for calls that a dead process had begun, so that everything that was started has one. */
  async addInterrupted(): Promise<void> {
    for (const record of await interruptedCalls(this.#store).catch(() => [])) this.add(record);
  }

  /** When this resolves, all that was added before is in the store, or was reported as lost. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const group = this.#waiting;
    const finished = this.#finished;
    this.#waiting = [];
    this.#finished = [];
    const letters = this.#letters;
    this.#letters = [];
    for (const opening of this.#open.members) this.visible(opening);
    if (group.length > 0) this.#writing = this.#writing.then(() => this.#write(group, finished));
    if (letters.length > 0) this.#writing = this.#writing.then(() => this.#writeLetters(letters));
    return this.#writing;
  }

  async #writeLetters(letters: readonly NewLetter[]): Promise<void> {
    try {
      await keepLetters(this.#store, letters);
    } catch (error) {
      this.#lost(`${letters.length} dead letters could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #write(group: CallRecord[], finished: readonly string[]): Promise<void> {
    try {
      await this.#store.record(group.map(this.#clean));
      if (finished.length > 0) await this.#store.finish(finished);
    } catch (error) {
      this.#lost(`${group.length} records could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** The records of calls whose process died. Each is returned only once. */
export const interruptedCalls = async (store: Pick<Store, "interrupted">): Promise<CallRecord[]> =>
  (await store.interrupted()).map((call) => ({
    ...call,
    message: "",
    microseconds: 0,
    status: "failed",
    input: {},
    touches: [],
    trace: [],
    error: { code: "UNKNOWN", message: "The process ended during this call, or right after it." },
  }));
