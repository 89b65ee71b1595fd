import { type AppliedCase, crlf, diff, lines, noNewline } from "./patch-case.ts";

const abc = lines("a", "b", "c");
const aXc = lines("a", "X", "c");
const change = ["@@ -1,3 +1,3 @@", " a", "-b", "+X", " c"];

export const looksLikeHeader: AppliedCase[] = [
  {
    name: "removed line that looks like a header",
    before: "a\n-- b\nc\n",
    patch: diff("@@ -1,3 +1,2 @@", " a", "--- b", " c"),
    after: "a\nc\n",
  },
  {
    name: "added line that looks like a header",
    before: "a\nc\n",
    patch: diff("@@ -1,2 +1,3 @@", " a", "+++ b", " c"),
    after: "a\n++ b\nc\n",
  },
  { name: "both, right counts", before: "-- x\n", patch: diff("@@ -1 +1 @@", "--- x", "+++ y"), after: "++ y\n" },
  {
    name: "both, right counts, a hunk behind",
    before: "-- x\nb\nc\nd\n",
    patch: diff("@@ -1 +1 @@", "--- x", "+++ y", "@@ -4 +4 @@", "-d", "+D"),
    after: "++ y\nb\nc\nD\n",
  },
  {
    name: "both, wrong counts",
    before: "-- x\nb\n",
    patch: diff("@@ -1,7 +1,7 @@", "--- x", "+++ y", " b"),
    after: "++ y\nb\n",
  },
  {
    name: "a removed comment of SQL",
    before: "-- drop\nselect 1;\n",
    patch: diff("@@", "--- drop", " select 1;"),
    after: "select 1;\n",
  },
  {
    name: "context that begins with @@",
    before: "@@ x\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " @@ x", "-b", "+c"),
    after: "@@ x\nc\n",
  },
  {
    name: "a fence as content",
    before: "```\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " ```", "-b", "+c"),
    after: "```\nc\n",
  },
  { name: "a removed line of dashes", before: "--\nb\n", patch: diff("@@ -1,2 +1 @@", "---", " b"), after: "b\n" },
  {
    name: "a backslash line as content",
    before: "\\ x\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " \\ x", "-b", "+c"),
    after: "\\ x\nc\n",
  },
];

export const ends: AppliedCase[] = [
  {
    name: "no newline on both sides",
    before: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", noNewline, "+c", noNewline),
    after: "a\nc",
  },
  {
    name: "the newline is added",
    before: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", noNewline, "+b"),
    after: "a\nb\n",
  },
  {
    name: "the newline is removed",
    before: "a\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+b", noNewline),
    after: "a\nb",
  },
  {
    name: "context without newline",
    before: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", "-a", "+A", " b", noNewline),
    after: "A\nb",
  },
  {
    name: "the mark in another language",
    before: "a\nb",
    patch: diff("@@ -2 +2 @@", "-b", "\\ Kein Zeilenumbruch", "+c"),
    after: "a\nc\n",
  },
  {
    name: "lines added to an open end",
    before: "a",
    patch: diff("@@ -1 +1,2 @@", "-a", noNewline, "+a", "+b", noNewline),
    after: "a\nb",
  },
  {
    name: "the mark is missing: the end stays open",
    before: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+c"),
    after: "a\nc",
  },
  {
    name: "the mark is missing, lines added below",
    before: "a\nb",
    patch: diff("@@ -1,2 +1,3 @@", " a", " b", "+c"),
    after: "a\nb\nc",
  },
  {
    name: "the mark is missing, last line removed",
    before: "a\nb",
    patch: diff("@@ -1,2 +1 @@", " a", "-b"),
    after: "a",
  },
  {
    name: "a change far from an open end",
    before: "a\nb\nc",
    patch: diff("@@ -1 +1 @@", "-a", "+A"),
    after: "A\nb\nc",
  },
  {
    name: "the mark is there and the file ends with a newline",
    before: "a\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", noNewline, "+c", noNewline),
    after: "a\nc\n",
    how: ["the newline at the end of the file"],
  },
  { name: "an open line in an empty file", before: "", patch: diff("@@ -0,0 +1 @@", "+a", noNewline), after: "a" },
  {
    name: "blank lines at the end are kept",
    before: "a\n\n\n",
    patch: diff("@@ -1 +1 @@", "-a", "+b"),
    after: "b\n\n\n",
  },
];

