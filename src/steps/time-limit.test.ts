import { describe, expect, test } from "vitest";
import { done, setUp, through } from "../../test/stepping.ts";
import type { Result } from "../core/words/result.ts";
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

  const [reads, runs] = [{ action: "read" }, { action: "run", command: "x", class: "dev", inner: [] }];
  const SMALLER = "Try a smaller piece of the work";
  const LONGER = `${SMALLER}, allow it more time (timeout), or run it in the background.`;
  test.each<[touches: object[], hint: string]>([
    [[], `${SMALLER}.`],
    [[reads], `${SMALLER}.`],
    [[runs], LONGER],
    [[reads, runs], LONGER],
  ])("after %j it says what could be done instead", async (touches, hint) => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    Object.assign(running.ready, { touches });
    const ended = run(timeLimit(), () => running.life.race(new Promise<Result>(() => {})).then(({ value }) => value));
    ended.catch(() => {});
    await clock.pass(100);
    expect(running.life.stopped).toMatchObject({ hint });
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
      void through([step], shared, () => new Promise<Result>(() => {})).catch(() => {});
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

  test("a call that begins later has a timer of its own, and the earlier one keeps its single timer", async () => {
    const step = timeLimit();
    const first = setUp({ timeLimit: 100 });
    const second = setUp({ timeLimit: 100 });
    const { clock } = first;
    const start = ({ running }: typeof first) =>
      void through([step], { ...running, clock }, () => new Promise<Result>(() => {})).catch(() => {});
    const stopped = () => [first, second].map(({ running }) => running.life.stopped !== undefined);
    start(first);
    await clock.pass(50);
    start(second);
    await clock.pass(5);
    expect(clock.waiting).toBe(2);
    await clock.pass(50);
    expect(stopped()).toEqual([true, false]);
    await clock.pass(50);
    expect(stopped()).toEqual([true, true]);
  });

  test("neither does what passed before it began, nor a person's thinking until then", async () => {
    const { clock, run, running } = setUp({ timeLimit: 100 });
    await clock.pass(7_000);
    let answer: (value: string) => void = () => {};
    const thought = running.life.whileThinking(new Promise<string>((resolve) => (answer = resolve)));
    await clock.pass(5_000);
    answer("yes");
    await thought;
    await clock.pass(300);
    run(timeLimit(), () => new Promise<Result>(() => {})).catch(() => {});
    await clock.pass(99);
    expect(running.life.stopped).toBeUndefined();
    await clock.pass(1);
    expect(running.life.stopped).toBeDefined();
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
