import { describe, expect, test } from "vitest";
import { replaceEach } from "./edit-list.ts";

const same = (count: number): string => "x\n".repeat(count);

describe("several edits of one text", () => {
  test("each works on what the ones before it made", () => {
    expect(
      replaceEach("a\nb\n", [
        { old: "a", new: "c" },
        { old: "c\nb", new: "d" },
      ]),
    ).toEqual({ text: "d\n", edits: undefined, how: [] });
  });

  test("one that fails leaves none, and is named", () => {
    const listed = replaceEach("a\nb\n", [
      { old: "a", new: "c" },
      { old: "zz", new: "" },
      { old: "b", new: "" },
    ]);
    expect(listed).toMatchObject({ index: 1, failed: { kind: "missing" } });
    expect(listed).not.toHaveProperty("text");
  });

  test("what was forgiven is told once for all", () => {
    const listed = replaceEach("a  \nb\t\nc\r\nd\r\n", [
      { old: "a\nb", new: "A\nb" },
      { old: "A\nb", new: "B\nb" },
      { old: "c\nd", new: "C\nd" },
    ]);
    expect(listed).toMatchObject({ how: ["trailing white space", "line endings"] });
  });

  test("the edits themselves are told of a single one", () => {
    expect(replaceEach("abc", [{ old: "b", new: "x" }])).toEqual({
      text: "axc",
      edits: [{ start: 1, end: 2, text: "x" }],
      how: [],
    });
  });

  test.each<[name: string, content: string, requests: Parameters<typeof replaceEach>[1], text: string]>([
    ["a line number alone", same(5), [{ old: "x", new: "y", line: 4 }], "x\nx\nx\ny\nx\n"],
    [
      "below what was added above",
      `top\n${same(5)}`,
      [
        { old: "top\n", new: "top\n1\n2\n3\n" },
        { old: "x", new: "y", line: 4 },
      ],
      "top\n1\n2\n3\nx\nx\ny\nx\nx\n",
    ],
    [
      "below what was taken away above",
      `1\n2\n3\n${same(5)}`,
      [
        { old: "1\n2\n3\n", new: "" },
        { old: "x", new: "y", line: 5 },
      ],
      "x\ny\nx\nx\nx\n",
    ],
    [
      "above what was added below",
      `${same(5)}end\n`,
      [
        { old: "end\n", new: "1\n2\n3\nend\n" },
        { old: "x", new: "y", line: 2 },
      ],
      "x\ny\nx\nx\nx\n1\n2\n3\nend\n",
    ],
    [
      "on the line right below what grew",
      `top\n${same(4)}`,
      [
        { old: "top\n", new: "top\n1\n2\n" },
        { old: "x", new: "y", line: 2 },
      ],
      "top\n1\n2\ny\nx\nx\nx\n",
    ],
    [
      "every place of an edit of all moves what is below it",
      `a\n${same(3)}a\n${same(3)}`,
      [
        { old: "a\n", new: "a\nb\n", all: true },
        { old: "x", new: "y", line: 7 },
      ],
      "a\nb\nx\nx\nx\na\nb\nx\ny\nx\n",
    ],
    [
      "edits between that have no number count, too",
      `a\nb\n${same(5)}`,
      [
        { old: "a\n", new: "a\n1\n" },
        { old: "b\n", new: "b\n2\n3\n" },
        { old: "x", new: "y", line: 4 },
      ],
      "a\n1\nb\n2\n3\nx\ny\nx\nx\nx\n",
    ],
  ])("a line number is one of the first text: %s", (_, content, requests, text) => {
    expect(replaceEach(content, requests)).toMatchObject({ text });
  });
});
