import { diff, lines, noNewline, numbers, type RefusedCase } from "./patch-case.ts";

const abc = lines("a", "b", "c");
const twice = lines("start", "same", "x", "middle", "same", "x", "end");

export const ambiguous: RefusedCase[] = [
  {
    name: "two places, bare header",
    before: twice,
    patch: diff("@@", " same", "-x", "+y"),
    why: "ambiguous",
    says: "lines 2, 5",
  },
  {
    name: "two places, the number hits neither",
    before: twice,
    patch: diff("@@ -4,2 +4,2 @@", " same", "-x", "+y"),
    why: "ambiguous",
  },
  {
    name: "two places, the nearest is one line off",
    before: twice,
    patch: diff("@@ -3,2 +3,2 @@", " same", "-x", "+y"),
    why: "ambiguous",
  },
  {
    name: "no context, a line that comes often",
    before: "}\n}\n}\n",
    patch: diff("@@", "-}", "+};"),
    why: "ambiguous",
    says: "3 places",
  },
  { name: "only blank lines as context", before: "\n\n\n\n", patch: diff("@@", "", "+x", ""), why: "ambiguous" },
  {
    name: "the order leaves two",
    before: `${twice}same\nx\n`,
    patch: diff("@@", "-middle", "+M", "@@", " same", "-x", "+y"),
    why: "ambiguous",
  },
  {
    name: "stated and corrected line fit both",
    before: lines("new", "start", "x", "x", "x", "end"),
    patch: diff("@@ -1 +1 @@", "-start", "+START", "@@ -3 +3 @@", "-x", "+y"),
    why: "ambiguous",
  },
  {
    name: "the heading is above both",
    before: lines("class K:", "  x", "  y", "  x"),
    patch: diff("@@ -90 +90 @@ class K:", "-  x", "+  z"),
    why: "ambiguous",
  },
  {
    name: "exact elsewhere, but for trailing white space at the stated line",
    before: "x \ny\nx\n",
    patch: diff("@@ -1 +1 @@", "-x", "+z"),
    why: "ambiguous",
    says: "lines 1, 3",
  },
  {
    name: "two places but for trailing white space",
    before: "a \nx\na\t\n",
    patch: diff("@@", "-a", "+b"),
    why: "ambiguous",
  },
];

export const contradicted: RefusedCase[] = [
  {
    name: "a removed line differs",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " a", "-B", "+X", " c"),
    why: "absent",
    says: "line 1",
  },
  {
    name: "a context line differs",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " a", "-b", "+X", " C"),
    why: "absent",
  },
  {
    name: "a context line is missing",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " a", " n", "-b", "+X"),
    why: "absent",
  },
  { name: "a context line is left out", before: abc, patch: diff("@@ -1,3 +1,3 @@", " a", "-c", "+X"), why: "absent" },
  { name: "inner white space differs", before: "a  b\n", patch: diff("@@ -1 +1 @@", "-a b", "+c"), why: "absent" },
  { name: "another case", before: "Abc\n", patch: diff("@@ -1 +1 @@", "-abc", "+x"), why: "absent" },
  {
    name: "nothing alike",
    before: "q\n",
    patch: diff("@@ -1 +1 @@", "-something else", "+x"),
    why: "absent",
    says: "nothing",
  },
  { name: "an empty file", before: "", patch: diff("@@ -1 +1 @@", "-a", "+b"), why: "absent" },
  { name: "longer than the file", before: "a\n", patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+X"), why: "absent" },
  {
    name: "the second of two hunks",
    before: numbers(9),
    patch: diff("@@ -1 +1 @@", "-1", "+X", "@@ -5 +5 @@", "-five", "+Y"),
    why: "absent",
    says: "hunk 2",
  },
  {
    name: "the first of two hunks",
    before: numbers(9),
    patch: diff("@@ -1 +1 @@", "-one", "+X", "@@ -5 +5 @@", "-5", "+Y"),
    why: "absent",
    says: "hunk 1",
  },
  {
    name: "the end of the file in its middle",
    before: abc,
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+X", noNewline),
    why: "absent",
    says: "more follow",
  },
  {
    name: "the old end of the file in its middle",
    before: abc,
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", noNewline, "+X"),
    why: "absent",
  },
  {
    name: "numbers copied into the context",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " 1: a", "-2: b", "+2: X"),
    why: "absent",
  },
];