export const endings: AppliedCase[] = [
  { name: "LF patch, CRLF file", before: crlf(abc), patch: diff(...change), after: crlf(aXc), how: ["line endings"] },
  { name: "CRLF patch, LF file", before: abc, patch: crlf(diff(...change)), after: aXc },
  {
    name: "CRLF patch, CRLF file",
    before: crlf(abc),
    patch: crlf(diff(...change)),
    after: crlf(aXc),
    how: ["line endings"],
  },
  {
    name: "LF headers, CRLF content, CRLF file",
    before: crlf(abc),
    patch: diff("@@ -1,3 +1,3 @@", " a\r", "-b\r", "+X\r", " c\r"),
    after: crlf(aXc),
  },
  {
    name: "CRLF content, LF file",
    before: abc,
    patch: diff("@@ -1,3 +1,3 @@", " a\r", "-b\r", "+X\r", " c\r"),
    after: aXc,
    how: ["line endings"],
  },
  {
    name: "an ending is changed",
    before: "a\r\nb\r\n",
    patch: diff("@@ -1,2 +1,2 @@", "-a\r", "+a", " b\r"),
    after: "a\nb\r\n",
  },
  {
    name: "mixed endings stay",
    before: "a\r\nb\nc\r\n",
    patch: diff("@@ -2 +2 @@", "-b", "+X"),
    after: "a\r\nX\nc\r\n",
  },
  {
    name: "neighbours give the ending",
    before: "a\nb\nc\r\nd\r\n",
    patch: diff("@@ -3,2 +3,3 @@", " c", "+n", " d"),
    after: "a\nb\nc\r\nn\r\nd\r\n",
    how: ["line endings"],
  },
  {
    name: "the open end shows that the patch knows the endings",
    before: "a\r\nb",
    patch: diff("@@ -2 +2,2 @@", "-b", noNewline, "+c", "+d", noNewline),
    after: "a\r\nc\nd",
  },
  { name: "old Mac endings", before: "a\rb\rc\r", patch: diff(...change), after: "a\rX\rc\r", how: ["line endings"] },
  {
    name: "a carriage return within a line",
    before: "a\rb\nc\n",
    patch: diff("@@ -1,2 +1,2 @@", "-a\rb", "+x\ry", " c"),
    after: "x\ry\nc\n",
  },
  {
    name: "an open end in a CRLF file",
    before: "a\r\nb",
    patch: diff("@@ -1,2 +1,3 @@", " a", " b", "+c"),
    after: "a\r\nb\r\nc",
    how: ["line endings"],
  },
  {
    name: "inserted by number into a CRLF file",
    before: crlf(abc),
    patch: diff("@@ -1,0 +2 @@", "+n"),
    after: "a\r\nn\r\nb\r\nc\r\n",
  },
  {
    name: "byte order mark kept",
    before: "\uFEFFa\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", "-a", "+A", " b"),
    after: "\uFEFFA\nb\n",
  },
  {
    name: "byte order mark in both",
    before: "\uFEFFa\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", "-\uFEFFa", "+\uFEFFA", " b"),
    after: "\uFEFFA\nb\n",
  },
  {
    name: "byte order mark removed",
    before: "\uFEFFa\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", "-\uFEFFa", "+a", " b"),
    after: "a\nb\n",
  },
  {
    name: "byte order mark added",
    before: "a\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", "-a", "+\uFEFFa", " b"),
    after: "\uFEFFa\nb\n",
  },
  {
    name: "a line above the byte order mark's",
    before: "\uFEFFa\n",
    patch: diff("@@ -1 +1,2 @@", "+0", " a"),
    after: "\uFEFF0\na\n",
  },
  { name: "byte order mark before the patch", before: abc, patch: `\uFEFF${diff(...change)}`, after: aXc },
];
