import { expect, test } from "vitest";
import { done, HandClock, setUp, through } from "../../test/stepping.ts";
import type { Running } from "../core/contracts/step.ts";
import { Ending, type Result, ToolFailure } from "../core/words/result.ts";
import type { Touch } from "../core/words/touch.ts";
import { circuitBreaker } from "./circuit-breaker.ts";

const reset = () => Object.assign(new Error("connection reset"), { code: "ECONNRESET" });

/** Calls of tools through one breaker, on one clock. */
function calls() {
  const step = circuitBreaker();
  const clock = new HandClock();
  const { running } = setUp({});
  const call = (work: () => unknown, name = "far", touches: readonly Touch[] = []): Promise<string> => {
    const ready = { ...running.ready, tool: { ...running.ready.tool, name }, touches } as Running["ready"];
    return through([step], { ...running, clock, ready }, async () => {
      const given = await work();
      if (given instanceof Error) throw given;
      return (given ?? done) as Result;
    }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
  };
  const fail = async (times: number, error: () => unknown = reset, name?: string) => {
    for (let n = 0; n < times; n++) await call(error, name);
  };
  return { clock, call, fail };
}

test("after five failures in a row it is said and not tried, and after a while it is tried once", async () => {
  const { clock, call, fail } = calls();
  await fail(5);
  let tried = 0;
  const counting = () => void tried++;
  expect(await call(counting)).toBe(
    "far has failed 5 times in a row (connection reset), so it is not tried again for 30 s.",
  );
  await clock.pass(29_500);
  expect(await call(counting)).toContain("for 1 s.");
  expect(tried).toBe(0);
  expect(await call(counting, "near"), "others are not concerned").toBe("done");
  await clock.pass(500);
  let finish = () => {};
  const trial = call(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  expect(await call(counting), "one at a time").toContain("not tried again");
  finish();
  expect(await trial).toBe("done");
  expect(await call(counting)).toBe("done");
  await fail(4);
  expect(await call(counting), "it counts from the start").toBe("done");
});

test("one that still fails is left alone for longer, up to five minutes", async () => {
  const { clock, call, fail } = calls();
  await fail(5);
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    expect(await call(reset)).toContain(`for ${seconds} s.`);
    await clock.pass(seconds * 1000);
    expect(await call(reset)).toBe("connection reset");
  }
});

test("a trial that ends otherwise lets others try", async () => {
  const { clock, call, fail } = calls();
  await fail(5);
  await clock.pass(30_000);
  expect(await call(() => new Error("odd"))).toBe("odd");
  expect(await call(() => undefined)).toBe("done");
});

test.each<[string, () => unknown, boolean]>([
  ["resets", reset, true],
  ["time-outs", () => new Ending("timed-out", "TIMEOUT", "late", ""), true],
  ["foreseen time-outs", () => new ToolFailure("TIMEOUT", "late", ""), true],
  [
    "failures that are given back",
    () => ({ ...done, success: false, status: "failed", error: { code: "TIMEOUT", message: "late", hint: "" } }),
    true,
  ],
  ["a host that is not there", () => Object.assign(new Error("gone"), { code: "ENOTFOUND" }), true],
  ["what nobody foresaw", () => new Error("odd"), false],
  ["what is the call's own fault", () => new ToolFailure("NOT_FOUND", "no", ""), false],
  ["calls that were stopped", () => new Ending("cancelled", "CANCELLED", "stop", ""), false],
])("%s count", async (_, error, count) => {
  const { call, fail } = calls();
  await fail(20, error);
  expect((await call(() => undefined)) === "done").toBe(!count);
});

test("a success in between starts the count anew", async () => {
  const { call, fail } = calls();
  for (let round = 0; round < 3; round++) {
    await fail(4);
    expect(await call(() => undefined)).toBe("done");
  }
});

test("each host for itself", async () => {
  const { call } = calls();
  const to = (url: string) => [{ action: "fetch" as const, url, method: "GET" }];
  for (let n = 0; n < 5; n++) await call(reset, "web", to(`http://Down.test/${n}`));
  expect(await call(() => undefined, "web", to("http://down.test/other?x"))).toContain("not tried again");
  expect(await call(() => undefined, "web", to("http://up.test/"))).toBe("done");
});

test.each<[boolean, object[]]>([
  [true, []],
  [true, [{ action: "fetch" }]],
  [true, [{ action: "use" }, { action: "unknown" }]],
  [false, [{ action: "read", place: {} }]],
  [false, [{ action: "run" }]],
])("applies %s to %j", (applies, touches) => {
  expect(circuitBreaker().applies({ touches } as never)).toBe(applies);
});

test("so many are remembered, and those that failed last are not forgotten for others", async () => {
  const { call, fail } = calls();
  await fail(4, reset, "first");
  for (let n = 0; n < 999; n++) await fail(1, reset, `other ${n}`);
  await fail(1, reset, "first");
  await fail(4, reset, "other 0");
  await fail(1, reset, "one more");
  expect(await call(() => {}, "first")).toContain("not tried again");
  expect(await call(() => {}, "other 0")).toContain("not tried again");
  await fail(4, reset, "other 1");
  expect(await call(() => {}, "other 1"), "its first failure was forgotten").toBe("done");
});

test("whatever is thrown counts", async () => {
  const { call, fail } = calls();
  await fail(5, () => {
    throw { code: "ECONNRESET" };
  });
  expect(await call(() => {})).toContain("far has failed 5 times in a row (), so it is not tried again");
});

test("a failure that a tool answered is told as it was answered", async () => {
  const { call, fail } = calls();
  const error = { code: "TIMEOUT", message: "the host is slow", hint: "" };
  await fail(5, () => ({ ...done, success: false, status: "failed", error }));
  expect(await call(() => {})).toContain(
    "far has failed 5 times in a row (the host is slow), so it is not tried again",
  );
});