export const unplaceable: RefusedCase[] = [
  {
    name: "only added lines, the counts speak of old ones",
    before: abc,
    patch: diff("@@ -1,2 +1,3 @@", "+n"),
    why: "unplaceable",
  },
  { name: "only added lines, below the end", before: abc, patch: diff("@@ -9,0 +10 @@", "+n"), why: "unplaceable" },
  {
    name: "only added lines behind a hunk that had moved",
    before: `new\n${abc}`,
    patch: diff("@@ -1 +1 @@", "-a", "+A", "@@ -2,0 +3 @@", "+n"),
    why: "unplaceable",
  },
];

export const overlapping: RefusedCase[] = [
  {
    name: "the same line twice",
    before: abc,
    patch: diff("@@ -2 +2 @@", "-b", "+X", "@@ -2 +2 @@", "-b", "+Y"),
    why: "overlapping",
    says: "hunks 1 and 2",
  },
  {
    name: "context of one is changed by the other",
    before: abc,
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+X", "@@ -2,2 +2,2 @@", " b", "-c", "+Y"),
    why: "overlapping",
  },
  {
    name: "the same hunk twice",
    before: abc,
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+X", "@@ -1,2 +1,2 @@", " a", "-b", "+X"),
    why: "overlapping",
  },
  {
    name: "two insertions at one point",
    before: abc,
    patch: diff("@@ -1,2 +1,3 @@", " a", "+x", " b", "@@ -1,2 +1,3 @@", " a", "+y", " b"),
    why: "overlapping",
  },
  {
    name: "two insertions by one number",
    before: abc,
    patch: diff("@@ -1,0 +2 @@", "+x", "@@ -1,0 +2 @@", "+y"),
    why: "overlapping",
  },
  {
    name: "an insertion into another's context",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " a", " b", "-c", "+C", "@@ -1,0 +2 @@", "+n"),
    why: "overlapping",
  },
];

export const alreadyApplied: RefusedCase[] = [
  {
    name: "a changed line",
    before: lines("a", "X", "c"),
    patch: diff("@@ -1,3 +1,3 @@", " a", "-b", "+X", " c"),
    why: "applied",
    says: "line 1",
  },
  {
    name: "a changed line, bare header",
    before: lines("a", "Xyz", "c"),
    patch: diff("@@", " a", "-b", "+Xyz", " c"),
    why: "applied",
  },
  {
    name: "an added line between others",
    before: lines("a", "n", "b"),
    patch: diff("@@ -1,2 +1,3 @@", " a", "+n", " b"),
    why: "applied",
  },
  {
    name: "an added line below its context",
    before: lines("a", "n", "b"),
    patch: diff("@@ -1 +1,2 @@", " a", "+n"),
    why: "applied",
  },
  {
    name: "an added line above its context",
    before: lines("z", "n", "b"),
    patch: diff("@@ -2 +2,2 @@", "+n", " b"),
    why: "applied",
  },
  {
    name: "an added line by its number",
    before: lines("a", "n", "b"),
    patch: diff("@@ -1,0 +2 @@", "+n"),
    why: "applied",
  },
  {
    name: "a line doubled by removing and adding",
    before: lines("b", "c", "d"),
    patch: diff("@@ -1 +1,2 @@", "-b", "+b", "+c"),
    why: "applied",
  },
  { name: "a removed line", before: lines("a", "c"), patch: diff("@@ -1,3 +1,2 @@", " a", "-b", " c"), why: "applied" },
  {
    name: "lines on both sides",
    before: lines("x", "a", "y"),
    patch: diff("@@ -1 +1,3 @@", "+x", " a", "+y"),
    why: "applied",
  },
  {
    name: "one of two hunks",
    before: numbers(9).replace("2", "X"),
    patch: diff("@@ -1,3 +1,3 @@", " 1", "-2", "+X", " 3", "@@ -7,3 +7,3 @@", " 7", "-8", "+Y", " 9"),
    why: "applied",
    says: "hunk 1",
  },
];
