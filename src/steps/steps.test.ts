import { describe, expect, test } from "vitest";
import type { Clock } from "../core/clock.ts";
import { Life } from "../core/life.ts";
import type { Ready } from "../core/ready.ts";
import { Ending, type Result, ToolFailure } from "../core/result.ts";
import { type Running, type Step, throughSteps } from "../core/step.ts";
import type { Definition } from "../core/tool.ts";
import type { Workspace } from "../core/workspace.ts";
import { retry } from "./retry.ts";
import { timeLimit } from "./time-limit.ts";

/** Time that passes only when told. */
class HandClock implements Clock {
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

const done: Result = { success: true, status: "done", title: "", output: "ok", metadata: {} };

function setUp(definition: Partial<Definition>, changes: unknown[] = []) {
  const clock = new HandClock();
  const ready = { tool: { definition }, changes, touches: [] } as unknown as Ready;
  const running: Running = { ready, life: new Life(clock), clock, workspace: {} as Workspace };
  const run = (step: Step, next: () => Promise<Result>) => throughSteps([step], running, next);
  return { clock, running, run };
}

describe("time limit", () => {
  test("what ends in time ends as it does, and leaves no timer", async () => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    expect(await run(timeLimit(), async () => done)).toBe(done);
    await clock.pass(1);
    expect([clock.waiting, running.life.stopped]).toEqual([0, undefined]);
    await expect(run(timeLimit(), () => Promise.reject(new Error("own")))).rejects.toThrow("own");
    await clock.pass(1);
    expect(clock.waiting).toBe(0);
  });

  test.each([
    [{ timeLimit: 100 }, 100, "Stopped after 0.1 s."],
    [{}, 120_000, "Stopped after 120 s."],
  ])("%j stops at its time and not before", async (definition, at, says) => {
    const { clock, run, running } = setUp(definition);
    const ended = run(timeLimit(), () => running.life.race(new Promise<Result>(() => {})).then(({ value }) => value));
    ended.catch(() => {});
    await clock.pass(at - 1);
    expect(running.life.stopped).toBeUndefined();
    await clock.pass(1);
    expect(running.life.stopped?.message).toBe(says);
    await clock.pass(2_000);
    await expect(ended).rejects.toMatchObject({ status: "timed-out", code: "TIMEOUT" });
    expect(clock.waiting).toBe(0);
  });

  test("the time that a person thinks does not count", async () => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    let answer: (value: string) => void = () => {};
    let finish: (result: Result) => void = () => {};
    const ended = run(timeLimit(), async () => {
      await running.life.whileThinking(new Promise<string>((resolve) => (answer = resolve)));
      return new Promise<Result>((resolve) => (finish = resolve));
    });
    await clock.pass(5_000);
    expect(running.life.stopped).toBeUndefined();
    answer("yes");
    await clock.pass(99);
    expect(running.life.stopped).toBeUndefined();
    finish(done);
    expect(await ended).toBe(done);
  });

  test.each([Infinity, 2 ** 31, 2 ** 40])(
    "a limit of %s ms is longer than any timer and still waits",
    async (limit) => {
      const { clock, run, running } = setUp({ timeLimit: limit });
      let finish: (result: Result) => void = () => {};
      const ended = run(timeLimit(), () => new Promise<Result>((resolve) => (finish = resolve)));
      await clock.pass(2 ** 31 - 1);
      expect(running.life.stopped).toBeUndefined();
      finish(done);
      expect(await ended).toBe(done);
    },
  );
});

describe("retry", () => {
  const transient = (code = "ECONNRESET") => Object.assign(new Error("gone"), { code });

  async function tries(attempts: number | undefined, fail: (attempt: number) => unknown, changes: unknown[] = []) {
    const { clock, run } = setUp(attempts === undefined ? {} : { retry: { attempts } }, changes);
    const times: number[] = [];
    const ended = run(retry, async () => {
      times.push(clock.time);
      const error = fail(times.length);
      if (error) throw error;
      return done;
    }).then(
      () => "done",
      (error: Error) => error.message,
    );
    await clock.pass(60_000);
    return { end: await ended, times };
  }

  const table: [string, number | undefined, (attempt: number) => unknown, string, number[]][] = [
    ["nothing fails", 3, () => undefined, "done", [0]],
    ["once", 3, (n) => n < 2 && transient(), "done", [0, 100]],
    ["twice, with longer pauses", 5, (n) => n < 3 && transient("EBUSY"), "done", [0, 100, 300]],
    ["always", 3, () => transient("ETIMEDOUT"), "gone", [0, 100, 300]],
    ["not wanted", undefined, () => transient(), "gone", [0]],
    ["one attempt", 1, () => transient(), "gone", [0]],
    ["an error that stays", 3, () => transient("ENOENT"), "gone", [0]],
    ["an error without a code", 3, () => new Error("odd"), "odd", [0]],
    ["a foreseen failure", 3, () => new ToolFailure("IO_ERROR", "told", "hint"), "told", [0]],
  ];
  test.each(table)("%s", async (_, attempts, fail, end, times) => {
    expect(await tries(attempts, fail)).toEqual({ end, times });
  });

  test("pauses grow to five seconds and no further", async () => {
    const { times } = await tries(10, () => transient());
    const pauses = times.slice(1).map((at, index) => at - times[index]!);
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  test("a call that changes files is made once", async () => {
    expect((await tries(3, () => transient(), [{}])).times).toEqual([0]);
  });

  test("a stopped call is not tried again", async () => {
    const { clock, run, running } = setUp({ retry: { attempts: 5 } });
    let count = 0;
    const ended = run(retry, async () => {
      count += 1;
      throw transient();
    });
    ended.catch(() => {});
    await clock.pass(50);
    running.life.stop(new Ending("cancelled", "CANCELLED", "stopped", ""));
    await clock.pass(10_000);
    await expect(ended).rejects.toThrow("stopped");
    expect(count).toBe(1);
  });
});

test("the first step is the outermost, and one that does not apply is passed over", async () => {
  const order: string[] = [];
  const step = (name: string, applies = true): Step => ({
    name,
    applies: () => applies,
    around: async (_, next) => {
      order.push(`+${name}`);
      const result = await next();
      order.push(`-${name}`);
      return result;
    },
  });
  const { running } = setUp({});
  await throughSteps([step("a"), step("b", false), step("c")], running, async () => {
    order.push("run");
    return done;
  });
  expect(order.join(" ")).toBe("+a +c run -c -a");
});
