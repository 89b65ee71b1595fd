import { diff, lines, noNewline, type ReadCase } from "./patch-case.ts";

const hunk = ["@@ -1 +1 @@", "-a", "+b"];
const fresh = ["@@ -0,0 +1 @@", "+a"];
const git = (old: string, now: string, ...more: string[]) => lines(`diff --git ${old} ${now}`, ...more);
const named = (old: string, now: string, ...more: string[]) => lines(`--- ${old}`, `+++ ${now}`, ...more);
const renamed = ["rename from x", "rename to y"];
const epoch = "1970-01-01 00:00:00.000000000 +0000";

/** Whoever reads one name of a patch must not be shown another: what is said twice has to agree. */
export const contradictions: ReadCase[] = [
  { name: "renamed and new", patch: git("a/x", "b/y", ...renamed, "new file mode 100644"), line: 1, says: "renamed" },
  {
    name: "renamed and deleted",
    patch: git("a/x", "b/y", ...renamed, "deleted file mode 100644"),
    line: 1,
    says: "it is renamed, and it is added or deleted",
  },
  {
    name: "renamed, and nowhere before",
    patch: git("a/x", "b/y", ...renamed, "--- /dev/null", "+++ b/y", ...fresh),
    line: 1,
    says: "it is renamed, and it is added or deleted",
  },
  {
    name: "new by the first line, and there before by the names",
    patch: git("/dev/null", "b/x", "--- a/x", "+++ b/x", ...hunk),
    line: 1,
    says: "it is new, and a/x was there before",
  },
  {
    name: "new by both",
    patch: git("/dev/null", "b/x", "--- /dev/null", "+++ b/x", ...fresh),
    line: 1,
    says: "two different files are named",
  },
  {
    name: "deleted by the first line, and left by the names",
    patch: git("a/x", "/dev/null", "--- a/x", "+++ b/x", ...hunk),
    line: 1,
    says: "it is deleted, and b/x is left",
  },
  {
    name: "a blank in a name of the first line",
    patch: git("a/my file", "b/x", "--- a/q", "+++ b/q", ...hunk),
    line: 1,
    says: "does not name one file twice",
  },
  {
    name: "a blank in a name that a rename tells",
    patch: git("a/my file", "b/x", "rename from my file", "rename to x"),
    gives: ["rename my file -> x"],
  },
  {
    name: "a blank in a name, and a rename of another file",
    patch: git("a/my file", "b/x", "rename from hy file", "rename to x"),
    line: 1,
    says: "does not name one file twice",
  },
  {
    name: "a blank in a name, and a rename to another name",
    patch: git("a/my file", "b/x", "rename from my file", "rename to z"),
    line: 1,
    says: "does not name one file twice",
  },
  {
    name: "missing before by its time, under another name",
    patch: named(`x.ts\t${epoch}`, "y.ts\t2024-01-02 03:04:05 +0000", ...fresh),
    line: 1,
    says: "two different files are named, x.ts and y.ts",
  },
  {
    name: "missing now by its time, under another name",
    patch: named("x.ts\t2024-01-02 03:04:05 +0000", `y.ts\t${epoch}`, "@@ -1 +0,0 @@", "-a"),
    line: 1,
    says: "two different files are named, x.ts and y.ts",
  },
  {
    name: "missing now by its time, under the same name",
    patch: named("x.ts\t2024-01-02 03:04:05 +0000", `x.ts\t${epoch}`, "@@ -1 +0,0 @@", "-a"),
    gives: ["delete x.ts"],
  },
  { name: "a first line without prefixes", patch: git("x", "x", "--- a/x", "+++ b/x", ...hunk), gives: ["update x"] },
  {
    name: "the second name of the first line is quoted",
    patch: lines('diff --git a/x "b/\\303\\244"', "rename from x", 'rename to "\\303\\244"'),
    gives: ["rename x -> ä"],
  },
  {
    name: "a rename with a path of its own",
    patch: git("a/x", "b/y", ...renamed),
    path: "z",
    gives: ["rename z -> y"],
  },
  {
    name: "a rename with the path that it leads to",
    patch: git("a/x", "b/y", ...renamed),
    path: "y",
    gives: ["rename x -> y"],
  },
];

export const parts: ReadCase[] = [
  {
    name: "lines right below a first line, and another file behind",
    patch: git("a/x", "b/x", ...hunk) + named("a/y", "b/y", ...hunk),
    gives: ["update x", "update y"],
  },
  {
    name: "a link that becomes a file",
    patch: git("a/x", "b/x", "old mode 120000", "new mode 100644", "--- a/x", "+++ b/x", ...hunk),
    line: 2,
    says: "only regular files can be patched, and this has mode 120000",
  },
  {
    name: "a file that becomes a link",
    patch: git("a/x", "b/x", "old mode 100644", "new mode 120000", "--- a/x", "+++ b/x", ...hunk),
    line: 3,
    says: "only regular files can be patched, and this has mode 120000",
  },
  {
    name: "a copy of a file whose name looks like a mode",
    patch: git("a/100.txt", "b/y", "copy from 100.txt", "copy to y"),
    line: 2,
    says: "copies",
  },
  {
    name: "a context line without its blank that fills the counts",
    patch: diff("@@ -1,2 +1,2 @@", "function f()", "-a", "+b"),
    line: 4,
    says: "function f()",
  },
  {
    name: "lines behind the end of the file, and a stray one behind them",
    patch: diff("@@ -1,2 +1,2 @@", "-a", noNewline, "-b", "+c", "stray", "+d"),
    line: 5,
    says: "more lines follow",
  },
  {
    name: "another kind of fence, and a list below it",
    patch: `~~~diff\n${diff("@@", "-a", "+b")}~~~\nThat was:\n- all\n`,
    gives: ["update f.txt"],
  },
  {
    name: "an indented patch with an end that is not",
    patch: lines(...["  *** Begin Patch", "  *** Update File: f", "  @@", "  -a", "  +b", "*** End Patch"]),
    line: 2,
    says: "no changed lines",
  },
];
