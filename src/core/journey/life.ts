import { type Clock, sleep } from "../contracts/clock.ts";
import { Ending, PERSON } from "../words/result.ts";
import { follow } from "./followed-signals.ts";
import { followedBy, type Sequel, unchanged } from "./soon.ts";

const GRACE_MS = 2_000;

/** Tells gates apart; it holds nothing. */
export type GateMark = object;
const NOWHERE: readonly GateMark[] = [];

type Watcher = (ending: Ending) => void;

/** What the work returned, and why it was stopped if it was. */
export type Raced<T> = { value: T; stopped?: Ending };

/**
 * How a call is stopped, and how long it waited for a person. Signals and listeners cost more than the rest of the
 * journey, so they are created when first needed.
 */
export class Life {
  /** Where it stands among all that is under way. */
  seat = -1;
  /** The gate in which it runs, and those above. */
  readonly gates: readonly GateMark[];
  readonly #clock: Clock;
  readonly #outer: AbortSignal | undefined;
  readonly #parent: Life | undefined;
  #controller: AbortController | undefined;
  #stopped: Ending | undefined;
  #over = false;
  #watchers: Watcher[] | undefined;
  #unlink: (() => void) | undefined;
  #thinkers = 0;
  #thinkingSince = 0;
  #thoughtMs = 0;

  constructor(clock: Clock, outer?: AbortSignal, parent?: Life, gates: readonly GateMark[] = NOWHERE) {
    this.gates = gates;
    this.#clock = clock;
    this.#outer = outer;
    this.#parent = parent;
  }

  /** Why the call must end, if it must. */
  get stopped(): Ending | undefined {
    if (this.#stopped) return this.#stopped;
    // created only for those who come too late: an error costs more than the rest of a call
    if (this.#over) return cancelled("The call has ended.");
    if (this.#outer?.aborted) return this.#outer.reason instanceof Ending ? this.#outer.reason : cancelled();
    return this.#parent?.stopped;
  }

  /** Throws if the call was stopped. */
  check(): void {
    const ending = this.stopped;
    if (ending) throw ending;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      const ending = this.stopped;
      if (ending) this.#controller.abort(ending);
      else this.#link();
    }
    return this.#controller.signal;
  }

  stop(ending: Ending): void {
    if (this.#stopped) return;
    this.#stopped = ending;
    this.#controller?.abort(ending);
    for (const watcher of [...(this.#watchers ?? [])]) watcher(ending);
  }

  /** Stops every call and batch that this one belongs to. */
  stopAbove(ending: Ending): void {
    if (!this.#parent) return;
    this.#parent.stop(ending);
    this.#parent.stopAbove(ending);
  }

  /**
   * Settles with the work or when the call is stopped, whichever comes first. Stopped work has a grace period in which
   * it can still return what it has.
   */
  race<T>(work: Promise<T>, grace = GRACE_MS): Promise<Raced<T>> {
    return this.raceThen(work, unchanged(), grace);
  }

  /** The same, and what is made of it. */
  raceThen<T, U>(work: Promise<T>, sequel: Sequel<Raced<T>, U>, grace = GRACE_MS): Promise<U> {
    const ending = this.stopped;
    if (ending) {
      // nobody awaits it any more, and a rejection must not go unhandled
      work.catch(() => {});
      throw ending;
    }
    return new Promise((resolve, reject) => {
      const stop = (stopped: Ending): void => {
        this.#unwatch(stop);
        resolve(followedBy(this.#lateEnd(work, stopped, grace), sequel));
      };
      this.#watch(stop);
      // once the call is stopped, only `stop` above settles the promise
      work.then(
        (value) => {
          if (this.#stopped) return;
          this.#unwatch(stop);
          try {
            resolve(sequel.done({ value }));
          } catch (error) {
            reject(error);
          }
        },
        (error) => {
          if (this.#stopped) return;
          this.#unwatch(stop);
          try {
            resolve(sequel.failed(error));
          } catch (thrown) {
            reject(thrown);
          }
        },
      );
    });
  }

  #lateEnd<T>(work: Promise<T>, stopped: Ending, grace: number): Promise<Raced<T>> {
    return new Promise((resolve, reject) => {
      void sleep(this.#clock, grace).then(() => reject(stopped));
      work.then(
        (value) => resolve({ value, stopped }),
        () => reject(stopped),
      );
    });
  }

  /** Milliseconds spent waiting for a person, including in calls below this one. */
  get thoughtMs(): number {
    return this.#thoughtMs + (this.#thinkers > 0 ? this.#clock.ticks() - this.#thinkingSince : 0);
  }

  /** Counts the wait as thinking time. An answer that comes after the call was stopped does not count. */
  async whileThinking<T>(answer: Promise<T>): Promise<T> {
    this.#pause();
    try {
      const { value, stopped } = await this.race(answer, 0);
      if (stopped) throw stopped;
      return value;
    } finally {
      this.#resume();
    }
  }

  /** Ends the call and drops every outside listener. Code that still holds the call can do nothing more with it. */
  end(): void {
    this.#over = true;
    this.#unlink?.();
    this.#watchers = undefined;
  }

  #pause(): void {
    if (this.#thinkers++ === 0) this.#thinkingSince = this.#clock.ticks();
    if (this.#parent) this.#parent.#pause();
  }

  #resume(): void {
    if (--this.#thinkers === 0) this.#thoughtMs += this.#clock.ticks() - this.#thinkingSince;
    if (this.#parent) this.#parent.#resume();
  }

  /** Stops with the parent call or the outer signal. Links once, and only when somebody watches. */
  #link(): void {
    if (this.#unlink || (!this.#outer && !this.#parent)) return;
    const listener = () => this.stop(this.stopped ?? cancelled());
    const unfollow = this.#outer && follow(this.#outer, listener);
    if (this.#parent) this.#parent.#watch(listener);
    this.#unlink = () => {
      unfollow?.();
      if (this.#parent) this.#parent.#unwatch(listener);
    };
  }

  #watch(watcher: Watcher): void {
    this.#link();
    if (this.#watchers) this.#watchers.push(watcher);
    else this.#watchers = [watcher];
  }

  #unwatch(watcher: Watcher): void {
    const watchers = this.#watchers;
    if (!watchers) return;
    // usually it is the last one, and taking out any other one costs more
    if (watchers.at(-1) === watcher) watchers.pop();
    else if (watchers.includes(watcher)) watchers.splice(watchers.indexOf(watcher), 1);
  }
}

/** Marked, so that whoever runs the model does not go on: a person does not stop one call to see the next. */
export const stoppedByPerson = (message: string): Ending =>
  new Ending("cancelled", "CANCELLED", message, "Stop here. The person decides how to continue.", {
    metadata: { by: PERSON, stop: true, stopReason: "a person stopped it" },
  });

export const cancelled = (message = "The call was cancelled before it ended."): Ending =>
  new Ending("cancelled", "CANCELLED", message, "Nothing more will happen for it. Call again if it is still wanted.");
