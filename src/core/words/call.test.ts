import { expect, test } from "vitest";
import { callOf, isTurnOf, readable, turnOf } from "./call.ts";

const trap = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error("no");
    },
  },
);

test.each<[string, unknown, object]>([
  ["a call", { name: "x", args: { a: 1 }, id: "1" }, { name: "x", args: { a: 1 }, id: "1" }],
  ["a name alone", "x", { name: "x" }],
  ["a number", 5, { name: "" }],
  ["nothing", undefined, { name: "" }],
  ["null", null, { name: "" }],
  ["a function", () => {}, { name: "" }],
  ["a call without a name", { args: 1 }, { args: 1, name: "" }],
  ["a name that is none", { name: { x: 1 }, id: "1" }, { name: "", id: "1" }],
  ["what cannot be looked at", trap, { name: "" }],
])("%s", (_, sent, call) => expect(readable(sent)).toEqual(call));

test("a call that comes without a turn has one of its own", () => {
  expect(callOf(turnOf("c1"))).toBe("c1");
  expect(callOf("c1")).toBeUndefined();
  expect(isTurnOf("c1", turnOf("c1"))).toBe(true);
  for (const other of ["c1", "turn_c2", "turn_c11", "turn_cc1", "turm_c1", ""])
    expect(isTurnOf("c1", other)).toBe(false);
});
