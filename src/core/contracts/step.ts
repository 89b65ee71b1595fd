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

/** The first step is the outermost, and onlookers are outside all steps. Returns what `then` makes of the result. */
export function throughSteps<T>(
  steps: readonly (Step | Onlooker)[],
  running: Running,
  run: () => Promise<Result>,
  then: (result: Result) => T | Promise<T>,
): Promise<T> {
  let next = run;
  const listening: Hear[] = [];
  try {
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i] as Step | Onlooker;
      if (!step.applies(running.ready)) continue;
      if ("around" in step) next = around(step, running, next);
      else listening.push(step.beside(running));
    }
    // a custom step may return something that is not a promise
    return Promise.resolve(next()).then(
      (result) => {
        tell(listening, { result });
        return then(result);
      },
      (error) => failed(listening, error),
    );
  } catch (error) {
    return failed(listening, error);
  }
}

type Hear = (end: RunEnd) => void;

function tell(listening: readonly Hear[], end: RunEnd): void {
  for (const hear of listening) hear(end);
}

function failed(listening: readonly Hear[], error: unknown): Promise<never> {
  tell(listening, { error });
  return Promise.reject(error);
}

const around = (step: Step, running: Running, next: () => Promise<Result>) => () => step.around(running, next);
