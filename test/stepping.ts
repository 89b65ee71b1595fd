import { expect } from "vitest";
import type { Clock } from "../src/core/contracts/clock.ts";
import { type Onlooker, type Running, type Step, throughSteps } from "../src/core/contracts/step.ts";
import type { Workspace } from "../src/core/contracts/workspace.ts";
import { Life } from "../src/core/journey/life.ts";
import { followedBy, unchanged } from "../src/core/journey/soon.ts";
import type { Ready } from "../src/core/words/ready.ts";
import type { Result } from "../src/core/words/result.ts";
import type { Definition } from "../src/core/words/tool.ts";

/** Time that passes only when told. */
export class HandClock implements Clock {
  time = 0;
  #timers: { at: number; callback: () => void }[] = [];
  now = () => this.time;
  ticks = () => this.time;
  after = (ms: number, callback: () => void) => {
    // a real timer cannot wait longer than this, and goes off at once if asked to
    expect(ms).toBeLessThan(2 ** 31);
    const timer = { at: this.time + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  };
  get waiting(): number {
    return this.#timers.length;
  }
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.time = next.at;
      next.callback();
      await settle();
    }
    this.time = end;
  }
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

export const done: Result = { success: true, status: "done", title: "", output: "ok", metadata: {} };

/** What steps make of a run, and nothing after them. */
export const through = (steps: (Step | Onlooker)[], running: Running, run: () => Promise<Result>): Promise<Result> =>
  throughSteps(steps, running, { begin: (sequel) => followedBy(run(), sequel) }, unchanged());

/** A call of a tool with this definition, on its way through one step. */
export function setUp(definition: Partial<Definition>, changes: unknown[] = []) {
  const clock = new HandClock();
  const ready = { tool: { definition }, changes, touches: [] } as unknown as Ready;
  const running: Running = { ready, life: new Life(clock), clock, workspace: {} as Workspace };
  const run = (step: Step | Onlooker, next: () => Promise<Result>) => through([step], running, next);
  return { clock, running, run };
}
