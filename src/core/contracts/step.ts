import type { Life } from "../journey/life.ts";
import { followedBy, type Sequel, type Soon, unchanged } from "../journey/soon.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import type { Clock } from "./clock.ts";
import type { Workspace } from "./workspace.ts";

/** A judged call on its way through the steps. No step can change its input. */
export type Running = {
  readonly ready: Ready;
  readonly life: Life;
  readonly clock: Clock;
  readonly workspace: Workspace;
};

/** Code around every run to which it applies. It decides by touches, never by the tool's name. */
export type Step = {
  readonly name: string;
  applies(ready: Ready): boolean;
  around(running: Running, next: () => Promise<Result>): Promise<Result>;
};

/** How a run ended, including everything that steps did. */
export type RunEnd = { readonly result: Result } | { readonly error: unknown };

/** Watches runs without taking part in them: it hears when one begins and ends, and adds no waiting. */
export type Onlooker = {
  readonly name: string;
  applies(ready: Ready): boolean;
  /** Returns the function that hears how the run ended. Throws if there must be no run. */
  beside(running: Running): Hear;
};

/** What runs the tool, as often as steps want it. */
export type Run = { begin<T>(sequel: Sequel<Result, T>): Promise<T> };

/** The first step is the outermost, and onlookers are outside all steps. */
export function throughSteps<T>(
  steps: readonly (Step | Onlooker)[],
  running: Running,
  run: Run,
  sequel: Sequel<Result, T>,
): Promise<T> {
  let next: (() => Promise<Result>) | undefined;
  const heard = new Heard(sequel);
  try {
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i] as Step | Onlooker;
      if (!step.applies(running.ready)) continue;
      if ("around" in step) next = around(step, running, next ?? (() => run.begin(unchanged<Result>())));
      else heard.by(step.beside(running));
    }
    // a custom step may return something that is not a promise
    return next ? followedBy(Promise.resolve(next()), heard) : run.begin(heard);
  } catch (error) {
    return Promise.resolve(heard.failed(error));
  }
}

type Hear = (end: RunEnd) => void;

/** Tells onlookers how the run ended before anything is made of it. */
class Heard<T> implements Sequel<Result, T> {
  readonly #sequel: Sequel<Result, T>;
  #first: Hear | undefined;
  #others: Hear[] | undefined;
  constructor(sequel: Sequel<Result, T>) {
    this.#sequel = sequel;
  }
  by(hear: Hear): void {
    if (!this.#first) this.#first = hear;
    else if (!this.#others) this.#others = [hear];
    else this.#others.push(hear);
  }
  done(result: Result): Soon<T> {
    this.#tell({ result });
    return this.#sequel.done(result);
  }
  failed(error: unknown): Soon<T> {
    this.#tell({ error });
    return this.#sequel.failed(error);
  }
  #tell(end: RunEnd): void {
    this.#first?.(end);
    if (this.#others) for (const hear of this.#others) hear(end);
  }
}

const around = (step: Step, running: Running, next: () => Promise<Result>) => () => step.around(running, next);
