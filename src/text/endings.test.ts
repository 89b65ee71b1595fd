import { describe, expect, test } from "vitest";
import { crlf, diff } from "./cases/patch-case.ts";
import { linesAt, splitLines } from "./lines.ts";
import { replaceText } from "./match.ts";
import { applyPatch } from "./patch/apply.ts";
import { parsePatch } from "./patch.ts";

const edited = (content: string, old: string, wanted: string, all = false): string => {
  const result = replaceText(content, { old, new: wanted, all });
  if (result.kind !== "replaced") throw new Error(JSON.stringify(result));
  return result.text;
};

const patched = (before: string, patch: string): string => {
  const parsed = parsePatch(patch);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const outcome = applyPatch(before, parsed.operations[0]!.hunks);
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome.text;
};

const withEnding = (text: string, ending: string): string => text.replaceAll("\n", ending);

describe("no carriage return is ever doubled", () => {
  const EDITS: [old: string, wanted: string][] = [
    ["two", "x\ny"],
    ["two", "x\ny\n"],
    ["two", "x\n\ny"],
    ["two\n", "x\ny\n"],
    ["two\nthree", "x\ny"],
    ["one\n  two\n", ""],
    ["  two", "x\n  y"],
  ];
  describe.each([
    ["CRLF", "\r\n"],
    ["LF", "\n"],
    ["CR", "\r"],
  ])("in a file with %s", (_, ofFile) => {
    const lf = "one\n  two\nthree\nfour\n";
    test.each(EDITS)("%j becomes %j, whatever ending it is written with", (old, wanted) => {
      const expected = withEnding(edited(lf, old, wanted), ofFile);
      expect(edited(withEnding(lf, ofFile), old, wanted)).toBe(expected);
      expect(edited(withEnding(lf, ofFile), withEnding(old, ofFile), withEnding(wanted, ofFile))).toBe(expected);
    });
  });

  test("a new text with its own carriage returns is put in as it is", () => {
    expect(edited("a\r\nb\r\n", "a", "x\r\ny")).toBe("x\r\ny\r\nb\r\n");
    expect(edited("a b a\r\n", "a", "x\r\ny", true)).toBe("x\r\ny b x\r\ny\r\n");
    expect(edited("a\r\nb\r\n", "a", "x\r\ny\nz")).toBe("x\r\ny\nz\r\nb\r\n");
    expect(edited("a\r\nb\r\n", "a", "x\ry")).toBe("x\ry\r\nb\r\n");
  });

  test.each<[what: string, content: string, old: string, wanted: string, expected: string]>([
    ["CRLF old, LF new", "a\r\nb\r\nc\r\n", "a\r\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    ["CRLF old, LF new at the end of the file", "a\r\nb\r\n", "b\r\n", "x\ny\n", "a\r\nx\r\ny\r\n"],
    ["CRLF old, LF new, in a mixed file", "a\nb\r\nc\nd\n", "b\r\n", "x\ny\n", "a\nx\r\ny\r\nc\nd\n"],
    ["LF old, CRLF new", "a\nb\nc\n", "a\nb", "x\r\ny\r\nz", "x\ny\nz\nc\n"],
    ["CRLF new within a line of LF", "a\nb\n", "b", "x\r\ny", "a\nx\ny\n"],
    ["CRLF new in a file of one line", "a", "a", "x\r\ny", "x\r\ny"],
    ["half of a pair, and more lines", "a\r\nb\r\n", "\nb", "\nx\ny", "a\r\nx\r\ny\r\n"],
    ["half of a pair, and no line", "a\r\nb\r\n", "\nb", "b", "ab\r\n"],
    ["CR old, LF new", "a\rb\rc\r", "a\rb", "x\ny", "x\ry\rc\r"],
    ["a carriage return that ends no line", "x\ra\nb\n", "x\ra", "x\ny", "x\ny\nb\n"],
    ["nothing but endings: CRLF to LF", "a\r\nb\r\n", "a\r\nb\r\n", "a\nb\n", "a\nb\n"],
    ["nothing but endings: LF to CRLF", "a\nb\n", "a\n", "a\r\n", "a\r\nb\n"],
    ["both endings in the old text", "a\r\nb\nc\n", "a\r\nb\n", "x\ny\n", "x\ny\nc\n"],
    ["both endings in the new text", "a\r\nb\r\n", "a\r\n", "x\r\ny\n", "x\r\ny\nb\r\n"],
  ])("%s", (_, content, old, wanted, expected) => {
    expect(edited(content, old, wanted)).toBe(expected);
  });

  test("by a patch, whoever of the two has carriage returns", () => {
    const before = "a\nb\nc\nd\n";
    const patch = diff("@@ -1,3 +1,4 @@", " a", "-b", "+x", "+y", " c");
    const after = "a\nx\ny\nc\nd\n";
    expect(patched(before, patch)).toBe(after);
    expect(patched(crlf(before), patch)).toBe(crlf(after));
    expect(patched(crlf(before), crlf(patch))).toBe(crlf(after));
    expect(patched(before, crlf(patch))).toBe(after);
    expect(patched(withEnding(before, "\r"), patch)).toBe(withEnding(after, "\r"));
  });

  test("one that is there already stays, and belongs to its line", () => {
    const before = "a\r\r\nb\r\nc\r\n";
    expect(edited(before, "b", "x\ny")).toBe("a\r\r\nx\r\ny\r\nc\r\n");
    expect(patched(before, diff("@@ -2,2 +2,2 @@", "-b", "+x", " c"))).toBe("a\r\r\nx\r\nc\r\n");
    expect(splitLines("a\r\r\nb").map(({ text, ending }) => text + JSON.stringify(ending))).toEqual([
      'a"\\r"',
      '"\\r\\n"',
      'b""',
    ]);
    expect(linesAt("a\r\r\nb", [0, 2, 4])).toEqual([1, 2, 3]);
  });
});

describe("a patch that was converted, once or twice, changes no ending of the file", () => {
  const ENDINGS = ["\n", "\r\n", "\r\r\n"];
  const cases = ["\n", "\r\n"].flatMap((file) =>
    ENDINGS.flatMap((headers) => ENDINGS.map((body): [string, string, string] => [file, headers, body])),
  );
  test.each(cases)("file %j, headers %j, lines %j", (file, headers, body) => {
    const patch = `--- a/f${headers}+++ b/f${headers}@@ -1,3 +1,4 @@${headers} one${body}-two${body}+x${body}+y${body} three${body}`;
    expect(patched(withEnding("one\ntwo\nthree\n", file), patch)).toBe(withEnding("one\nx\ny\nthree\n", file));
  });

  test("carriage returns that the file has stay, and so do those that the patch brings by itself", () => {
    const diffOf = (old: string, wanted: string) => `--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-${old}\n+${wanted}\n`;
    expect(patched("a\nb\r\r\n", diffOf("b\r\r", "c\r\r"))).toBe("a\nc\r\r\n");
    expect(patched("a\nb\n", diffOf("b", "c\r\r"))).toBe("a\nc\r\r\n");
    expect(patched("a\nb\n", diffOf("b", "c\r"))).toBe("a\nc\r\n");
  });
});
