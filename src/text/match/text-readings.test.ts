import { describe, expect, test } from "vitest";
import { replaceText } from "../match.ts";
import { readingsOf } from "./text-readings.ts";

const file = "zero\n    one\n\n  two\nthree\n";

describe("line-number prefixes", () => {
  test.each([
    ["a colon and a blank", "2:     one\n3: \n4:   two\n", "2:     ONE\n3: \n4:   two\n"],
    ["a colon", "2:    one\n3:\n4:  two\n", "2:    ONE\n3:\n4:  two\n"],
    ["a tab", "2\t    one\n3\t\n4\t  two\n", "2\t    ONE\n3\t\n4\t  two\n"],
    ["a tab after blanks", "     2\t    one\n     3\t\n     4\t  two\n", "     2\t    ONE\n     3\t\n     4\t  two\n"],
    ["an arrow", "2→    one\n3→\n4→  two\n", "2→    ONE\n3→\n4→  two\n"],
    ["an arrow after blanks", "  2→    one\n  3→\n  4→  two\n", "  2→    ONE\n  3→\n  4→  two\n"],
    ["a bar", "2|    one\n3|\n4|  two\n", "2|    ONE\n3|\n4|  two\n"],
    ["a bar and a blank", "  2|     one\n  3| \n  4|   two\n", "  2|     ONE\n  3| \n  4|   two\n"],
    ["a bar between blanks", "2 |     one\n3 |\n4 |   two\n", "2 |     ONE\n3 |\n4 |   two\n"],
    ["zeros and a bar", "00002|     one\n00003| \n00004|   two\n", "00002|     ONE\n00003| \n00004|   two\n"],
    ["a blank line without a number", "2:     one\n\n4:   two\n", "2:     ONE\n\n4:   two\n"],
    ["blank lines that do not count", "1\t    one\n\n2\t  two\n", "1\t    ONE\n\n2\t  two\n"],
    ["a number whose tab was trimmed", "2\t    one\n3\n4\t  two\n", "2\t    ONE\n3\n4\t  two\n"],
    ["only in the old text", "2\t    one\n3\t\n4\t  two\n", "    ONE\n\n  two\n"],
    ["on some lines of the new text", "2\t    one\n3\t\n4\t  two\n", "    ONE\n3\t\n4\t  two\n"],
    ["without an end", "2\t    one\n3\t\n4\t  two", "2\t    ONE\n3\t\n4\t  two"],
  ])("%s", (_name, old, wanted) => {
    const result = replaceText(file, { old, new: wanted });
    expect(result).toMatchObject({ kind: "replaced", text: "zero\n    ONE\n\n  two\nthree\n" });
    expect(result).toMatchObject({ how: expect.arrayContaining(["line-number prefixes"]) });
  });

  test("one line, with another line ending", () => {
    expect(replaceText("a\r\nb\r\nc\r\n", { old: "2: b\n", new: "2: x\n3: y\n" })).toMatchObject({
      text: "a\r\nx\r\ny\r\nc\r\n",
      how: ["line-number prefixes", "line endings"],
    });
  });

  test("numbers in a new text without prefixes are its own", () => {
    expect(replaceText("a\nb\n", { old: "1: a\n", new: "1\n2\n" })).toMatchObject({ text: "1\n2\nb\n" });
  });

  test("numbers of the new text that cannot come from the listing stay", () => {
    const result = replaceText("a\nb\n", { old: "1: a\n", new: "80: x\n" });
    expect(result).toMatchObject({ kind: "replaced", text: "80: x\nb\n" });
  });
});

describe("escaping", () => {
  test.each([
    ["newlines", "a\nb\nc\n", "a\\nb", "x\\ny", "x\ny\nc\n"],
    ["quotes", 'say("hi");\n', 'say(\\"hi\\")', 'say(\\"ho\\")', 'say("ho");\n'],
    ["tabs", "\ta\n", "\\ta\\n", "\\tb\\n", "\tb\n"],
    ["backslashes", 'print("a\\n")\n', 'print("a\\\\n")', 'print("b\\\\n")', 'print("b\\n")\n'],
    [
      "all together",
      'f("\\d");\n\tg();\n',
      'f(\\"\\\\d\\");\\n\\tg();',
      'f(\\"\\\\w\\");\\n\\th();',
      'f("\\w");\n\th();\n',
    ],
    ["single quotes", "it's\n", "it\\'s", "it isn\\'t", "it isn't\n"],
  ])("of %s", (_name, content, old, wanted, expected) => {
    expect(replaceText(content, { old, new: wanted })).toMatchObject({
      kind: "replaced",
      text: expected,
      how: ["escaping"],
    });
  });

  test("together with line endings and indents", () => {
    expect(replaceText("{\r\n    a\r\n    b\r\n}\r\n", { old: "\\ta\\n\\tb\\n", new: "\\ta\\n\\tc\\n" })).toMatchObject(
      {
        text: "{\r\n    a\r\n    c\r\n}\r\n",
        how: ["escaping", "line endings", "indentation"],
      },
    );
  });

  test("together with line numbers", () => {
    expect(replaceText("x\na\nb\n", { old: "2\\ta\\n3\\tb", new: "2\\tA\\n3\\tb" })).toMatchObject({
      text: "x\nA\nb\n",
      how: ["escaping", "line-number prefixes"],
    });
  });
});

test("a plain request has one reading", () => {
  expect(readingsOf({ old: "a", new: "b" })).toEqual([[{ old: "a", new: "b", how: [], wholeLines: false }]]);
});
