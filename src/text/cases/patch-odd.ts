import { type AppliedCase, crlf, diff, lines, noNewline, type RefusedCase, update } from "./patch-case.ts";

const mark = "\uFEFF";

/** Applied as written, though the file nearly reads like the result already, or mixes its ends of lines. */
export const applied: AppliedCase[] = [
  {
    name: "trailing white space goes and a blank line comes, where one follows",
    before: lines("x ", "", "foo"),
    patch: diff("@@ -1 +1,2 @@", "-x ", "+x", "+"),
    after: lines("x", "", "", "foo"),
  },
  {
    name: "the same with a line beside it that only looks changed",
    before: lines("x ", "z", "", "foo"),
    patch: diff("@@ -1,2 +1,3 @@", "-x ", "-z", "+x", "+z", "+"),
    after: lines("x", "z", "", "", "foo"),
  },
  {
    name: "trailing white space goes below a blank line that comes, where one is",
    before: lines("foo", "", "x "),
    patch: diff("@@ -3 +3,2 @@", "+", "-x ", "+x"),
    after: lines("foo", "", "", "x"),
  },
  {
    name: "a line above its like, at the line that is stated",
    before: lines("x", "x"),
    patch: diff("@@ -1 +1,2 @@", "+x", " x"),
    after: lines("x", "x", "x"),
  },
  {
    name: "a line below its like, at the line that is stated",
    before: lines("x", "x"),
    patch: diff("@@ -2 +2,2 @@", " x", "+x"),
    after: lines("x", "x", "x"),
  },
  {
    name: "what is put above a line that another hunk changes comes first, whatever the order",
    before: lines("a", "b", "c"),
    patch: diff("@@", "-b", "+B", "@@", " a", "+n"),
    after: lines("a", "n", "B", "c"),
  },
  {
    name: "inserted by number between lines that end with a carriage return",
    before: "a\rb\r",
    patch: diff("@@ -1,0 +2 @@", "+x"),
    after: "a\rx\rb\r",
  },
  {
    name: "a mark in a line that goes is not the file's",
    before: `${mark}a\n${mark}b\n`,
    patch: diff("@@ -2 +2 @@", `-${mark}b`, "+c"),
    after: `${mark}a\nc\n`,
  },
  {
    name: "a mark that is written again is not doubled",
    before: crlf(`${mark}a\nb\n`),
    patch: diff("@@ -1,2 +1,2 @@", "-a", `+${mark}A`, " b"),
    after: crlf(`${mark}A\nb\n`),
    how: ["line endings"],
  },
  {
    name: "the last line, which is open, tells nothing about the ends of the others",
    before: "x\r\na",
    patch: diff("@@ -2 +2,2 @@", "-a", "+b", "+c"),
    after: "x\r\nb\r\nc",
  },
  {
    name: "a line that the patch has open, and the file has not, tells nothing about its end",
    before: "a\r\n",
    patch: diff("@@ -1 +1 @@", "-a", noNewline, "+b"),
    after: "b\r\n",
    how: ["the newline at the end of the file"],
  },
  {
    name: "a line for an empty file ends as the patch has it",
    before: "",
    patch: diff("@@ -0,0 +1 @@", "+x\r"),
    after: "x\r\n",
  },
  {
    name: "a line at the top ends like the one below it",
    before: "a\r\nb\nc\n",
    patch: diff("@@ -0,0 +1 @@", "+x"),
    after: "x\r\na\r\nb\nc\n",
  },
  {
    name: "two hunks with other indentation share a line that stays",
    before: lines("    a", "    b", "    c", "    d"),
    patch: diff("@@", " a", "-b", "+B", " c", "@@", " c", "-d", "+D"),
    after: lines("    a", "    B", "    c", "    D"),
    how: ["indentation"],
  },
  {
    name: "one more of lines that are alike, with other indentation",
    before: lines("    x", "    x", "end"),
    patch: diff("@@", " x", " x", "+x"),
    after: lines("    x", "    x", "    x", "end"),
    how: ["indentation"],
  },
  {
    name: "other indentation where each line ends in another way",
    before: "    a\r\n    b\n    c\n",
    patch: diff("@@", "-a", "-b", "+A", "+B"),
    after: "    A\r\n    B\n    c\n",
    how: ["line endings", "indentation"],
  },
];

export const refused: RefusedCase[] = [
  {
    name: "it fits twice, and its result stands once",
    before: lines("same", "x", "same", "y", "same", "x"),
    patch: diff("@@", " same", "-x", "+y"),
    why: "ambiguous",
  },
  {
    name: "lines to remove that are not there, at the end",
    before: lines("a", "b", "c"),
    patch: update("@@ -9 +4,0 @@", "-zzz", "*** End of File"),
    why: "absent",
  },
  {
    name: "its result stands, and something like its old lines too",
    before: lines("\told thing", "new thing"),
    patch: diff("@@", "-old thing", "+new thing"),
    why: "applied",
    says: "line 2",
  },
  {
    name: "a carriage return in what is added: only newlines end lines",
    before: "a\rb\r",
    patch: diff("@@", "-a", "+x\ry"),
    why: "absent",
  },
  {
    name: "a carriage return in one of two hunks",
    before: "a\rb\r",
    patch: diff("@@", "-a", "+A", "@@", "-b", "+x\ry"),
    why: "absent",
  },
  {
    name: "other indentation in a file whose lines are cut in two ways",
    before: "a\rb\n    old thing\n",
    patch: diff("@@", "-old thing", "+new\rthing"),
    why: "absent",
  },
  {
    name: "two places in a file with a lone carriage return: lines are counted by newlines",
    before: "q\rq\nx\nx\n",
    patch: diff("@@", "-x", "+y"),
    why: "ambiguous",
    says: "lines 2, 3",
  },
  {
    name: "the end is elsewhere, but for trailing white space",
    before: lines("x ", "y", "z"),
    patch: update("@@", "-x", "+q", "*** End of File"),
    why: "absent",
    says: "its lines are at line 1, and more follow",
  },
  {
    name: "a change of nothing but indentation that has been made, in two places",
    before: lines("class A:", "    x", "class B:", "    x"),
    patch: update("@@ class B:", "-\tx", "+    x"),
    why: "absent",
  },
];
