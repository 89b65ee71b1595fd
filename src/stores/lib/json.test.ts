import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromJson, toJson } from "./json.ts";

const circle: Record<string, unknown> = { name: "a" };
circle.self = circle;

const shared = { once: 1n };

const throwing = {
  good: 1n,
  get bad(): never {
    throw new Error("no");
  },
};

const [one, two]: Record<string, unknown>[] = [{ name: "one", n: 1n }, { name: "two" }];
one!.two = two;
two!.one = one;
const again: Record<string, unknown> = { n: 1n };
again.inner = { toJSON: () => ({ again }) };

/** So many lists, one inside the other, and a big integer in the innermost. */
const lists = (count: number, innermost: unknown): unknown =>
  Array.from({ length: count }).reduce<unknown>((inner) => [inner], innermost);

let deep: unknown = 1n;
for (let level = 0; level < 20_000; level++) deep = [deep];

describe("toJson", () => {
  test.each<[string, unknown, unknown]>([
    ["what JSON can say", { a: [1, "x", null], b: new Date(0) }, { a: [1, "x", null], b: "1970-01-01T00:00:00.000Z" }],
    ["undefined", undefined, null],
    ["a function", () => 1, null],
    ["a big integer", { n: 12n }, { n: "12" }],
    ["a cycle", circle, { name: "a", self: "[circular]" }],
    ["the same object twice, which is no cycle", [shared, shared], [{ once: "1" }, { once: "1" }]],
    ["a getter that throws", throwing, { good: "1", bad: "[unreadable]" }],
    ["a toJSON that throws", { toJSON: () => BigInt("x"), n: 1n }, "[unreadable]"],
    ["nothing beside a big integer", { none: null, not: undefined, n: 1n }, { none: null, n: "1" }],
    ["a cycle of two", one, { name: "one", n: "1", two: { name: "two", one: "[circular]" } }],
    ["a cycle through a toJSON", again, { n: "1", inner: { again: "[circular]" } }],
    ["a toJSON that is no function", { toJSON: 5, n: 1n }, { toJSON: 5, n: "1" }],
    ["64 lists", lists(64, 1n), lists(64, "1")],
    ["65 lists", lists(65, 1n), lists(64, "[too deep]")],
    ["a date beside a big integer", { at: new Date(0), n: 1n }, { at: "1970-01-01T00:00:00.000Z", n: "1" }],
  ])("%s", (_, value, expected) => {
    expect(fromJson(toJson(value))).toEqual(expected);
  });
  test("endless depth is cut", () => {
    expect(toJson(deep)).toContain("[too deep]");
  });
  test("anything becomes JSON, and what is JSON already stays the same", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true }),
        (value) => void fromJson(toJson(value)),
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => toJson(value) === JSON.stringify(value)));
  });
});
