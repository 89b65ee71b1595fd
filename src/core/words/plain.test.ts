import { expect, test } from "vitest";
import { isPlain, plainFields } from "./plain.ts";

const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : [nested(depth - 1, inner)]);
const circle: Record<string, unknown> = {};
circle.one = circle;
circle.other = circle;
const trap = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error("trap");
    },
  },
);
const getter = {
  get a(): string {
    throw new Error("getter");
  },
};

test.each<[what: string, value: unknown, is: boolean]>([
  ["a text", "a", true],
  ["a number", 1.5, true],
  ["null", null, true],
  ["nothing", undefined, true],
  ["what is nested", { a: [1, { b: "c" }], d: undefined }, true],
  ["bytes", new Uint8Array(9), true],
  ["a large number", 1n, false],
  ["one further down", { a: [1n] }, false],
  ["a function", { a: () => 1 }, false],
  ["a symbol", [Symbol.iterator], false],
  ["a circle", circle, false],
  ["a trap", trap, false],
  ["a field that throws", getter, false],
  ["as many values as there may be", Array(1_000_000).fill(0), true],
  ["one more", Array(1_000_001).fill(0), false],
  ["more bytes than that", new Uint8Array(1_000_001), true],
  ["lists as deep as they may be", nested(64, []), true],
  ["null further down", nested(65, null), true],
  ["one deeper", nested(65, []), false],
])("%s", (_, value, is) => expect(isPlain(value)).toBe(is));

test("fields that are not plain are left out", () => {
  const fine = { a: 1, b: { c: [2] } };
  expect(plainFields(fine)).toBe(fine);
  expect(plainFields({ ...fine, d: 1n, circle, trap })).toEqual(fine);
  expect(plainFields(trap as Record<string, unknown>)).toEqual({});
  expect(
    plainFields({
      a: 1,
      get b(): string {
        throw new Error("getter");
      },
    }),
  ).toEqual({ a: 1 });
  expect(Object.getPrototypeOf(plainFields(JSON.parse('{"__proto__": {"a": 1}, "x": 1}')))).toBe(Object.prototype);
});
