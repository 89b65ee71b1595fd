import { expect, test } from "vitest";
import { type Replacement, type Request, replaceText } from "./match.ts";

test.each<[content: string, request: Request, made: Replacement]>([
  ["s\na\ns\nb\ns\n", { old: "s", new: "S", line: 2 }, { kind: "ambiguous", places: [1, 3, 5], count: 3, how: [] }],
  [
    "s\n\n\ns\n",
    { old: "s", new: "S", line: 2 },
    {
      kind: "replaced",
      text: "S\n\n\ns\n",
      edits: [{ start: 0, end: 1, text: "S" }],
      places: [{ line: 1, lines: 1 }],
      how: [],
    },
  ],
  ["s\n\n\n\n\ns\n", { old: "s", new: "S", line: 3 }, { kind: "ambiguous", places: [1, 6], count: 2, how: [] }],
  [
    "a\r\nb\nc\r\n",
    { old: "b", new: "x\ny" },
    {
      kind: "replaced",
      text: "a\r\nx\ny\nc\r\n",
      edits: [{ start: 3, end: 4, text: "x\ny" }],
      places: [{ line: 2, lines: 1 }],
      how: [],
    },
  ],
  [
    "  x = 1\n",
    { old: "x = 1", new: "  x = 2\n  y = 3" },
    {
      kind: "replaced",
      text: "    x = 2\n  y = 3\n",
      edits: [{ start: 2, end: 7, text: "  x = 2\n  y = 3" }],
      places: [{ line: 1, lines: 1 }],
      how: [],
    },
  ],
  [
    "  x\n  y\n",
    { old: "x\n  y", new: "  x\n  z" },
    {
      kind: "replaced",
      text: "  x\n  z\n",
      edits: [{ start: 2, end: 7, text: "x\n  z" }],
      places: [{ line: 1, lines: 2 }],
      how: ["indentation"],
    },
  ],
  [
    "  x\n  y\n",
    { old: "x\n  y", new: "  x\n\n  z" },
    {
      kind: "replaced",
      text: "  x\n\n  z\n",
      edits: [{ start: 2, end: 7, text: "x\n\n  z" }],
      places: [{ line: 1, lines: 2 }],
      how: ["indentation"],
    },
  ],
  [
    "x\na\nb\n",
    { old: "\na\n", new: "\nc\n" },
    {
      kind: "replaced",
      text: "x\nc\nb\n",
      edits: [{ start: 1, end: 4, text: "\nc\n" }],
      places: [{ line: 1, lines: 2 }],
      how: [],
    },
  ],
  [
    "a\nb\n",
    { old: "a\n\n", new: "c\n\n\n" },
    {
      kind: "replaced",
      text: "c\n\nb\n",
      edits: [{ start: 0, end: 2, text: "c\n\n" }],
      places: [{ line: 1, lines: 1 }],
      how: ["blank lines at the ends"],
    },
  ],
  [
    "a\nb",
    { old: "a\nb\n\n", new: "a\nc\n\n" },
    {
      kind: "replaced",
      text: "a\nc",
      edits: [{ start: 0, end: 3, text: "a\nc" }],
      places: [{ line: 1, lines: 2 }],
      how: ["blank lines at the ends"],
    },
  ],
  [
    "a\u000b\nb\f\n",
    { old: "a\nb\n", new: "a\nc\n" },
    {
      kind: "replaced",
      text: "a\u000b\nc\n",
      edits: [{ start: 0, end: 6, text: "a\u000b\nc\n" }],
      places: [{ line: 1, lines: 2 }],
      how: ["trailing white space"],
    },
  ],
  [
    "x “a” y",
    { old: '"a"', new: '"a" "b"' },
    {
      kind: "replaced",
      text: 'x “a” "b" y',
      edits: [{ start: 2, end: 5, text: '“a” "b"' }],
      places: [{ line: 1, lines: 1 }],
      how: ["typographic punctuation"],
    },
  ],
  ["a…", { old: "a..", new: "b" }, { kind: "missing" }],
  [
    "a\nb\nc\n",
    { old: "1| a\n2| b\n", new: "1| a\n2| x\n" },
    {
      kind: "replaced",
      text: "a\nx\nc\n",
      edits: [{ start: 0, end: 4, text: "a\nx\n" }],
      places: [{ line: 1, lines: 2 }],
      how: ["line-number prefixes"],
    },
  ],
  [
    "a\n\nb\n",
    { old: "1: a\n2:\n3: b\n", new: "1: a\n2:\n3: x\n" },
    {
      kind: "replaced",
      text: "a\n\nx\n",
      edits: [{ start: 0, end: 5, text: "a\n\nx\n" }],
      places: [{ line: 1, lines: 3 }],
      how: ["line-number prefixes"],
    },
  ],
  [
    "\n\nalpha beta\n",
    { old: "alpha betta", new: "x" },
    {
      kind: "missing",
      nearest: { line: 3, lines: 1, shown: "3: alpha beta", differs: "- alpha betta\n+ alpha beta", score: 0.95 },
    },
  ],
])("all that is told about an edit: %j, %j", (content, request, made) => {
  expect(replaceText(content, request)).toEqual(made);
});
