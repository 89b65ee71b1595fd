import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { brokenJson } from "./broken-json.ts";
import { parser } from "./parse.ts";

test.each<[text: string, where: string]>([
  ['{"path": "a', "in the middle of a string"],
  ['{"pa', "in the middle of a string"],
  ['{"a": "x\\', "in the middle of a string"],
  ['{"a": "x\\u00', "in the middle of a string"],
  ['{"a": "x\\""', "in the middle of an object"],
  ["{", "in the middle of an object"],
  ['{"a"', "in the middle of an object"],
  ['{"a":', "in the middle of an object"],
  ['{"a": 1', "in the middle of an object"],
  ['{"a": 1,', "in the middle of an object"],
  ['{"a": [1, ', "in the middle of a list"],
  ['{"a": [{"b": 1}', "in the middle of a list"],
  ['{"a": tru', "in the middle of a value"],
  ['{"a": -', "in the middle of a value"],
  ['{"a": 1.', "in the middle of a value"],
])("%j ends %s", (text, where) => expect(brokenJson(text)).toEqual({ at: text.length, cutOff: true, where }));

test.each<[text: string, at: number]>([
  ["{'a': 1}", 1],
  ['{"a": 1,}', 8],
  ['{"a" 1}', 5],
  ['{"a": 01}', 6],
  ['{"a": nope}', 6],
  ['{"a": "x\ny"}', 8],
  ['{"a": "\\x"}', 7],
  ['{"a": 1} and more', 9],
  ['{"a": [1}', 8],
  ['{"a": 1 "b": 2}', 8],
  ['{"a": 1},{"b": 2}', 8],
  ["{1: 2}", 1],
  ['{"a": xyz', 6],
  ['{"a": "\\u12x"}', 7],
  ['{"a": "\\uzz', 7],
  ['{"a": "\\u1234 and more", }', 25],
  ['{"a": "\\u1234", 1}', 16],
])("%j is wrong at character %i", (text, at) => expect(brokenJson(text)).toMatchObject({ at, cutOff: false }));

test("whatever is cut off anywhere is called cut off, at its end", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (value, part) => {
        const whole = JSON.stringify(value);
        const text = whole.slice(0, Math.max(1, Math.floor(whole.length * part)));
        if (text === whole) return;
        expect(brokenJson(text)).toMatchObject({ at: text.length, cutOff: true });
      },
    ),
  );
});

test("a model is told that its call was cut off, and never has half of it done", () => {
  const read = parser({ name: "run_command", input: z.object({ command: z.string() }) }, () => () => []);
  expect(read('{"command": "rm -rf build')).toMatchObject({
    ok: false,
    message: "Invalid arguments for run_command: the arguments end in the middle of a string at character 25.",
    hint: expect.stringContaining("Send the whole call again"),
  });
  expect(read('{"command": "ls",}')).toMatchObject({
    ok: false,
    message: 'Invalid arguments for run_command: the arguments are not valid JSON at character 17 ("}").',
  });
  expect(read("{ echo hi; }")).toMatchObject({ ok: true, input: { command: "{ echo hi; }" } });
  expect(read("[ -f a ] && echo yes")).toMatchObject({ ok: true });
});
