import { describe, expect, test } from "vitest";
import { replaceText } from "./match.ts";

describe("a text that occurs as given", () => {
  type Row = [string, content: string, request: Parameters<typeof replaceText>[1], text: string, how: number];
  test.each<Row>([
    ["at the start of a line", "xa\na\n", { old: "a\n", new: "b\n", wholeLines: true }, "xa\nb\n", 0],
    ["at the start of the file", "a\nxa\n", { old: "a\n", new: "b\n", wholeLines: true }, "b\nxa\n", 0],
    ["each place by its own line ending", "a1\r\na1\n", { old: "a1", new: "p\nq", all: true }, "p\r\nq\r\np\nq\n", 1],
    [
      "each place by its own indent",
      "  f(\n  g)\nf(\n  g)\n",
      { old: "f(\n  g)", new: "  f(\n  h)", all: true },
      "  f(\n  h)\n  f(\n  h)\n",
      1,
    ],
    ["one line instead of several keeps its indent", "  f(\n  g)\n", { old: "f(\n  g)", new: "  h" }, "    h\n", 0],
    ["blank lines instead of several", "  f(\n  g)\n", { old: "f(\n  g)", new: "  \n  " }, "    \n  \n", 0],
    ["with blanks of its own before it", "  a\n  b", { old: " a\n  b", new: " a\n  c" }, "  a\n  c", 0],
    ["several endings stay as they are written", "a\r\nb\nc", { old: "a\r\nb\nc", new: "x\ny" }, "x\ny", 0],
    ["half of a pair before other endings", "a\r\nb\nc", { old: "\nb\n", new: "\nx\n" }, "a\r\nx\nc", 0],
    ["half of a pair alone", "a\r\nb\r\n", { old: "\nb", new: "\nx\ny" }, "a\r\nx\r\ny\r\n", 1],
  ])("%s", (_, content, request, text, how) => {
    const replaced = replaceText(content, request);
    expect(replaced).toMatchObject({ kind: "replaced", text });
    expect("how" in replaced && replaced.how).toHaveLength(how);
  });

  test.each([
    ["", "", "", "The old and the new text are both empty."],
    ["x", "", "a", "The text to replace is empty, and the file is not."],
    ["x", "x", "x", "The old and the new text are the same."],
  ])("%j: %j by %j is no request", (content, old, wanted, why) => {
    expect(replaceText(content, { old, new: wanted })).toEqual({ kind: "unusable", why });
  });

  test("where nothing is like it, nothing is named", () => {
    expect(replaceText("", { old: "zzz", new: "y" })).toStrictEqual({ kind: "missing" });
  });
});
