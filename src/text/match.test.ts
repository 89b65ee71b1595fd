import { describe, expect, test } from "vitest";
import { replaceText } from "./match.ts";

type Case = [name: string, content: string, old: string, wanted: string, expected: string, how?: string[]];

function expectReplaced([, content, old, wanted, expected, how = []]: Case, all = false) {
  const result = replaceText(content, { old, new: wanted, all });
  expect(result).toMatchObject({ kind: "replaced", text: expected, how });
}

describe("an exact text is replaced as it is", () => {
  const cases: Case[] = [
    ["a word", "one two three", "two", "2", "one 2 three"],
    ["a line", "a\nb\nc\n", "b\n", "B\n", "a\nB\nc\n"],
    ["dollar signs mean nothing", "x two y", "two", "$&$1$$`", "x $&$1$$` y"],
    ["dollar signs in the old text", "cost $& now", "$&", "$1", "cost $1 now"],
    ["backslashes mean nothing", 'say "a"', '"a"', '"\\n"', 'say "\\n"'],
    ["an escape that the file has", 'say "a\\n"', "a\\n", "b\\n", 'say "b\\n"'],
    ["removal", "a\nb\nc\n", "b\n", "", "a\nc\n"],
    ["a joined line, as asked", "a\nb\nc\n", "b\n", "B", "a\nBc\n"],
    ["the whole file", "all", "all", "", ""],
    ["a line number that the file has", "1: a\n2: b\n", "1: a\n", "1: A\n", "1: A\n2: b\n"],
    ["CRLF asked for and there", "a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"],
    ["LF at an LF place of a mixed file", "a\r\nb\nc\r\n", "b\nc", "x\ny", "a\r\nx\ny\r\n"],
    ["curly quotes that the file has", '“a” "a"', "“a”", "b", 'b "a"'],
    ["white space only", "a\tb", "\t", " ", "a b"],
    ["after a byte order mark", "\uFEFFa\nb", "a", "x", "\uFEFFx\nb"],
    ["an overlap counts once", "aaa", "aa", "b", "ba"],
    ["an exact place beats loose ones", "  a\n\ta\nb = a;\n", "b = a;\n", "c\n", "  a\n\ta\nc\n"],
    ["an exact place beats one with other quotes", 'say “hi”\nsay "hi"\n', 'say "hi"', "x", "say “hi”\nx\n"],
    ["surrogate pairs", "a😀b", "😀", "😁", "a😁b"],
  ];
  test.each(cases)("%s", (...one) => expectReplaced(one));

  test("new lines get the file's endings where the old text had none to show", () => {
    const how = ["line endings"];
    expectReplaced(["", "a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n", how]);
    expectReplaced(["", "a\r\nb", "b", "x\ny", "a\r\nx\r\ny", how]);
    expectReplaced(["", "a\r\nb\nc\n", "b", "x\ny", "a\r\nx\ny\nc\n"]);
    expectReplaced(["", "a\rb\r", "a", "x\ny", "x\ry\rb\r", how]);
  });
});

describe("all", () => {
  const cases: Case[] = [
    ["every exact place", "a b a b a", "a", "$&", "$& b $& b $&"],
    ["exact places only", "x\n  x\n\tx\n", "  x\n", "y\n", "x\ny\n\tx\n"],
    ["one place is enough", "a b", "a", "c", "c b"],
    [
      "every place with other endings",
      "a\r\nb\r\n-\r\na\r\nb\r\n",
      "a\nb\n",
      "c\n",
      "c\r\n-\r\nc\r\n",
      ["line endings"],
    ],
    [
      "places of the lightest difference only",
      "if x:  \n    y\n--\nif x:  \n    y\n--\n  if x:\n      y\n",
      "if x:\n    y\n",
      "z\n",
      "z\n--\nz\n--\n  if x:\n      y\n",
      ["trailing white space"],
    ],
    [
      "each place in its own indent",
      "a {\n  b();\n  c();\n}\nd {\n    b();\n    c();\n}\n",
      "\tb();\n\tc();\n",
      "\tb();\n\te();\n",
      "a {\n  b();\n  e();\n}\nd {\n    b();\n    e();\n}\n",
      ["indentation"],
    ],
  ];
  test.each(cases)("%s", (...one) => expectReplaced(one, true));
});

