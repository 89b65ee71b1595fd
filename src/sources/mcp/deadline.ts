/** The longest delay that a timer accepts. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** A time limit that can be paused. */
export class Deadline {
  readonly #over = new AbortController();
  #left: number;
  #since = 0;
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#left = milliseconds;
    this.#run();
  }

  /** Aborted once the time is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  #run(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(), Math.max(0, this.#left));
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  resume(): void {
    if (--this.#pauses === 0) this.#run();
  }

  end(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }
}
