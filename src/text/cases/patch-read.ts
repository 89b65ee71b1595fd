import { diff, lines, noNewline, type ReadCase } from "./patch-case.ts";

const hunk = ["@@ -1 +1 @@", "-a", "+b"];
const named = (old: string, fresh: string, ...more: string[]) => lines(`--- ${old}`, `+++ ${fresh}`, ...more);

export const names: ReadCase[] = [
  { name: "a/ and b/", patch: named("a/src/x.ts", "b/src/x.ts", ...hunk), gives: ["update src/x.ts"] },
  { name: "without a/ and b/", patch: named("src/x.ts", "src/x.ts", ...hunk), gives: ["update src/x.ts"] },
  { name: "a/ on one side", patch: named("a/x.ts", "x.ts", ...hunk), gives: ["update x.ts"] },
  { name: "other prefixes of git", patch: named("i/x.ts", "w/x.ts", ...hunk), gives: ["update x.ts"] },
  { name: "two compared folders", patch: named("old/src/x.ts", "new/src/x.ts", ...hunk), gives: ["update src/x.ts"] },
  { name: "a folder that is called a", patch: named("a/x.ts", "a/x.ts", ...hunk), gives: ["update a/x.ts"] },
  { name: "a backup copy", patch: named("x.ts.orig", "x.ts", ...hunk), gives: ["update x.ts"] },
  { name: "./ before the name", patch: named("./x.ts", "./x.ts", ...hunk), gives: ["update x.ts"] },
  {
    name: "timestamps behind a tab",
    patch: named("a/x.ts\t2024-01-02 03:04:05.6 +0100", "b/x.ts\t2024-01-02", ...hunk),
    gives: ["update x.ts"],
  },
  {
    name: "timestamps behind a blank",
    patch: named("x.ts 2024-01-02 03:04:05", "x.ts 2024-01-02 03:04:06.000 +0000", ...hunk),
    gives: ["update x.ts"],
  },
  {
    name: "blanks in the name",
    patch: named("a/my file.txt", "b/my file.txt", ...hunk),
    gives: ["update my file.txt"],
  },
  { name: "quoted bytes", patch: named('"a/\\303\\244.txt"', '"b/\\303\\244.txt"', ...hunk), gives: ["update ä.txt"] },
  { name: "quoted tab and quote", patch: named('"a/x\\ty\\"z"', '"b/x\\ty\\"z"', ...hunk), gives: ['update x\ty"z'] },
  { name: "only +++", patch: lines("+++ b/x.ts", ...hunk), gives: ["update x.ts"] },
  { name: "only ---", patch: lines("--- a/x.ts", ...hunk), gives: ["update x.ts"] },
  { name: "an absolute name", patch: named("/etc/x", "/etc/x", ...hunk), gives: ["update /etc/x"] },
  { name: "a name that climbs", patch: named("a/../../x", "b/../../x", ...hunk), gives: ["update ../../x"] },
  { name: "two different names", patch: named("a/x.ts", "b/y.ts", ...hunk), line: 1, says: "rename from" },
  {
    name: "two different names, path given",
    patch: named("a/x.ts", "b/y.ts", ...hunk),
    path: "z.ts",
    gives: ["update z.ts"],
  },
  { name: "path wins over one name", patch: diff(...hunk), path: "src/f.txt", gives: ["update src/f.txt"] },
  {
    name: "path loses against several names",
    patch: diff(...hunk) + named("g", "g", ...hunk),
    path: "z",
    gives: ["update f.txt", "update g"],
  },
  { name: "hunks alone with path", patch: lines(...hunk), path: "x", gives: ["update x"] },
  { name: "lines alone with path", patch: lines("-a", "+b"), path: "x", gives: ["update x"] },
  {
    name: "lines alone in a fence with path",
    patch: lines("```diff", "-a", "+b", "```"),
    path: "x",
    gives: ["update x"],
  },
  { name: "hunks alone without path", patch: lines(...hunk), line: 1, says: "no file is named" },
  { name: "lines alone without path", patch: lines("-a", "+b"), line: 1, says: "no patch" },
];

const git = (old: string, fresh: string, ...more: string[]) => lines(`diff --git a/${old} b/${fresh}`, ...more);

