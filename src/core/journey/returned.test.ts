import { describe, expect, test } from "vitest";
import { Ending, type Result } from "../words/result.ts";
import { cutShort, toResult, wellFormed } from "./returned.ts";

const done = { success: true, status: "done", title: "thing", output: "", metadata: {} };
const READ_ON = "Read its output, then change the arguments or try another approach.";
const failed = (message: string, more: object = {}) => ({
  ...{ ...done, success: false, status: "failed" },
  error: { code: "UNKNOWN", message, hint: READ_ON },
  ...more,
});

describe("what a tool gives back", () => {
  const circle: Record<string, unknown> = {};
  circle.own = circle;
  test.each<[what: string, returned: unknown, result: object]>([
    ["a text", "out", { ...done, output: "out" }],
    ["an output", { output: "out" }, { ...done, output: "out" }],
    ["an object", { output: { a: 1 } }, { ...done, output: '{"a":1}' }],
    ["nothing in it", { output: undefined }, done],
    ["null", { output: null }, { ...done, output: "null" }],
    ["what JSON has no word for", { output: Symbol.for("x") }, { ...done, output: "Symbol(x)" }],
    ["a circle", { output: circle }, { ...done, output: "[object Object]" }],
    ["a title", { output: "", title: "T" }, { ...done, title: "T" }],
    ["a title that is none", { output: "", title: 3 }, done],
    ["metadata", { output: "", metadata: { a: 1 } }, { ...done, metadata: { a: 1 } }],
    ["metadata that is none", { output: "", metadata: "x" }, done],
    ["metadata in part", { output: "", metadata: { a: 1, b: 1n, circle } }, { ...done, metadata: { a: 1 } }],
    ["no metadata", { output: "", metadata: null }, done],
    [
      "attachments",
      { output: "", attachments: [{ mime: "a/b", data: "" }] },
      { ...done, attachments: [{ mime: "a/b", data: "" }] },
    ],
    ["none", { output: "", attachments: [] }, done],
    ["that it has cut it itself", { output: "", truncated: { lines: 3 } }, { ...done, truncated: { lines: 3 } }],
    ["that nothing was cut", { output: "", truncated: null }, done],
    ["that it was cut, in no way that anybody knows", { output: "", truncated: true }, done],
    ["attachments that are none", { output: "", attachments: "x" }, done],
    ["success", { output: "", success: true, error: null }, done],
    ["a failure without an error", { output: "", success: false, error: null }, failed("The tool reported a failure.")],
    ["a failure without a word", { output: "", success: false }, failed("The tool reported a failure.")],
    [
      "an error",
      { error: { code: "IO_ERROR", message: "no", hint: "go on" } },
      failed("", { error: { code: "IO_ERROR", message: "no", hint: "go on" } }),
    ],
    ["an error in spite of success", { output: "", success: true, error: "no" }, failed("no")],
    ["an error that says nothing", { error: {} }, failed("The tool reported a failure.")],
    ["an error that is odd", { error: { code: 1, message: 2, hint: 3 } }, failed("The tool reported a failure.")],
    ["an empty error", { error: "" }, failed("The tool reported a failure.")],
  ])("%s", (_, returned, result) => {
    expect(toResult(returned as string, "thing")).toStrictEqual(result);
  });

  test.each<[returned: unknown, what: string]>([
    [undefined, "undefined"],
    [null, "null"],
    [3, "a number"],
    [{}, "a object"],
    [() => "", "a function"],
  ])("%o is no result", (returned, what) => {
    expect(() => toResult(returned as string, "thing")).toThrow(`thing returned ${what} instead of a result.`);
  });
});

test("half of a surrogate pair is nothing that a service would take back", () => {
  const whole: Result = { ...done, status: "done", error: { code: "UNKNOWN", message: "m", hint: "h" } };
  expect(wellFormed(whole)).toBe(whole);
  expect(wellFormed({ ...done, status: "done" })).toEqual(done);
  const [half, mended] = ["a\ud800", "a\ufffd"];
  const error = { code: "UNKNOWN", message: "m", hint: "h" } as const;
  expect(wellFormed({ ...whole, output: half }).output).toBe(mended);
  expect(wellFormed({ ...whole, title: half }).title).toBe(mended);
  expect(wellFormed({ ...whole, error: { ...error, message: half } }).error?.message).toBe(mended);
  expect(wellFormed({ ...whole, error: { ...error, hint: half } }).error?.hint).toBe(mended);
  expect(wellFormed({ ...done, status: "done", output: half })).not.toHaveProperty("error");
});

test("a stopped tool may still hand over what it had", () => {
  const stopped = new Ending("timed-out", "TIMEOUT", "late", "again");
  expect(cutShort({ ...done, status: "done", output: "half" }, stopped)).toEqual({
    ...{ ...done, output: "half", success: false, status: "timed-out" },
    error: { code: "TIMEOUT", message: "late", hint: "again" },
  });
});

test("what is told beside the output is cut", () => {
  const long = (length: number) => "x".repeat(length);
  const error = (message: string, hint: string) => ({ code: "UNKNOWN", message, hint }) as const;
  const fine = { ...done, title: long(1_000), error: error(long(60_000), long(4_000)) } as Result;
  expect(wellFormed(fine)).toBe(fine);
  expect(wellFormed({ ...fine, title: long(1_001) })).toMatchObject({
    title: `${long(1_000)}… [cut: 1001 characters in all]`,
    error: { message: long(60_000) },
  });
  const cut = wellFormed({ ...fine, error: error(long(70_000), long(5_000)) });
  expect(cut.error?.message).toBe(`${long(64_000)}… [cut: 70000 characters in all]`);
  expect(cut.error?.hint).toBe(`${long(1_000)}… [cut: 5000 characters in all]`);
  expect(cut.title).toBe(fine.title);
  expect(wellFormed({ ...(done as Result), title: long(1_001) }).title).toHaveLength(1_031);
});
