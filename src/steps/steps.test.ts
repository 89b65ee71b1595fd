import { describe, expect, test } from "vitest";
import { done, setUp } from "../../test/stepping.ts";
import { type Step, throughSteps } from "../core/contracts/step.ts";
import { Ending, type Result, ToolFailure } from "../core/words/result.ts";
import { retry } from "./retry.ts";
import { timeLimit } from "./time-limit.ts";

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

  test("a tool may tell its limit from what it was asked", async () => {
    const { clock, run, running } = setUp({ timeLimit: (input) => (input as { seconds: number }).seconds * 1000 });
    Object.assign(running.ready, { input: { seconds: 3 } });
    const ended = run(timeLimit(), () => running.life.race(new Promise<Result>(() => {})).then(({ value }) => value));
    ended.catch(() => {});
    await clock.pass(2_999);
    expect(running.life.stopped).toBeUndefined();
    await clock.pass(1);
    expect(running.life.stopped?.message).toBe("Stopped after 3 s.");
  });

  test("what ends later than at once leaves no timer either, and is never stopped afterwards", async () => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    let finish: (result: Result) => void = () => {};
    const ended = run(timeLimit(), () => new Promise<Result>((resolve) => (finish = resolve)));
    await clock.pass(50);
    expect(clock.waiting).toBe(1);
    finish(done);
    expect(await ended).toBe(done);
    expect(clock.waiting).toBe(0);
    await clock.pass(1_000);
    expect(running.life.stopped).toBeUndefined();
  });

  test("calls that begin together share one timer, and each is stopped at its own time", async () => {
    const step = timeLimit();
    const first = setUp({ timeLimit: 100 });
    const second = setUp({ timeLimit: 200 });
    const start = ({ running }: typeof first) => {
      const { life } = running;
      const ready = { ...running.ready };
      const shared = { ready, life, clock: first.clock, workspace: running.workspace };
      void throughSteps([step], shared, () => new Promise<Result>(() => {})).catch(() => {});
    };
    const stopped = () => [first, second].map(({ running }) => running.life.stopped !== undefined);
    start(first);
    start(second);
    expect(first.clock.waiting).toBe(1);
    await first.clock.pass(101);
    expect(stopped()).toEqual([true, false]);
    await first.clock.pass(100);
    expect(stopped()).toEqual([true, true]);
  });

  test.each([Number.NaN, -1, 0, () => undefined as never])(
    "a limit of %s is none that would let it run for ever",
    async (limit) => {
      const { clock, run, running } = setUp({ timeLimit: limit });
      run(timeLimit(), () => new Promise<Result>(() => {})).catch(() => {});
      await clock.pass(120_000);
      expect(running.life.stopped?.status).toBe("timed-out");
    },
  );

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

  test("and the time after the answer does", async () => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    let answer: (value: string) => void = () => {};
    const ended = run(timeLimit(), async () => {
      await running.life.whileThinking(new Promise<string>((resolve) => (answer = resolve)));
      return new Promise<Result>(() => {});
    });
    ended.catch(() => {});
    await clock.pass(5_000);
    answer("yes");
    await clock.pass(1_000);
    expect(running.life.stopped?.message).toBe("Stopped after 0.1 s.");
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
    ["an error that stays after one that does not", 5, (n) => transient(n < 2 ? "EPIPE" : "EACCES"), "gone", [0, 100]],
    ["a code that is a number", 3, () => Object.assign(new Error("odd"), { code: 104 }), "odd", [0]],
    ["a limit that was reached", 3, () => new Ending("timed-out", "TIMEOUT", "late", ""), "late", [0]],
    ["an error without a code", 3, () => new Error("odd"), "odd", [0]],
    ["a foreseen failure", 3, () => new ToolFailure("IO_ERROR", "told", "hint"), "told", [0]],
  ];
  test.each(table)("%s", async (_, attempts, fail, end, times) => {
    expect(await tries(attempts, fail)).toEqual({ end, times });
  });

  test.each(["ECONNRESET", "ECONNREFUSED", "ETIMEDOUT", "EBUSY", "EAGAIN", "EPIPE"])("%s may pass", async (code) => {
    expect((await tries(2, () => transient(code))).times).toEqual([0, 100]);
  });

  test.each([undefined, null, "ECONNRESET", 7])("what is thrown and no error (%j) ends it", async (thrown) => {
    const { run } = setUp({ retry: { attempts: 3 } });
    let count = 0;
    const ended = run(retry, async () => {
      count += 1;
      throw thrown;
    });
    await expect(ended.catch((error: unknown) => [error])).resolves.toEqual([thrown]);
    expect(count).toBe(1);
  });

  test("an answer that says that it failed is an answer", async () => {
    const { run } = setUp({ retry: { attempts: 3 } });
    let count = 0;
    const failed: Result = { ...done, success: false, status: "failed" };
    expect(
      await run(retry, async () => {
        count += 1;
        return failed;
      }),
    ).toBe(failed);
    expect(count).toBe(1);
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
