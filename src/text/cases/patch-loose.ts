import { type AppliedCase, crlf, diff, numbers, type RefusedCase, update } from "./patch-case.ts";

const typography = ["typographic punctuation"];
const indentation = ["indentation"];
const blanks = ["blank lines at the ends"];

/** Differences that edits forgive too: the file keeps its own characters wherever the patch changes nothing. */
export const applied: AppliedCase[] = [
  {
    name: "curly quotes in the file",
    before: "say “x”\n",
    patch: diff("@@ -1 +1 @@", '-say "x"', "+say y"),
    after: "say y\n",
    how: typography,
  },
  {
    name: "straight quotes in the file",
    before: "a\nit's\nc\n",
    patch: update("@@", " a", "-it’s", "+it is", " c"),
    after: "a\nit is\nc\n",
    how: typography,
  },
  {
    name: "a dash in a line that stays",
    before: "1–2\na\n",
    patch: update("@@", " 1-2", "-a", "+b"),
    after: "1–2\nb\n",
    how: typography,
  },
  {
    name: "a dash in a line that goes",
    before: "import a  # one – two\n",
    patch: update("@@", "-import a  # one - two", "+import b  # one - two"),
    after: "import b  # one – two\n",
    how: typography,
  },
  {
    name: "a blank of another width",
    before: "10\u00A0km\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " 10 km", "-b", "+c"),
    after: "10\u00A0km\nc\n",
    how: typography,
  },
  {
    name: "an ellipsis",
    before: "wait…\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " wait...", "-b", "+c"),
    after: "wait…\nc\n",
    how: typography,
  },
  {
    name: "typography, CRLF and trailing white space",
    before: crlf("“a”  \nb\n"),
    patch: diff("@@ -1,2 +1,3 @@", ' "a"', "-b", "+c", "+d"),
    after: crlf("“a”  \nc\nd\n"),
    how: ["line endings", "trailing white space", "typographic punctuation"],
  },
  {
    name: "two hunks, one of them exact",
    before: "“a”\nb\nc\nd\n",
    patch: update("@@", '-"a"', "+A", "@@", "-d", "+D"),
    after: "A\nb\nc\nD\n",
    how: typography,
  },
  {
    name: "an anchor with other quotes",
    before: "f(“a”):\n  x\nf(“b”):\n  x\n",
    patch: update('@@ f("b"):', "-  x", "+  y"),
    after: "f(“a”):\n  x\nf(“b”):\n  y\n",
  },
  {
    name: "an anchor that decides between places",
    before: "def f():\n  “x”\ndef g():\n  “x”\n",
    patch: update("@@ def g():", '-  "x"', "+  y"),
    after: "def f():\n  “x”\ndef g():\n  y\n",
    how: typography,
  },
  {
    name: "a number that decides between places",
    before: "“x”\na\n“x”\n",
    patch: diff("@@ -3 +3 @@", '-"x"', "+y"),
    after: "“x”\na\ny\n",
    how: typography,
  },
  {
    name: "an indent that is missing",
    before: "{\n  a\n  b\n}\n",
    patch: diff("@@ -2,2 +2,3 @@", " a", "-b", "+c", "+d"),
    after: "{\n  a\n  c\n  d\n}\n",
    how: indentation,
  },
  {
    name: "blanks for tabs",
    before: "{\n\tif a {\n\t\tb\n\t}\n}\n",
    patch: update("@@", "     if a {", "-        b", "+        c", "     }"),
    after: "{\n\tif a {\n\t\tc\n\t}\n}\n",
    how: indentation,
  },
  {
    name: "a last blank context line that the file has not",
    before: "a\nb\n",
    patch: update("@@", " a", "-b", "+c", " "),
    after: "a\nc\n",
    how: blanks,
  },
  {
    name: "a last blank context line in the middle of a file",
    before: "a\nb\nd\n",
    patch: diff("@@ -1,3 +1,3 @@", " a", "-b", "+c", " "),
    after: "a\nc\nd\n",
    how: blanks,
  },
  {
    name: "a first blank context line",
    before: "a\nb\n",
    patch: update("@@", " ", " a", "-b", "+c"),
    after: "a\nc\n",
    how: blanks,
  },
  {
    name: "carriage returns end some of the lines",
    before: "one\r\ntwo\rthree\nfour\r\n",
    patch: update("@@", " one", " two", "-three", "+THREE", " four"),
    after: "one\r\ntwo\rTHREE\nfour\r\n",
    how: ["line endings"],
  },
];

export const refused: RefusedCase[] = [
  {
    name: "typography in two places",
    before: "“x”\na\n“x”\n",
    patch: update("@@", '-"x"', "+y"),
    why: "ambiguous",
    says: "lines 1, 3",
  },
  {
    name: "an indent in two places",
    before: "  a\n--\n    a\n",
    patch: update("@@", "-a", "+b"),
    why: "ambiguous",
  },
  {
    name: "indents that no one rule explains",
    before: "  a\n      b\n",
    patch: update("@@", "-a", "-b", "+c"),
    why: "absent",
  },
  {
    name: "typography that is the whole change",
    before: "say “x”\n",
    patch: update("@@", '-say "x"', "+say “x”"),
    why: "applied",
  },
  {
    name: "an anchor above which it would be",
    before: "“x”\ndef g():\n  y\n",
    patch: update("@@ def g():", '-"x"', "+z"),
    why: "absent",
  },
  { name: "another word", before: "“x” a\n", patch: update("@@", '-"x" b', "+y"), why: "absent" },
  { name: "blank lines alone", before: numbers(3), patch: update("@@", "- ", "+x"), why: "absent" },
];
