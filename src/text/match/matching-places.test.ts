import { describe, expect, test } from "vitest";
import { replaceText } from "../match.ts";

type Case = [name: string, content: string, old: string, wanted: string, expected: string];

function holds(how: string[], cases: Case[]) {
  test.each(cases)("%s", (_name, content, old, wanted, expected) => {
    expect(replaceText(content, { old, new: wanted })).toMatchObject({ kind: "replaced", text: expected, how });
  });
}

describe("line endings", () => {
  holds(
    ["line endings"],
    [
      ["LF for CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", "x\r\ny\r\nz\r\nc\r\n"],
      ["CRLF for LF", "a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"],
      ["LF for CR", "a\rb\rc", "a\nb", "x\ny", "x\ry\rc"],
      ["line by line in a mixed file", "a\r\nb\nc\rd\n", "a\nb\nc\nd\n", "1\n2\n3\n4\n", "1\r\n2\n3\r4\n"],
      ["from within a line to within a line", "xa\r\nby\r\n", "a\nb", "1\n2", "x1\r\n2y\r\n"],
      ["more lines than before", "a\r\nb", "a\nb", "a\nb\nc", "a\r\nb\r\nc"],
      ["fewer lines than before", "a\r\nb\r\nc\r\n", "a\nb\nc\n", "c\n", "c\r\n"],
      ["nothing left", "a\r\nb\r\nc", "a\nb\n", "", "c"],
      ["a text that begins with a newline", "a\r\nb\r\nc", "\nb\n", "\nx\n", "a\r\nx\r\nc"],
    ],
  );
});

describe("trailing white space", () => {
  holds(
    ["trailing white space"],
    [
      ["in the file", "a  \nb\n", "a\nb\n", "x\nb\n", "x\nb\n"],
      ["in the request", "a\nb\n", "a \nb\t\n", "x\nb\t\n", "x\nb\n"],
      ["kept on lines that stay", "a  \nb\t\nc\n", "a\nb\nc\n", "a\nx\nc\n", "a  \nx\nc\n"],
      ["on a blank line", "a\n   \nb\n", "a\n\nb\n", "a\n\nc\n", "a\n   \nc\n"],
      ["on the last line without an end", "x\na \nb  ", "a\nb", "a\nc", "x\na \nc"],
    ],
  );
  holds(
    ["line endings", "trailing white space"],
    [["together with line endings", "a  \r\nb\r\n", "a\nb\n", "a\nc\nd\n", "a  \r\nc\r\nd\r\n"]],
  );
});

describe("blank lines at the ends", () => {
  holds(
    ["blank lines at the ends"],
    [
      ["before", "x\na\nb\n", "\n\na\n", "\n\nc\n", "x\nc\nb\n"],
      ["after", "x\na\nb\n", "a\n\n", "c\n\n", "x\nc\nb\n"],
      ["both, and the new text has none", "x\na\nb\n", "\n\na\n\n\n", "c", "x\nc\nb\n"],
      ["those that are there are replaced", "x\n\na\nb\n", "\n\n\na\n", "\n\n\nc\n", "x\n\nc\nb\n"],
      ["those that are there are removed if asked for", "x\n\na\nb\n", "\n\n\na\n", "c\n", "x\nc\nb\n"],
      ["an indent at the end", "x\n  a\nb\n", "  a\n    ", "  c\n    ", "x\n  c\nb\n"],
      ["removal", "x\na\nb\n", "\n\na\n\n", "", "x\nb\n"],
    ],
  );
  holds(
    ["final newline"],
    [
      ["the file has no final newline", "a\nb", "a\nb\n", "a\nc\n", "a\nc"],
      ["lines are added at its end", "a\nb", "b\n", "b\nc\n", "a\nb\nc"],
      ["its last line is removed", "a\nb", "b\n", "", "a\n"],
    ],
  );
});

