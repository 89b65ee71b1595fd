import { describe, expect, test } from "vitest";
import { type Nobody, readAnswer, readAnswers } from "./approval.ts";

const deny = { decision: "deny" };

describe("what a person's answer means", () => {
  test.each<[answer: unknown, read: object]>([
    ...["once", "session", "always", "deny", "abort"].flatMap((decision): [unknown, object][] => [
      [decision, { decision }],
      [{ decision }, { decision }],
    ]),
    ["edit", deny],
    ["Once", deny],
    ["", deny],
    [undefined, deny],
    [null, deny],
    [true, deny],
    [1, deny],
    [{}, deny],
    [["once"], deny],
    [{ decision: true }, deny],
    [{ decision: "all" }, deny],
    [{ decision: ["once"] }, deny],
    [{ decision: "edit" }, deny],
    [
      { decision: "edit", args: { a: 1 } },
      { decision: "edit", args: { a: 1 } },
    ],
    [
      { decision: "edit", args: null, who: "Ada" },
      { decision: "edit", args: null, who: "Ada" },
    ],
    [
      { decision: "deny", message: "not now" },
      { decision: "deny", message: "not now" },
    ],
    [{ decision: "deny", message: 1, unasked: 1, who: 1 }, deny],
    [
      { decision: "once", unasked: "tests" },
      { decision: "once", unasked: "tests" },
    ],
    [
      { decision: "once", who: " Ada " },
      { decision: "once", who: "Ada" },
    ],
    [{ decision: "once", who: " " }, { decision: "once" }],
    [
      { decision: "once", who: "x".repeat(101) },
      { decision: "once", who: "x".repeat(100) },
    ],
  ])("%j: %j", (answer, read) => {
    expect(readAnswer(answer)).toStrictEqual(read);
  });
});

describe("of several questions", () => {
  const nobody: Nobody = { decision: "nobody", hint: "later" };
  const edit = { decision: "edit", args: 1 };
  test.each<[what: string, answer: unknown, count: number, several: boolean, read: object[]]>([
    ["one word is for each", "once", 2, true, [{ decision: "once" }, { decision: "once" }]],
    ["other arguments are for one alone", edit, 1, false, [edit]],
    ["and so for none of two", edit, 2, true, [deny, deny]],
    ["each its own", ["once", edit], 2, true, [{ decision: "once" }, edit]],
    ["what is missing is a no", ["once"], 2, true, [{ decision: "once" }, deny]],
    ["what is too much is dropped", ["once", "deny"], 1, true, [{ decision: "once" }]],
    ["a list from one who was shown one", ["once"], 1, false, [deny]],
    ["nobody is there", nobody, 2, true, [nobody, nobody]],
    ["nobody, without a hint", { decision: "nobody" }, 1, false, [deny]],
    ["a hint alone", { hint: "later" }, 1, false, [deny]],
    ["nothing", undefined, 2, true, [deny, deny]],
    ["null", null, 1, true, [deny]],
  ])("%s", (_, answer, count, several, read) => {
    expect(readAnswers(answer, count, several)).toStrictEqual(read);
  });
});
