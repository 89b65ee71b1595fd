import { describe, expect, test } from "vitest";
import { done, setUp, through } from "../../test/stepping.ts";
import type { Step } from "../core/contracts/step.ts";
import { Ending, type Result, ToolFailure } from "../core/words/result.ts";
import type { Definition } from "../core/words/tool.ts";
import { retry as retryBy } from "./retry.ts";

/** Pauses of their whole length. */
const retry = retryBy(() => 1);

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
    ["a foreseen time-out, once", 3, (n) => n < 2 && new ToolFailure("TIMEOUT", "late", ""), "done", [0, 100]],
    ["too many requests, once", 3, (n) => n < 2 && new ToolFailure("RATE_LIMITED", "slow", ""), "done", [0, 100]],
    [
      "one that says that it may pass",
      2,
      (n) => n < 2 && new Error("Service temporarily unavailable"),
      "done",
      [0, 100],
    ],
    [
      "one whose cause may pass",
      2,
      (n) => n < 2 && new TypeError("fetch failed", { cause: transient() }),
      "done",
      [0, 100],
    ],
    [
      "one whose cause stays",
      2,
      () => new TypeError("fetch failed", { cause: transient("EACCES") }),
      "fetch failed",
      [0],
    ],
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

  test("one that fails after it was stopped ends with its own failure, and waits for nothing", async () => {
    const { clock, run, running } = setUp({ retry: { attempts: 5 } });
    const ended = run(retry, async () => {
      running.life.stop(new Ending("cancelled", "CANCELLED", "stopped", ""));
      throw transient();
    });
    await expect(ended).rejects.toThrow("gone");
    expect(clock.waiting).toBe(0);
  });

  test.each<[attempts: number | undefined, changes: unknown[], applies: boolean]>([
    [undefined, [], false],
    [0, [], false],
    [1, [], false],
    [2, [], true],
    [2, [{}], false],
    [Number.NaN, [], false],
  ])("%s attempts and the changes %j: %s", (attempts, changes, applies) => {
    const { running } = setUp(attempts === undefined ? {} : { retry: { attempts } }, changes);
    expect(retry.applies(running.ready)).toBe(applies);
  });

  const claims: [string, boolean, object[], Partial<Definition>][] = [
    ["a read", true, [{ action: "read", place: {} }], {}],
    ["a look at the network", true, [{ action: "fetch", url: "http://h/", method: "get" }], {}],
    ["a look at its head", true, [{ action: "fetch", url: "http://h/", method: "HEAD" }], {}],
    ["a question what may be asked", true, [{ action: "fetch", url: "http://h/", method: "OPTIONS" }], {}],
    ["a request with effects", false, [{ action: "fetch", url: "http://h/", method: "POST" }], {}],
    [
      "one that is the same once or twice",
      true,
      [{ action: "fetch", url: "http://h/", method: "PUT" }],
      { idempotent: true },
    ],
    ["a write", false, [{ action: "write", place: {} }], {}],
    ["a command", false, [{ action: "run", command: "make", class: "dev", inner: [] }], {}],
    ["a harmless command", true, [{ action: "run", command: "ls", class: "safe", inner: [] }], {}],
    ["another server's tool", false, [{ action: "use", source: "mcp", name: "x" }], {}],
    ["what says nothing of itself", false, [{ action: "unknown", permissions: [] }], {}],
    ["what only reads, by its permissions", true, [{ action: "unknown", permissions: ["read"] }], {}],
  ];
  test.each(claims)("%s may be repeated: %s", (_, applies, touches, more) => {
    const { running } = setUp({ retry: { attempts: 2 }, ...more });
    expect(retry.applies({ ...running.ready, touches } as never)).toBe(applies);
  });

  test("a pause is between half and all of its time", async () => {
    const times: number[] = [];
    const { clock, run } = setUp({ retry: { attempts: 3 } });
    const chances = [0, 0.5];
    const ended = run(
      retryBy(() => chances.shift() ?? 1),
      async () => {
        times.push(clock.time);
        throw transient();
      },
    ).catch(() => {});
    await clock.pass(10_000);
    await ended;
    expect(times).toEqual([0, 50, 200]);
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
  await through([step("a"), step("b", false), step("c")], running, async () => {
    order.push("run");
    return done;
  });
  expect(order.join(" ")).toBe("+a +c run -c -a");
});
