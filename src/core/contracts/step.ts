import type { Life } from "../journey/life.ts";
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

/** Something that happens around every run to which it applies, told by touches and never by the tool's name. */
export type Step = {
  readonly name: string;
  applies(ready: Ready): boolean;
  around(running: Running, next: () => Promise<Result>): Promise<Result>;
};

/** How a run ended, all that steps did included. */
export type RunEnd = { readonly result: Result } | { readonly error: unknown };

/** Looks on a run without taking part in it: told when it begins and when it ends, it costs the run no waiting. */
export type Onlooker = {
  readonly name: string;
  applies(ready: Ready): boolean;
  /** Gives the function that hears how the run ended. Throws where there must be no run. */
  beside(running: Running): (end: RunEnd) => void;
};

/** The first step is the outermost; onlookers stand outside of all steps. What `then` makes of the result is given back. */
export function throughSteps<T>(
  steps: readonly (Step | Onlooker)[],
  running: Running,
  run: () => Promise<Result>,
  then: (result: Result) => T | Promise<T>,
): Promise<T> {
  let next = run;
  const listening: ((end: RunEnd) => void)[] = [];
  const ended = (end: RunEnd): void => {
    for (const hear of listening) hear(end);
  };
  const failed = (error: unknown): Promise<never> => {
    ended({ error });
    return Promise.reject(error);
  };
  try {
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i] as Step | Onlooker;
      if (!step.applies(running.ready)) continue;
      if ("around" in step) next = around(step, running, next);
      else listening.push(step.beside(running));
    }
    // somebody's own step may give back what is no promise
    return Promise.resolve(next()).then((result) => {
      ended({ result });
      return then(result);
    }, failed);
  } catch (error) {
    return failed(error);
  }
}

const around = (step: Step, running: Running, next: () => Promise<Result>) => () => step.around(running, next);
