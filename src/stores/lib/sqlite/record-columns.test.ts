import { describe, expect, test } from "vitest";
import { idsOf, isNextID, namesOf } from "./record-columns.ts";

describe("ids that follow each other are stored as one sequence", () => {
  const ENDS = [..."0123456789abcdefghijklmnopqrstuvwxyz"];
  const OTHERS = [..."/:`{AZ-é", ""];

  test.each(ENDS.slice(1).map((end, index) => [`x${ENDS[index]}`, `x${end}`]))("%s, %s", (before, id) => {
    expect(isNextID(id, before)).toBe(true);
    expect(idsOf([0, before], 2)).toEqual([before, id]);
  });

  test("no others do", () => {
    const all = [...ENDS, ...OTHERS];
    const pairs = all.flatMap((before) => all.map((id) => [before, id] as const));
    const follow = pairs.filter(([before, id]) => isNextID(id, before));
    expect(follow).toEqual(ENDS.slice(1).map((end, index) => [ENDS[index], end]));
  });

  test.each([
    ["a0", "b1", "another beginning"],
    ["a0b", "a1", "a longer one before"],
    ["0", "a1", "a shorter one before"],
    ["a9", "b0", "a new beginning after the last digit"],
    ["a0", "a2", "one left out"],
    ["a0", "a0", "the same again"],
  ])("%s, %s: %s", (before, id) => {
    expect(isNextID(id, before)).toBe(false);
  });

  test("a sequence ends where the next one begins", () => {
    expect(idsOf([0, "a8", 3, "q0"], 5)).toEqual(["a8", "a9", "aa", "q0", "q1"]);
  });
});

describe("the names of arguments are stored apart from their values", () => {
  const bare: object = Object.assign(Object.create(null), { a: 1 });
  test.each<[string, unknown, readonly string[]]>([
    ["texts and numbers", { path: "a", line: 1 }, ["path", "line"]],
    ["truths and null", { all: true, none: null }, ["all", "none"]],
    ["an object without a prototype", bare, ["a"]],
    ["no arguments", {}, []],
  ])("%s", (_, input, names) => {
    expect(namesOf(input, undefined)).toEqual(names);
  });

  test("and are those of the record before, if they are the same in the same order", () => {
    const before = ["path", "line"];
    expect(namesOf({ path: "b", line: 2 }, before)).toBe(before);
    expect(namesOf({ line: 2, path: "b" }, before)).toEqual(["line", "path"]);
    expect(namesOf({ path: "b" }, before)).toEqual(["path"]);
    expect(namesOf({ path: "b", line: 2, more: 3 }, before)).toEqual(["path", "line", "more"]);
    expect(namesOf({ path: ["b"], line: 2 }, before)).toBeNull();
  });

  const unreadable = new Proxy(
    { a: 1 },
    {
      get: () => 1,
      ownKeys: () => {
        throw new Error("no");
      },
    },
  );
  test.each<[string, unknown]>([
    ["a text", "path"],
    ["a number", 1],
    ["null", null],
    ["nothing", undefined],
    ["a list", ["a"]],
    ["an object of a class", new Date(0)],
    ["an object that contains another", { a: { b: 1 } }],
    ["an object that lacks a value", { a: undefined }],
    ["an object that cannot be read", unreadable],
  ])("but for %s, which is stored whole", (_, input) => {
    expect(namesOf(input, undefined)).toBeNull();
  });
});
