import { expect, test } from "vitest";
import { isSame, signOf, withoutEcho } from "./same.ts";

test.each<[a: unknown, b: unknown, same: boolean]>([
  [1, 1, true],
  [Number.NaN, Number.NaN, true],
  [1, "1", false],
  [null, undefined, false],
  [null, {}, false],
  [{}, {}, true],
  [{}, [], false],
  [{ a: 1, b: [2, { c: 3 }] }, { b: [2, { c: 3 }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, {}, false],
  [{}, { a: undefined }, false],
  [{ toString: Object.prototype.toString }, {}, false],
  [{ toString: Object.prototype.toString }, { x: 1 }, false],
  ["a", { 0: "a" }, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  ["", null, false],
])("%j and %j: %s", (a, b, same) => {
  expect(isSame(a, b)).toBe(same);
  expect(isSame(b, a)).toBe(same);
});

test("what is nested too deeply to tell counts as different", () => {
  const nested = (levels: number): object => (levels === 1 ? { end: 1 } : { in: nested(levels - 1) });
  expect([16, 17, 18].map((levels) => isSame(nested(levels), nested(levels)))).toEqual([true, true, false]);
});

test("the sign of an input is the same for the same, and tells most others apart", () => {
  const inputs = [{}, { a: "x" }, { a: "y" }, { a: "xx" }, { a: 1 }, { a: 2 }, { a: "", b: 3 }];
  expect(new Set(inputs.map(signOf)).size).toBe(inputs.length);
  for (const input of inputs) expect(signOf({ ...input })).toBe(signOf(input));
  expect(signOf({ a: "x", b: 1 })).toBe(signOf({ b: 1, a: "x" }));
  for (const none of [null, undefined, "text", 3, true, { deep: { a: 1 } }, { a: "" }]) expect(signOf(none)).toBe(0);
});

test("what goes round in itself is told apart, and comes to an end", () => {
  const [one, other]: { own?: unknown }[] = [{}, {}];
  Object.assign(one as object, { own: one });
  Object.assign(other as object, { own: other });
  expect(isSame(one, other)).toBe(false);
});

test.each<[answer: string, input: unknown, said: string]>([
  ["No line matches p in src.", { pattern: "p", path: "src" }, "No line matches … in …."],
  ["No line matches a|b.", { pattern: "a|b" }, "No line matches …."],
  ["No file matches *.zig; *.zig is all.", { pattern: "*.zig" }, "No file matches …; … is all."],
  ["A map of a tree", { text: "a" }, "A map of … tree"],
  ["übera", { text: "a" }, "übera"],
  ["über", { text: "ber" }, "über"],
  ["größe", { text: "gr" }, "größe"],
  ["a§b", { text: "b" }, "a§…"],
  ["aaaa", { text: "aa" }, "aaaa"],
  ["nothing", { text: "", limit: 3, deep: ["nothing"] }, "nothing"],
  ["nothing", "nothing", "nothing"],
  ["nothing", null, "nothing"],
  ["a b", "a", "a b"],
  ["a b", { deep: ["a"] }, "a b"],
  ["x".repeat(400), { text: "x".repeat(400) }, "…"],
  [`${"x ".repeat(200)}x`, { text: "x" }, `${"x ".repeat(200)}x`],
])("%j for %j says %j beside its arguments", (answer, input, said) => {
  expect(withoutEcho(answer, input)).toBe(said);
});