describe("refused as ambiguous", () => {
  test.each([
    ["two exact places", "a\nb\na\n", "a\n", [1, 3], []],
    ["exact places are not overruled by a loose one", "a b\na b\n  a b\n", "a b\n", [1, 2, 3], []],
    ["two places with other endings", "a\r\nb\r\na\r\nb\r\n", "a\nb", [1, 3], ["line endings"]],
    ["two shifted blocks", "  x = 1\n  y\n--\n    x = 1\n    y\n", "\tx = 1\n\ty\n", [1, 4], ["indentation"]],
    [
      "two places with other quotes",
      "say “hi”\nor say ‘hi’\nsay “hi”\n",
      'say "hi"',
      [1, 3],
      ["typographic punctuation"],
    ],
    ["two numbered lines", "a\nb\na\n", "1: a", [1, 3], ["line-number prefixes"]],
  ])("%s", (_name, content, old, places, how) => {
    expect(replaceText(content, { old, new: "new" })).toEqual({ kind: "ambiguous", places, count: places.length, how });
  });

  test("ten places are listed, all are counted", () => {
    const result = replaceText("a\n".repeat(25), { old: "a", new: "b" });
    expect(result).toEqual({ kind: "ambiguous", places: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], count: 25, how: [] });
  });
});

describe("a request that was wrapped or escaped once too often", () => {
  const entities = ["XML entities"];
  const fence = ["a code fence"];
  const cases: Case[] = [
    ["entities", 'if (a < b && c) "x"\n', "if (a &lt; b &amp;&amp; c)", "if (a &gt; b)", 'if (a > b) "x"\n', entities],
    ["quotes", "say \"a\" 'b'\n", "&quot;a&quot; &#39;b&apos;", "&quot;c&quot;", 'say "c"\n', entities],
    ["entities that the file has", "a &lt; b\n", "a &lt; b", "a &gt; b", "a &gt; b\n"],
    ["an escaped ampersand, once", "x &lt; y\n", "x &amp;lt; y", "x &amp;gt; y", "x &gt; y\n", entities],
    ["a code block", "a\nb\nc\n", "```\nb\n```", "```\nB\n```", "a\nB\nc\n", fence],
    ["a code block with a language", "a\nb\nc\n", "```js\nb\n```\n", "B", "a\nB\nc\n", fence],
    ["a code block that the file has", "```js\nb\n```\n", "```js\nb\n```", "x", "x\n"],
  ];
  test.each(cases)("%s", (...one) => expectReplaced(one));

  test.each([
    ["entities that stand for something else", "a < b\n", "a &gt; b"],
    ["half of a code block", "a\nb\n", "```js\nb"],
    ["a code block of something else", "a\nb\n", "```\nc\n```"],
  ])("not found: %s", (_, content, old) => {
    expect(replaceText(content, { old, new: "x" }).kind).toBe("missing");
  });
});

describe("unusable", () => {
  test.each([
    ["nothing to find", "abc", "", "x", /empty/],
    ["nothing to change", "abc", "b", "b", /same/],
    ["nothing to change after all", "say “a”\n", 'say "a"\n', "say “a”\n", /Line 1 already/],
    ["only an indent to change", "x\n  a\n", "\ta\n", "\ta", /Line 2 already/],
    ["a repetition without end", "  x\n".repeat(20_000), "\tx\n".repeat(2000), "y", /repeats too often/],
  ])("%s", (_name, content, old, wanted, why) => {
    const result = replaceText(content, { old, new: wanted });
    expect(result).toMatchObject({ kind: "unusable", why: expect.stringMatching(why) });
  });
});

