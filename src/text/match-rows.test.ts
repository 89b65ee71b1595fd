import { expect, test } from "vitest";
import { type Request, replaceText } from "./match.ts";

test.each<[what: string, content: string, request: Request, text: string, how?: string[]]>([
  ["a whole line, not the end of one", "ab\nb\n", { old: "b\n", new: "c\n", wholeLines: true }, "ab\nc\n"],
  ["a whole line at the beginning", "b\nab\n", { old: "b\n", new: "c\n", wholeLines: true }, "c\nab\n"],
  ["a whole line behind the mark", "\uFEFFb\nab\n", { old: "b\n", new: "c\n", wholeLines: true }, "\uFEFFc\nab\n"],
  ["a whole line behind a carriage return", "a\rb\rab\r", { old: "b\r", new: "c\r", wholeLines: true }, "a\rc\rab\r"],
  ["the ends that come next, not later ones", "a\nb\r\n", { old: "a", new: "x\ny" }, "x\ny\nb\r\n"],
  ["the last end, a carriage return", "a\rb", { old: "b", new: "c\nd" }, "a\rc\rd", ["line endings"]],
  ["the last end, a newline", "x\r\ny\nz", { old: "z", new: "p\nq" }, "x\r\ny\np\nq"],
  ["the last end, both", "x\ny\r\nz", { old: "z", new: "p\nq" }, "x\ny\r\np\r\nq", ["line endings"]],
  ["a lone carriage return among newlines", "a\rb\nc", { old: "a\rb", new: "p\nq" }, "p\nq\nc"],
  ["a change of nothing but the end", "a\r\nb\r\n", { old: "a\r\n", new: "a\n" }, "a\nb\r\n"],
  ["several ends in the new text", "a\r\nb\r\n", { old: "a\r\n", new: "x\ny\r\n" }, "x\ny\r\nb\r\n"],
  ["several ends in the old text", "a\nb\r\nc\r\n", { old: "a\nb\r\n", new: "x\n" }, "x\nc\r\n"],
  ["the half of an end", "a\r\nb\r\n", { old: "\nb", new: "\nc" }, "a\r\nc\r\n", ["line endings"]],
  ["an end that is no half", "a\n\nb\r\nc", { old: "\nb", new: "\nc" }, "a\n\nc\r\nc"],
  ["a text before an indent that is none", "x = {\ny}\n", { old: "{\ny}", new: "  {\n  z}" }, "x =   {\n  z}\n"],
])("%s", (_, content, request, text, how = []) => {
  expect(replaceText(content, request)).toMatchObject({ kind: "replaced", text, how });
});

test.each<[what: string, content: string, request: Request, kind: string]>([
  ["a line that holds it twice", "x x\n", { old: "x", new: "y", line: 1 }, "ambiguous"],
  ["a line in the middle of two", "x\n\n\nx\n", { old: "x", new: "y", line: 2 }, "replaced"],
  ["a line exactly between two", "x\n\nx\n", { old: "x", new: "y", line: 2 }, "ambiguous"],
  ["no line", "x\nx\n", { old: "x", new: "y" }, "ambiguous"],
  ["the end of a line, for a whole one", "ab\n", { old: "b\n", new: "c\n", wholeLines: true }, "missing"],
])("%s", (_, content, request, kind) => {
  expect(replaceText(content, request).kind).toBe(kind);
});
