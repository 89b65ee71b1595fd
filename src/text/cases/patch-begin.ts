import { type AppliedCase, crlf, lines, type RefusedCase, update } from "./patch-case.ts";

const abc = lines("a", "b", "c");
const aXc = lines("a", "X", "c");
const functions = lines("def f():", "    x = 1", "    return x", "", "def g():", "    x = 1", "    return x");
const classes = lines("class A:", "  def f(self):", "    pass", "class B:", "  def f(self):", "    pass");

export const applied: AppliedCase[] = [
  {
    name: "a padded first header",
    before: "a\nb\nc\n",
    patch: " *** Begin Patch\n *** Update File: f.txt\n @@\n-b\n+B\n *** End Patch",
    after: "a\nB\nc\n",
  },
  {
    name: "a padded first header with an anchor",
    before: "a\nb\nc\nb\n",
    patch: "*** Begin Patch\n*** Update File: f.txt\n  @@ c\n-b\n+B\n*** End Patch",
    after: "a\nb\nc\nB\n",
  },
  {
    name: "a line of the file that looks like a header",
    before: "a\n@@\nc\n",
    patch: "*** Begin Patch\n*** Update File: f.txt\n@@\n @@\n-c\n+C\n*** End Patch",
    after: "a\n@@\nC\n",
  },
  { name: "a bare @@", before: abc, patch: update("@@", " a", "-b", "+X", " c"), after: aXc },
  { name: "no @@", before: abc, patch: update(" a", "-b", "+X", " c"), after: aXc },
  { name: "one changed line alone", before: abc, patch: update("-b", "+X"), after: aXc },
  { name: "two chunks", before: abc, patch: update("@@", "-a", "+A", "@@", "-c", "+C"), after: lines("A", "b", "C") },
  {
    name: "two chunks, the lower first",
    before: abc,
    patch: update("@@", "-c", "+C", "@@", "-a", "+A"),
    after: lines("A", "b", "C"),
  },
  {
    name: "an anchor decides",
    before: functions,
    patch: update("@@ def g():", "-    return x", "+    return 2"),
    after: functions.replace(/return x\n$/, "return 2\n"),
  },
  {
    name: "the anchor of the first of two",
    before: functions,
    patch: update("@@ def f():", "-    return x", "+    return 2"),
    after: functions.replace("return x", "return 2"),
  },
  {
    name: "an anchor cut short",
    before: functions,
    patch: update("@@ def g", "-    return x", "+    return 2"),
    after: functions.replace(/return x\n$/, "return 2\n"),
  },
  {
    name: "an anchor that the context repeats",
    before: functions,
    patch: update("@@ def g():", " def g():", "-    x = 1", "+    x = 2"),
    after: functions.replace("g():\n    x = 1", "g():\n    x = 2"),
  },
  {
    name: "two anchors",
    before: classes,
    patch: update("@@ class B:", "@@   def f(self):", "-    pass", "+    return 1"),
    after: classes.replace(/pass\n$/, "return 1\n"),
  },
  {
    name: "line numbers in the header",
    before: "x\ny\nx\n",
    patch: update("@@ -3,1 +3,1 @@", "-x", "+z"),
    after: "x\ny\nz\n",
  },
  {
    name: "names of a unified diff below the header",
    before: abc,
    patch: update("--- a/f.txt", "+++ b/f.txt", "@@ -1,3 +1,3 @@", " a", "-b", "+X", " c"),
    after: aXc,
  },
  {
    name: "a removed line of dashes, an added one of pluses",
    before: "-- b\nc\n",
    patch: update("@@", "--- b", "+++ b", "@@", "-c", "+d"),
    after: "++ b\nd\n",
  },
  {
    name: "the end of the file",
    before: "x\ny\nx\n",
    patch: update("@@", "-x", "+z", "*** End of File"),
    after: "x\ny\nz\n",
  },
  {
    name: "lines added at the end of the file",
    before: abc,
    patch: update("@@", "+d", "*** End of File"),
    after: lines("a", "b", "c", "d"),
  },
  { name: "an empty file", before: "", patch: update("@@", "+a"), after: "a\n" },
  {
    name: "a stripped context blank",
    before: "a\n\nb\n",
    patch: update("@@", " a", "", "-b", "+X"),
    after: "a\n\nX\n",
  },
  {
    name: "a blank line at the end of a chunk",
    before: abc,
    patch: update("@@", "-a", "+A", "", "@@", "-c", "+C"),
    after: lines("A", "b", "C"),
  },
  { name: "no newline at the end of the file", before: "a\nb", patch: update("@@", " a", "-b", "+X"), after: "a\nX" },
  {
    name: "a CRLF file",
    before: crlf(abc),
    patch: update("@@", " a", "-b", "+X"),
    after: crlf(aXc),
    how: ["line endings"],
  },
  { name: "a CRLF patch", before: abc, patch: crlf(update("@@", " a", "-b", "+X")), after: aXc },
  {
    name: "trailing white space",
    before: "a \nb\n",
    patch: update("@@", " a", "-b", "+X"),
    after: "a \nX\n",
    how: ["trailing white space"],
  },
  {
    name: "white space behind the markers",
    before: abc,
    patch: "*** Begin Patch  \n*** Update File: f.txt \n@@ \n-b\n+X\n*** End Patch \n",
    after: aXc,
  },
  { name: "a fence around it", before: abc, patch: `\`\`\`\n${update("-b", "+X")}\`\`\`\n`, after: aXc },
  { name: "words around it", before: abc, patch: `Here it is:\n${update("-b", "+X")}\nDone.\n`, after: aXc },
  { name: "a shell around it", before: abc, patch: `apply_patch <<'EOF'\n${update("-b", "+X")}EOF\n`, after: aXc },
  { name: "no envelope", before: abc, patch: lines("*** Update File: f.txt", "@@", "-b", "+X"), after: aXc },
  {
    name: "no envelope, a fence below",
    before: abc,
    patch: lines("```", "*** Update File: f.txt", "@@", "-b", "+X", "```"),
    after: aXc,
  },
  {
    name: "the same file in two parts",
    before: abc,
    patch: update("-a", "+A", "*** Update File: f.txt", "-A", "+AA"),
    after: lines("AA", "b", "c"),
  },
];

