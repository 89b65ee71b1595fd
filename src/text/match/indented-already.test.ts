import { describe, expect, test } from "vitest";
import { replaceText } from "../match.ts";

type Case = [name: string, content: string, old: string, wanted: string, expected: string];

function holds(how: string[], cases: Case[]) {
  test.each(cases)("%s", (_name, content, old, wanted, expected) => {
    expect(replaceText(content, { old, new: wanted })).toMatchObject({ kind: "replaced", text: expected, how });
  });
}

describe("a new text that has the file's indentation already is not shifted again", () => {
  const python = "def f():\n    if a:\n        b()\n    return 1\n";
  holds(
    ["indentation"],
    [
      ["all of it", "{\n    a\n    b\n}\n", "a\nb\n", "    a\n    c\n", "{\n    a\n    c\n}\n"],
      [
        "with deeper lines",
        python,
        "if a:\n    b()\nreturn 1\n",
        "    if a:\n        if c:\n            b()\n    return 1\n",
        "def f():\n    if a:\n        if c:\n            b()\n    return 1\n",
      ],
      ["one line in place of a block", python, "if a:\n    b()\n", "    c()\n", "def f():\n    c()\n    return 1\n"],
      ["the old text is too deep", "a\nb\n", "    a\n    b\n", "if x:\n    a\n    b\n", "if x:\n    a\n    b\n"],
      ["the old text is too deep, lines alone", "a\nb\n", "    a\n    b\n", "a\nc\n", "a\nc\n"],
      ["two for four", "{\n    a\n}\n", "{\n  a\n}\n", "{\n    b\n}\n", "{\n    b\n}\n"],
      [
        "two for four, more levels",
        "{\n    a {\n        b\n    }\n}\n",
        "{\n  a {\n    b\n  }\n}\n",
        "{\n    c\n}\n",
        "{\n    c\n}\n",
      ],
      ["four for two", "{\n  a\n}\n", "{\n    a\n}\n", "{\n  b\n}\n", "{\n  b\n}\n"],
      [
        "spaces for tabs",
        "{\n\ta\n\tb\n}\n",
        "    a\n    b\n",
        "\ta\n\tif c {\n\t\tb\n\t}\n",
        "{\n\ta\n\tif c {\n\t\tb\n\t}\n}\n",
      ],
      ["tabs for spaces", "{\n  a\n  b\n}\n", "\ta\n\tb\n", "  a\n  c\n", "{\n  a\n  c\n}\n"],
      ["blank lines between", "{\n  a\n\n  b\n}\n", "a\n\nb\n", "  a\n\n  c\n", "{\n  a\n\n  c\n}\n"],
    ],
  );
  holds(
    ["indentation"],
    [
      ["but one in the old text's is", "{\n    a\n    b\n}\n", "a\nb\n", "a\nc\n", "{\n    a\n    c\n}\n"],
      [
        "nor one that wraps lines",
        python,
        "if a:\n    b()\n",
        "if c:\n    if a:\n        b()\n",
        "def f():\n    if c:\n        if a:\n            b()\n    return 1\n",
      ],
      [
        "nor one that wraps lines of one level",
        "def f():\n    a()\n    b()\n",
        "a()\nb()\n",
        "if x:\n    a()\n    b()\n",
        "def f():\n    if x:\n        a()\n        b()\n",
      ],
    ],
  );
  holds(
    ["typographic punctuation", "indentation"],
    [
      [
        "and keeps the file's characters",
        "{\n    say(“a”)\n    b\n}\n",
        'say("a")\nb\n',
        '    say("a")\n    c\n',
        "{\n    say(“a”)\n    c\n}\n",
      ],
    ],
  );
  test("and one that changes nothing but what the file has is refused", () => {
    expect(replaceText("{\n    a\n    b\n}\n", { old: "a\nb\n", new: "    a\n    b\n" })).toMatchObject({
      kind: "unusable",
    });
  });
});

describe("a first line keeps what stands before it", () => {
  holds(
    [],
    [
      [
        "words that the new text begins with",
        " x = a\n x = b\n",
        "a\n x = b",
        " x = c\n x = d",
        " x =  x = c\n x = d\n",
      ],
      [
        "an indent that the new text has only after a blank line",
        "{\n    a\n    b\n}\n",
        "a\n    b",
        " \n    a\n    c",
        "{\n     \n    a\n    c\n}\n",
      ],
    ],
  );
});
