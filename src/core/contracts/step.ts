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
  /** Returns the object that is told how the run ended. Throws if the call must not run. */
  beside(running: Running): Ear;
};

export type Ear = { hear(end: RunEnd, running: Running): void };

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
  const heard = new Heard(running, sequel);
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

/** Tells onlookers how the run ended before anything is made of it. */
class Heard<T> implements Sequel<Result, T> {
  readonly #running: Running;
  readonly #sequel: Sequel<Result, T>;
  #first: Ear | undefined;
  #others: Ear[] | undefined;
  constructor(running: Running, sequel: Sequel<Result, T>) {
    this.#running = running;
    this.#sequel = sequel;
  }
  by(ear: Ear): void {
    if (!this.#first) this.#first = ear;
    else if (!this.#others) this.#others = [ear];
    else this.#others.push(ear);
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
    this.#first?.hear(end, this.#running);
    if (this.#others) for (const ear of this.#others) ear.hear(end, this.#running);
  }
}

const around = (step: Step, running: Running, next: () => Promise<Result>) => () => step.around(running, next);
