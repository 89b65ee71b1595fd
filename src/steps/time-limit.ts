import type { Clock } from "../core/contracts/clock.ts";
import type { Ear, Onlooker, Running } from "../core/contracts/step.ts";
import type { Life } from "../core/journey/life.ts";
import { Roster } from "../core/journey/roster.ts";
import type { Ready } from "../core/words/ready.ts";
import { Ending } from "../core/words/result.ts";

const DEFAULT_MS = 120_000;
/** A timer that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Calls that end sooner share one timer: one for each would cost as much as all policies together. */
const SOON_MS = 1;

class Watch implements Ear {
  seat = -1;
  readonly #young: Roster<Watch>;
  readonly #life: Life;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #ready: Ready;
  readonly #started: number;
  #cancel: (() => void) | undefined;
  constructor(young: Roster<Watch>, { life, clock, ready }: Running, limit: number) {
    this.#young = young;
    this.#life = life;
    this.#clock = clock;
    this.#limit = limit;
    this.#ready = ready;
    this.#started = this.#lived;
  }
  get #lived(): number {
    return this.#clock.ticks() - this.#life.thoughtMs;
  }
  arm(): void {
    const left = this.#limit - (this.#lived - this.#started);
    if (left <= 0) this.#life.stop(tooLong(this.#limit, hintFor(this.#ready)));
    else this.#cancel = this.#clock.after(Math.min(Math.max(left, 10), LONGEST_TIMER_MS), () => this.arm());
  }
  hear(): void {
    this.#young.remove(this);
    this.#cancel?.();
  }
}

/** Stops calls that take too long. Time in which a person thinks does not count, even in a call below. */
export function timeLimit(): Onlooker {
  const young = new Roster<Watch>();
  let isSet = false;

  const armSoon = (watch: Watch, clock: Clock): void => {
    young.add(watch);
    if (isSet) return;
    isSet = true;
    clock.after(SOON_MS, armAll);
  };
  const armAll = (): void => {
    isSet = false;
    for (const watch of young.empty()) watch.arm();
  };

  return {
    name: "time-limit",
    applies: () => true,
    beside(running) {
      const watch = new Watch(young, running, limitOf(running.ready));
      armSoon(watch, running.clock);
      return watch;
    },
  };
}

/** A limit that is not a number would be no limit. */
function limitOf({ tool, input }: Ready): number {
  const own = tool.definition?.timeLimit ?? DEFAULT_MS;
  const limit: unknown = typeof own === "number" ? own : own(input as never);
  return typeof limit === "number" && !Number.isNaN(limit) ? limit : DEFAULT_MS;
}

const tooLong = (limit: number, hint: string) =>
  new Ending("timed-out", "TIMEOUT", `Stopped after ${limit / 1000} s.`, hint);

const hintFor = ({ touches }: Ready): string =>
  touches.some(({ action }) => action === "run")
    ? "Try a smaller piece of the work, allow it more time (timeout), or run it in the background."
    : "Try a smaller piece of the work.";