describe("never replaced: the texts differ in substance", () => {
  test.each([
    ["another number", "x := 1\ny := 2\nz := 3\n", "x := 1\ny := 99\nz := 3\n"],
    ["another case", "Foo\n", "foo\n"],
    ["a missing line", "a\nb\nc\n", "a\nc\n"],
    ["an additional line", "a\nc\n", "a\nb\nc\n"],
    ["a blank line within", "a\nb\n", "a\n\nb\n"],
    ["no blank line within", "a\n\nb\n", "a\nb\n"],
    ["inner blanks", "a  =  1\n", "a = 1\n"],
    ["an inner tab", "a\tb\n", "a b\n"],
    ["no inner blanks", "f(a, b)\n", "f(a,b)\n"],
    ["an uneven shift", "if x:\n    y\nz\n", "  if x:\n    y\n z\n"],
    ["a line at another level", "if x:\n    y\n    z\n", "\tif x:\n\t\ty\n\tz\n"],
    ["one line shifted of two", "a\n  b\n", "a\n b\n"],
    ["the beginning of a line with white space after it", "foo bar  \n", "  foo\n"],
    ["part of a line with another indent", "    foo(bar)\n", "\tfoo(\n"],
    ["blank", "a\n\nb\n", " \n \n"],
    ["a blank that is none", "a b\n", "\u00A0"],
    ["quotes alone", "a 'b\n", "’"],
    ["dashes alone", "a - b\n", "—"],
    ["quotes of another kind", "say 'a'\n", 'say "a"\n'],
    ["a semicolon", "a();\n", "a()\n  ;"],
    ["an accent", "cafe\n", "café\n"],
    ["a look-alike letter", "a\n", "а\n"],
    ["half of an ellipsis", "wait…\n", "wait..\n"],
    ["numbers that do not count up", "a\nb\n", "1: a\n3: b\n"],
    ["numbers on some lines", "a\nb\n", "1: a\nb\n"],
    ["numbers with other separators", "a\nb\n", "1: a\n2| b\n"],
    ["a number before part of a line", "xay\n", "1:a"],
    ["two levels of escaping", 'say "a"\n', 'say \\\\"a\\\\"'],
    ["an escape that means something else", "tab\n", "\\tab"],
    ["an escaped mark alone", 'a "b\n', '\\"'],
    ["a zero-width blank", "ab\n", "a\u200Bb\n"],
    ["a joined line", "a\nb\n", "a b\n"],
    ["nothing in the file", "", "a"],
  ])("%s", (_name, content, old) => {
    expect(replaceText(content, { old, new: "new" }).kind).toBe("missing");
    expect(replaceText(content, { old, new: "new", all: true }).kind).toBe("missing");
  });
});

test("places are lines of the text before", () => {
  const result = replaceText("a\nb\nc\nb\n", { old: "b\n", new: "1\n2\n3\n", all: true });
  expect(result).toMatchObject({
    places: [
      { line: 2, lines: 1 },
      { line: 4, lines: 1 },
    ],
  });
  expect(replaceText("a\r\nb\r\nc\r\n", { old: "b\nc\n", new: "" })).toMatchObject({ places: [{ line: 2, lines: 2 }] });
});

describe("the first line of an old text without its indent", () => {
  const file = "def f():\n    a = 1\n    b = 2\n    c = 3\n";
  test.each<[what: string, old: string, wanted: string, expected: string]>([
    ["the new text has it", "a = 1\n    b = 2", "    a = 5\n    b = 6", "    a = 5\n    b = 6\n    c = 3\n"],
    [
      "the new text goes deeper",
      "a = 1\n    b = 2",
      "    if x:\n        a = 1",
      "    if x:\n        a = 1\n    c = 3\n",
    ],
    ["the new text has none either", "a = 1\n    b = 2", "a = 5\n    b = 6", "    a = 5\n    b = 6\n    c = 3\n"],
    [
      "another line of the new text has none",
      "a = 1\n    b = 2",
      "    a = 5\nb = 6",
      "        a = 5\nb = 6\n    c = 3\n",
    ],
    [
      "the new text has more",
      "a = 1\n    b = 2",
      "        a = 5\n    b = 6",
      "            a = 5\n    b = 6\n    c = 3\n",
    ],
    ["one line is put as it is", "a = 1", "    a = 5", "        a = 5\n    b = 2\n    c = 3\n"],
  ])("%s", (_, old, wanted, expected) => {
    expect(replaceText(file, { old, new: wanted })).toMatchObject({ kind: "replaced", text: `def f():\n${expected}` });
  });
});