export const appended: AppliedCase[] = [
  { name: "a bare @@ with only additions", before: abc, patch: update("@@", "+n", "+m"), after: `${abc}n\nm\n` },
  { name: "no @@ and only additions", before: abc, patch: update("+n"), after: `${abc}n\n` },
  { name: "a file without a final newline", before: "a\nb", patch: update("@@", "+n"), after: "a\nb\nn" },
  { name: "CRLF", before: crlf(abc), patch: update("@@", "+n"), after: crlf(`${abc}n\n`) },
  {
    name: "before another hunk",
    before: abc,
    patch: update("@@", "+n", "@@", " a", "-b", "-c", "+X"),
    after: lines("a", "X", "n"),
  },
  {
    name: "of a unified diff",
    before: abc,
    patch: lines("--- a/f.txt", "+++ b/f.txt", "@@", "+n"),
    after: `${abc}n\n`,
  },
];

const body = ["@@", " a", "-b", "+X", " c"];

export const padded: AppliedCase[] = [
  {
    name: "blanks before Begin, after End",
    before: abc,
    patch: lines(" *** Begin Patch", "*** Update File: f.txt", ...body, "*** End Patch  "),
    after: aXc,
  },
  {
    name: "blanks before End",
    before: abc,
    patch: lines("*** Begin Patch ", "*** Update File: f.txt", ...body, " *** End Patch"),
    after: aXc,
  },
  {
    name: "blanks before the file",
    before: abc,
    patch: lines("*** Begin Patch", "  *** Update File: f.txt", ...body, "*** End Patch"),
    after: aXc,
  },
  {
    name: "a tab before the file, blanks after it",
    before: abc,
    patch: lines("*** Begin Patch", "\t*** Update File: f.txt  ", ...body, "\t*** End Patch"),
    after: aXc,
  },
  {
    name: "all of it indented",
    before: abc,
    patch: lines(...["*** Begin Patch", "*** Update File: f.txt", ...body, "*** End Patch"].map((row) => `    ${row}`)),
    after: aXc,
  },
  {
    name: "in a heredoc",
    before: abc,
    patch: lines("apply_patch <<'EOF'", "*** Begin Patch", "*** Update File: f.txt", ...body, "*** End Patch", "EOF"),
    after: aXc,
  },
  {
    name: "a line of the file that reads like a marker",
    before: lines("a", "*** Update File: b.txt", "c"),
    patch: update("@@", "-a", "+A", " *** Update File: b.txt"),
    after: lines("A", "*** Update File: b.txt", "c"),
  },
  {
    name: "a last line of the file that reads like the end",
    before: lines("a", "*** End Patch"),
    patch: update("@@", "-a", "+A", " *** End Patch"),
    after: lines("A", "*** End Patch"),
  },
];

export const refused: RefusedCase[] = [
  {
    name: "additions that are at the end already",
    before: lines("a", "n"),
    patch: update("@@", "+n"),
    why: "applied",
  },
  { name: "two places", before: functions, patch: update("@@", "-    return x", "+    return 2"), why: "ambiguous" },
  { name: "two places below the anchor", before: "f\n x\n x\n", patch: update("@@ f", "- x", "+ y"), why: "ambiguous" },
  {
    name: "an anchor that is not there",
    before: functions,
    patch: update("@@ def h():", "-def g():", "+def k():"),
    why: "unanchored",
    says: "def h():",
  },
  {
    name: "the place is above the anchor",
    before: functions,
    patch: update("@@ def g():", "-def f():", "+def k():"),
    why: "absent",
  },
  { name: "context that differs", before: abc, patch: update("@@", " a", "-x", "+X"), why: "absent" },
  {
    name: "only added lines below an anchor",
    before: functions,
    patch: update("@@ def g():", "+    y = 1"),
    why: "unplaceable",
  },
  {
    name: "not at the end of the file",
    before: abc,
    patch: update("@@", "-a", "+A", "*** End of File"),
    why: "absent",
    says: "more follow",
  },
  { name: "already applied", before: lines("a", "new", "c"), patch: update("@@", " a", "-b", "+new"), why: "applied" },
  {
    name: "already added below its context",
    before: lines("a", "new", "c"),
    patch: update("@@", " a", "+new"),
    why: "applied",
  },
  { name: "overlapping", before: abc, patch: update("@@", "-b", "+X", "@@", " a", "-b", "+Y"), why: "overlapping" },
];
