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

/** The first step is the outermost. */
export function throughSteps(steps: readonly Step[], running: Running, run: () => Promise<Result>): Promise<Result> {
  let next = run;
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as Step;
    if (step.applies(running.ready)) next = around(step, running, next);
  }
  return next();
}

const around = (step: Step, running: Running, next: () => Promise<Result>) => () => step.around(running, next);