export const kinds: ReadCase[] = [
  { name: "a new file", patch: named("/dev/null", "b/x.ts", "@@ -0,0 +1 @@", "+a"), gives: ["add x.ts"] },
  {
    name: "a new file of git",
    patch: git("x", "x", "new file mode 100644", "index 000..e69", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"),
    gives: ["add x"],
  },
  { name: "a new empty file of git", patch: git("x", "x", "new file mode 100644", "index 000..e69"), gives: ["add x"] },
  { name: "a new program", patch: git("x", "x", "new file mode 100755"), gives: ["add x 755"] },
  {
    name: "a new link",
    patch: git("x", "x", "new file mode 120000", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+y", noNewline),
    line: 1,
    says: "regular files",
  },
  {
    name: "a new file with old lines",
    patch: named("/dev/null", "b/x", "@@ -1 +1 @@", "-a", "+b"),
    line: 1,
    says: "is to be new",
  },
  { name: "a deleted file", patch: named("a/x", "/dev/null", "@@ -1 +0,0 @@", "-a"), gives: ["delete x"] },
  {
    name: "a deleted empty file of git",
    patch: git("x", "x", "deleted file mode 100644", "index e69..000"),
    gives: ["delete x"],
  },
  {
    name: "a deleted file with lines that stay",
    patch: named("a/x", "/dev/null", "@@ -1,2 +1 @@", "-a", " b"),
    line: 1,
    says: "is to be deleted",
  },
  {
    name: "a rename",
    patch: git("x", "y", "similarity index 100%", "rename from x", "rename to y"),
    gives: ["rename x -> y"],
  },
  {
    name: "a rename with changes",
    patch: git("x", "y", "rename from x", "rename to y", "--- a/x", "+++ b/y", ...hunk),
    gives: ["rename x -> y"],
  },
  {
    name: "a rename with quoted names",
    patch: lines('diff --git "a/\\303\\244" "b/a b"', 'rename from "\\303\\244"', "rename to a b"),
    gives: ["rename ä -> a b"],
  },
  { name: "a copy", patch: git("x", "y", "copy from x", "copy to y"), line: 2, says: "copies" },
  { name: "only the mode", patch: git("x", "x", "old mode 100644", "new mode 100755"), line: 1, says: "mode" },
  {
    name: "the mode and lines",
    patch: git("x", "x", "old mode 100644", "new mode 100755", "--- a/x", "+++ b/x", ...hunk),
    gives: ["update x"],
  },
  {
    name: "a binary patch",
    patch: git("x", "x", "index 1..2", "GIT binary patch", "literal 3"),
    line: 3,
    says: "binary",
  },
  { name: "binary files that differ", patch: "Binary files a/x and b/x differ\n", line: 1, says: "binary" },
  {
    name: "binary files behind a text file",
    patch: `${diff(...hunk)}Binary files a/x and b/x differ\n`,
    line: 6,
    says: "binary",
  },
  { name: "no hunks", patch: diff(), line: 1, says: "no changed lines" },
  { name: "only context", patch: diff("@@ -1 +1 @@", " a"), line: 1, says: "no changed lines" },
  { name: "both names nowhere", patch: named("/dev/null", "/dev/null", ...hunk), line: 1, says: "/dev/null" },
  { name: "a merge", patch: diff("@@@ -1,2 -1,2 +1,3 @@@", "  a", "++b"), line: 3, says: "combined" },
  {
    name: "a context diff",
    patch: lines("*** x", "--- y", "***************", "*** 1,2 ****"),
    line: 1,
    says: "context diff",
  },
];

export const around: ReadCase[] = [
  { name: "two files", patch: diff(...hunk) + named("a/g", "b/g", ...hunk), gives: ["update f.txt", "update g"] },
  {
    name: "two files, wrong counts",
    patch: diff("@@ -1,5 +1,5 @@", "-a", "+b") + named("a/g", "b/g", ...hunk),
    gives: ["update f.txt", "update g"],
  },
  {
    name: "two files of git",
    patch: git("x", "x", "--- a/x", "+++ b/x", ...hunk) + git("y", "y", "--- a/y", "+++ b/y", ...hunk),
    gives: ["update x", "update y"],
  },
  {
    name: "a deleted file behind a whole one",
    patch: diff(...hunk) + named("a/g", "/dev/null", "@@ -1 +0,0 @@", "-a"),
    gives: ["update f.txt", "delete g"],
  },
  { name: "a fence", patch: `\`\`\`diff\n${diff(...hunk)}\`\`\`\n`, gives: ["update f.txt"] },
  {
    name: "two fences",
    patch: `A:\n\`\`\`diff\n${diff(...hunk)}\`\`\`\nB:\n\`\`\`diff\n${named("g", "g", ...hunk)}\`\`\`\n`,
    gives: ["update f.txt", "update g"],
  },
  {
    name: "words above and below",
    patch: `I changed it:\n- well\n\n${diff(...hunk)}\nThat was all.\n`,
    gives: ["update f.txt"],
  },
  {
    name: "a mail",
    patch: `From: x\nSubject: y\n\n---\n f.txt | 2 +-\n\n${diff(...hunk)}-- \n2.40.1\n`,
    gives: ["update f.txt"],
  },
  {
    name: "a mail, wrong counts",
    patch: `${diff("@@ -1,3 +1,3 @@", "-a", "+b")}-- \n2.40.1\n`,
    gives: ["update f.txt"],
  },
  {
    name: "Subversion",
    patch: lines("Index: f.txt", "======", "--- f.txt\t(revision 1)", "+++ f.txt\t(working copy)", ...hunk),
    gives: ["update f.txt"],
  },
  { name: "nothing", patch: "", line: 1, says: "empty" },
  { name: "only words", patch: "please change it\n", line: 1, says: "no patch" },
  {
    name: "a context line without its blank",
    patch: diff("@@ -1,3 +1,3 @@", "function f()", "-a", "+b"),
    line: 4,
    says: "function f()",
  },
  {
    name: "a context line without its blank behind lines that fill the counts",
    patch: diff("@@ -1 +1 @@", "-a", "+b", "function f()", "-c", "+d"),
    line: 6,
    says: "function f()",
  },
  {
    name: "lines behind the end of the file",
    patch: diff("@@ -1,2 +1,2 @@", "-a", noNewline, "-b", "+c", "+d"),
    line: 5,
    says: "more lines follow",
  },
];

const begin = (...rows: string[]) => lines("*** Begin Patch", ...rows, "*** End Patch");

export const beginFormat: ReadCase[] = [
  {
    name: "all kinds",
    patch: begin(
      "*** Add File: n",
      "+a",
      "*** Delete File: d",
      "*** Update File: u",
      "-a",
      "+b",
      "*** Update File: o",
      "*** Move to: p",
      "@@",
      "-a",
      "+b",
    ),
    gives: ["add n", "delete d", "update u", "rename o -> p"],
  },
  { name: "a move alone", patch: begin("*** Update File: o", "*** Move to: p"), gives: ["rename o -> p"] },
  {
    name: "a move to its own name",
    patch: begin("*** Update File: o", "*** Move to: o", "-a", "+b"),
    gives: ["update o"],
  },
  { name: "path wins", patch: begin("*** Update File: o", "-a", "+b"), path: "q", gives: ["update q"] },
  { name: "an empty new file", patch: begin("*** Add File: n"), gives: ["add n"] },
  {
    name: "two envelopes",
    patch: begin("*** Delete File: a") + begin("*** Delete File: b"),
    gives: ["delete a", "delete b"],
  },
  { name: "cut off", patch: lines("*** Begin Patch", "*** Update File: f", "-a", "+b"), line: 1, says: "cut off" },
  { name: "a new file's line without +", patch: begin("*** Add File: n", "+a", "b"), line: 4, says: 'begins with "+"' },
  { name: "a stray line", patch: begin("*** Update File: f", "@@", "-a", "x", "+b"), line: 5, says: '"x"' },
  { name: "an unknown marker", patch: begin("*** Rename File: f"), line: 2, says: "Rename File" },
  { name: "no name", patch: begin("*** Delete File:"), line: 2, says: "no name" },
  { name: "nothing in it", patch: begin(), line: 1, says: "no patch" },
  { name: "an update without lines", patch: begin("*** Update File: f"), line: 2, says: "no changed lines" },
];