describe("indentation", () => {
  holds(
    ["indentation"],
    [
      ["too little", "{\n    a\n      b\n}\n", "a\n  b\n", "a\n  c\n    d\n", "{\n    a\n      c\n        d\n}\n"],
      ["too much", "a\n  b\n", "    a\n      b\n", "    a\n      c\n        d\n", "a\n  c\n    d\n"],
      [
        "spaces for tabs",
        "{\n\tif a {\n\t\tb\n\t}\n}\n",
        "    if a {\n        b\n    }\n",
        "    if a {\n        c {\n            d\n        }\n    }\n",
        "{\n\tif a {\n\t\tc {\n\t\t\td\n\t\t}\n\t}\n}\n",
      ],
      [
        "tabs for spaces",
        "{\n  if a {\n    b\n  }\n}\n",
        "\tif a {\n\t\tb\n\t}\n",
        "\tif a {\n\t\t\tc\n\t}\n",
        "{\n  if a {\n      c\n  }\n}\n",
      ],
      [
        "two for four",
        "def f():\n    if a:\n        b\n",
        "  if a:\n    b\n",
        "  if a:\n    if c:\n      b\n",
        "def f():\n    if a:\n        if c:\n            b\n",
      ],
      [
        "four for two",
        "f {\n  if a {\n    b\n  }\n}\n",
        "    if a {\n        b\n    }\n",
        "    if a {\n        b\n        c {\n            d\n        }\n    }\n",
        "f {\n  if a {\n    b\n    c {\n      d\n    }\n  }\n}\n",
      ],
      [
        "four for two on one line",
        "f {\n  a\n}\n",
        "    a\n",
        "    if b {\n        a\n    }\n",
        "f {\n  if b {\n    a\n  }\n}\n",
      ],
      [
        "one line, deeper lines in the file's unit",
        "f() {\n\treturn 1\n}\n",
        "    return 1\n",
        "    if (a) {\n        return 2\n    }\n",
        "f() {\n\tif (a) {\n\t\treturn 2\n\t}\n}\n",
      ],
      [
        "block comments with their stars",
        "{\n\t/**\n\t * a\n\t */\n\tb\n}\n",
        "  /**\n   * a\n   */\n  b\n",
        "  /**\n   * c\n   */\n  b\n",
        "{\n\t/**\n\t * c\n\t */\n\tb\n}\n",
      ],
      [
        "blank lines have no indent",
        "{\n\ta\n\n\tb\n}\n",
        "  a\n\n  b\n",
        "  a\n\n  c\n\n  d\n",
        "{\n\ta\n\n\tc\n\n\td\n}\n",
      ],
      [
        "lines that stay keep theirs",
        "{\n\ta\n\t\tb\n}\n",
        "  a\n    b\n",
        "  x\n  a\n    b\n",
        "{\n\tx\n\ta\n\t\tb\n}\n",
      ],
      ["without an end", "  a\n  b", "\ta\n\tb", "\ta\n\tc", "  a\n  c"],
      [
        "a line without an indent in place of one with",
        "  f {\n    a\n  }\n",
        "f {\n\ta\n}\n",
        "f {\nb\n\tc\n}\n",
        "  f {\n  b\n    c\n  }\n",
      ],
    ],
  );
  holds(
    ["line endings", "indentation"],
    [
      [
        "together with line endings",
        "{\r\n\ta\r\n\tb\r\n}\r\n",
        "  a\n  b\n",
        "  a\n  c\n  d\n",
        "{\r\n\ta\r\n\tc\r\n\td\r\n}\r\n",
      ],
    ],
  );
  holds(
    ["blank lines at the ends", "trailing white space", "typographic punctuation", "indentation"],
    [
      [
        "together with much else",
        "x\n\tsay “a”  \n\tb\ny\n",
        '\n\n  say "a"\n  b\n',
        '\n\n  say "a"\n  c\n',
        "x\n\tsay “a”  \n\tc\ny\n",
      ],
    ],
  );
});

describe("typographic punctuation", () => {
  holds(
    ["typographic punctuation"],
    [
      ["curly quotes", "say “hi” to ’em\n", 'say "hi" to \'em\n', "say no\n", "say no\n"],
      ["straight quotes", 'say "hi"\n', "say “hi”\n", "say “ho”\n", 'say "ho"\n'],
      ["dashes", "1–2 — 3 − 4\n", "1-2 - 3 - 4\n", "5\n", "5\n"],
      ["blanks", "10\u00A0km\u2009=\u3000x\n", "10 km = x\n", "y\n", "y\n"],
      ["an ellipsis", "wait… what\n", "wait... what\n", "wait... no\n", "wait… no\n"],
      ["three dots", "wait... what\n", "wait… what\n", "wait… no\n", "wait... no\n"],
      ["within a line", "he said “hi” twice\n", 'said "hi"', 'said "ho"', "he said “ho” twice\n"],
      ["the file's marks stay on lines that stay", "“a”\n“b”\n", '"a"\n"b"\n', '"a"\n"c"\n', "“a”\n“c”\n"],
      [
        "the file's marks stay at both ends of a line",
        "‘x’ — a — ‘y’\n",
        "'x' - a - 'y'\n",
        "'x' - b - 'y'\n",
        "‘x’ — b — ‘y’\n",
      ],
      ["new marks are the request's", "a “b”\n", 'a "b"\n', 'a "b" and "c"; d\n', 'a “b” and "c"; d\n'],
      ["in the indent", "\u00A0\u00A0a\n", "  a\n", "  b\n", "\u00A0\u00A0b\n"],
      ["marks outside stay", "“x”\n“a”\n“y”\n", '"a"', "b", "“x”\nb\n“y”\n"],
    ],
  );
  holds(
    ["line endings", "typographic punctuation"],
    [["together with line endings", "say “a”\r\nb\r\n", 'say "a"\nb\n', 'say "a"\nc\n', "say “a”\r\nc\r\n"]],
  );
});

describe("preference", () => {
  test.each([
    ["endings before white space", "a\r\nb\r\n--\na \nb\n", "a\nb\n", "c\n", "c\r\n--\na \nb\n"],
    ["white space before quotes", 'say “a”\n--\nsay "a" \n', 'say "a"\n', "c\n", "say “a”\n--\nc\n"],
    ["quotes before an indent", '  say "a"\n--\n\tsay “a”\n', '\tsay "a"\n', "\tc\n", '  say "a"\n--\n\tc\n'],
    ["an indent before numbers", "\t1: a\n--\na\n", "  1: a\n", "  1: b\n", "\t1: b\n--\na\n"],
  ])("%s", (_name, content, old, wanted, expected) => {
    expect(replaceText(content, { old, new: wanted })).toMatchObject({ kind: "replaced", text: expected });
  });
});

test("a byte order mark stays where it is", () => {
  const file = "\uFEFFa\r\nb\r\n";
  expect(replaceText(file, { old: "a\nb\n", new: "c\n" })).toMatchObject({
    text: "\uFEFFc\r\n",
    how: ["line endings"],
  });
  expect(replaceText("a\nb\n", { old: "\uFEFFa\n", new: "\uFEFFc\n" })).toMatchObject({
    text: "c\nb\n",
    how: ["byte order mark"],
  });
  expect(replaceText("\uFEFF  a\nb\n", { old: "\ta\nb", new: "\tc\nb" })).toMatchObject({ text: "\uFEFF  c\nb\n" });
  expect(replaceText("\uFEFF  a\n  b\n", { old: "\uFEFF\ta\n\tb\n", new: "\tc\n\tb\n" })).toMatchObject({
    text: "\uFEFF  c\n  b\n",
    how: ["byte order mark", "indentation"],
  });
});
