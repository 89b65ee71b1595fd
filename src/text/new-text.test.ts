import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newText } from "./new-text.ts";

/** What is new, in brackets. */
const shown = (before: string, after: string): string => {
  const isNew = newText(before, after);
  let text = "";
  for (let at = 0; at < after.length; at++) {
    if (isNew[at] && !isNew[at - 1]) text += "<";
    text += after[at];
    if (isNew[at] && !isNew[at + 1]) text += ">";
  }
  return text;
};

describe("what is new in a text", () => {
  test.each<[what: string, before: string, after: string, shown: string]>([
    ["all of a file that was empty", "", "a\nb", "<a\nb>"],
    ["nothing where nothing changed", "a\nb", "a\nb", "a\nb"],
    ["a line that was added", "a\nc", "a\nb\nc", "a\n<b\n>c"],
    ["the middle of a line", "log(x)", "log(y)", "log(<y>)"],
    ["the end of a line", "log(x", "log(x)", "log(x<)>"],
    ["the beginning of a line", "eval(1)", "a = eval(1)", "<a = >eval(1)"],
    ["what meets where something was taken out", "#eval(1)", "eval(1)", "<e>val(1)"],
    ["what meets in the middle", "ev/**/al(1)", "eval(1)", "e<va>l(1)"],
    ["not a line that was indented", "a\neval(1)\nb", "a\n  eval(1)\nb", "a\n  eval(1)\nb"],
    ["not a line that was moved", "eval(1)\na\nb\nc", "a\nb\nc\neval(1)", "a\nb\nc\neval(1)"],
    ["a line that was copied", "eval(1)\na", "eval(1)\na\neval(1)", "eval(1)\na\n<eval(1)>"],
    ["all of two lines in the place of one", "a\nx\nb", "a\nxy\nz\nb", "a\n<xy\nz\n>b"],
    ["nothing of what is left", "a\nb\nc", "a\nc", "a\nc"],
  ])("%s", (_, before, after, expected) => expect(shown(before, after)).toBe(expected));

  const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n"), maxLength: 20 });
  test("has a mark for every character, and none where both are the same", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(newText(before, after)).toHaveLength(after.length);
        if (before !== "") expect(newText(before, before)).not.toContain(1);
      }),
    );
  });
});
