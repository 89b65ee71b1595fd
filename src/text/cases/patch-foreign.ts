export const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join("");
export const stars = "***************";
const head = ["*** a/f.txt\t2020-01-01 00:00:00", "--- b/f.txt\t2020-01-01 00:00:01"];
export const old = ["*** 1,3 ****", "  a", "! b", "  c"];
export const fresh = ["--- 1,3 ----", "  a", "! X", "  c"];
export const hunk = [stars, ...old, ...fresh];
const change = ["2c2", "< b", "---", "> X"];

export type Row = { name: string; patch: string; path?: string };
type Taken = Row & { format: "context" | "normal"; files?: string[]; marks: string };
export type Refused = Row & { says: string; line?: number };

export const taken: Taken[] = [
  { name: "one context hunk", patch: lines(...head, ...hunk), format: "context", marks: " -+ " },
  {
    name: "a function behind the stars",
    patch: lines(...head, `${stars} f() {`, ...old, ...fresh),
    format: "context",
    marks: " -+ ",
  },
  {
    name: "an addition: the old side left out",
    patch: lines(...head, stars, "*** 1,2 ****", "--- 1,3 ----", "  a", "+ X", "  b"),
    format: "context",
    marks: " + ",
  },
  {
    name: "a removal: the new side left out",
    patch: lines(...head, stars, "*** 1,3 ****", "  a", "- X", "  b", "--- 1,2 ----"),
    format: "context",
    marks: " - ",
  },
  {
    name: "a removal with a blank line behind it",
    patch: lines(...head, stars, "*** 1,3 ****", "  a", "- X", "  b", "--- 1,2 ----", ""),
    format: "context",
    marks: " - ",
  },
  {
    name: "single lines",
    patch: lines(...head, stars, "*** 2 ****", "! b", "--- 2 ----", "! X"),
    format: "context",
    marks: "-+",
  },
  {
    name: "blanks lost at the ends of lines",
    patch: lines(...head, stars, "*** 1,3 ****", "", "! b", "  c", "--- 1,3 ----", "", "!", "  c"),
    format: "context",
    marks: " -+ ",
  },
  {
    name: "in a fence, below diff and Index lines",
    patch: lines("```diff", "Index: f.txt", "=".repeat(67), "diff -c a b", ...head, ...hunk, "```"),
    format: "context",
    marks: " -+ ",
  },
  {
    name: "two files",
    patch: lines(...head, ...hunk, "diff -c a/g b/g", "*** a/g", "--- b/g", ...hunk),
    format: "context",
    files: ["f.txt", "g"],
    marks: " -+  -+ ",
  },
  {
    name: "two files and a path that names neither",
    patch: lines(...head, ...hunk, "*** a/g", "--- b/g", ...hunk),
    path: "other",
    format: "context",
    files: ["f.txt", "g"],
    marks: " -+  -+ ",
  },
  { name: "no names, but a path", patch: lines(...hunk), path: "f.txt", format: "context", marks: " -+ " },
  {
    name: "two names, and a path that decides",
    patch: lines("*** x", "--- y", ...hunk),
    path: "f.txt",
    format: "context",
    marks: " -+ ",
  },
  {
    name: "lines that look like shell and ed",
    patch: lines(...head, stars, "*** 1,2 ****", "! !touch canary", "! .", "--- 1,2 ----", "! 1d", "! w"),
    format: "context",
    marks: "--++",
  },
  {
    name: "lines that look like headers",
    patch: lines(
      ...head,
      stars,
      "*** 1,2 ****",
      "! *** 1 ****",
      "  @@ -1 +1 @@",
      "--- 1,2 ----",
      "! --- 1 ----",
      "  @@ -1 +1 @@",
    ),
    format: "context",
    marks: "-+ ",
  },
  { name: "a normal change", patch: lines(...change), path: "f.txt", format: "normal", marks: "-+" },
  { name: "a normal addition", patch: lines("2a3,4", "> x", "> y"), path: "f.txt", format: "normal", marks: "++" },
  { name: "a normal addition at the top", patch: lines("0a1", "> x"), path: "f.txt", format: "normal", marks: "+" },
  { name: "a normal removal", patch: lines("2,3d1", "< x", "< y"), path: "f.txt", format: "normal", marks: "--" },
  {
    name: "several normal changes in a fence",
    patch: lines("```", "diff f g", ...change, "5d4", "< x", "```"),
    path: "f.txt",
    format: "normal",
    marks: "-+-",
  },
  {
    name: "empty lines without their blank",
    patch: lines("2c2", "<", "---", ">"),
    path: "f.txt",
    format: "normal",
    marks: "-+",
  },
  {
    name: "normal lines that look like commands",
    patch: lines("1,2c1", "< !sh", "< 1d", "---", "> ."),
    path: "f.txt",
    format: "normal",
    marks: "--+",
  },
  {
    name: "CRLF all over",
    patch: lines(...change).replaceAll("\n", "\r\n"),
    path: "f.txt",
    format: "normal",
    marks: "-+",
  },
];

const no = "there is no patch in it";
export const refused: Refused[] = [
  { name: "an ed script", patch: lines("2c", "X", "."), path: "f.txt", says: no },
  { name: "an ed script of one removal", patch: lines("2d"), path: "f.txt", says: no },
  { name: "an ed script that runs a command", patch: lines("!touch canary", "w", "q"), path: "f.txt", says: no },
  {
    name: "an ed script whose text looks normal",
    patch: lines("1i", "2c2", "< b", "---", "> X", "."),
    path: "f.txt",
    says: no,
  },
  { name: "a command with an address", patch: lines("1!touch canary"), path: "f.txt", says: no },
  { name: "reading a command's output", patch: lines("r !touch canary", "w"), path: "f.txt", says: no },
  { name: "a forward ed script", patch: lines("c2", "X", "."), path: "f.txt", says: no },
  { name: "an RCS script", patch: lines("d2 1", "a2 1", "X"), path: "f.txt", says: no },
  { name: "prose", patch: lines("please change b to X"), path: "f.txt", says: no },
  { name: "a command alone", patch: lines("2c2"), path: "f.txt", says: no },
  { name: "a normal diff for nobody", patch: lines(...change), says: "names no file", line: 1 },
  {
    name: "an ed command behind a normal change",
    patch: lines(...change, "!touch canary"),
    path: "f.txt",
    says: '"!touch canary"',
    line: 5,
  },
  {
    name: "an ed script behind a normal change",
    patch: lines(...change, "2c", "X", "."),
    path: "f.txt",
    says: '"2c"',
    line: 5,
  },
  { name: "a normal diff cut off", patch: lines("2c2", "< b", "---"), path: "f.txt", says: "cut off" },
  {
    name: "a normal diff without its rule",
    patch: lines("2c2", "< b", "> X"),
    path: "f.txt",
    says: "not what follows",
    line: 3,
  },
  {
    name: "fewer normal lines than it says",
    patch: lines("2,3c2", "< b", "---", "> X"),
    path: "f.txt",
    says: "not what follows",
    line: 3,
  },
  {
    name: "more normal lines than it says",
    patch: lines("2d1", "< b", "< c"),
    path: "f.txt",
    says: "not what follows",
    line: 3,
  },
  { name: "a normal range backwards", patch: lines("3,2d1", "< b", "< c"), path: "f.txt", says: "not a range" },
  { name: "a normal removal at line 0", patch: lines("0d0", "< b"), path: "f.txt", says: "not a range" },
  {
    name: "prose between normal changes",
    patch: lines(...change, "and then", ...change),
    path: "f.txt",
    says: '"and then"',
  },
  {
    name: "a context diff of two files' names",
    patch: lines("*** x", "--- y", ...hunk),
    says: "context diff names two different files",
    line: 1,
  },
  {
    name: "a new file",
    patch: lines("*** /dev/null", "--- f.txt", stars, "*** 0 ****", "--- 1 ----", "+ x"),
    says: "adds or deletes",
  },
  {
    name: "a range from 0",
    patch: lines(...head, stars, "*** 0 ****", "--- 1 ----", "+ x"),
    says: "not a range",
    line: 4,
  },
  { name: "a context diff cut off", patch: lines(...head, stars, "*** 1,3 ****", "  a", "! b"), says: "cut off" },
  {
    name: "too few context lines",
    patch: lines(...head, stars, "*** 1,4 ****", "  a", "! b", "  c", ...fresh),
    says: '"--- 1,3 ----"',
  },
  {
    name: "too many context lines",
    patch: lines(...head, stars, "*** 1,2 ****", "  a", "! b", "  c", ...fresh),
    says: '"  c"',
  },
  {
    name: "sides that contradict each other",
    patch: lines(...head, stars, ...old, "--- 1,3 ----", "  A", "! X", "  c"),
    says: "contradict",
  },
  { name: "a change with one side", patch: lines(...head, stars, ...old, "--- 1,2 ----"), says: "contradict" },
  { name: "no change", patch: lines(...head, stars, "*** 1 ****", "  a", "--- 1 ----", "  a"), says: "contradict" },
  {
    name: "an addition without context",
    patch: lines(...head, stars, "*** 5 ****", "--- 6 ----", "+ x"),
    says: "contradict",
  },
  {
    name: "an added line on the old side",
    patch: lines(...head, stars, "*** 1 ****", "+ b", "--- 1 ----", "+ X"),
    says: '"+ b"',
  },
  {
    name: "an ed script behind a context diff",
    patch: lines(...head, ...hunk, "1!touch canary"),
    says: '"1!touch canary"',
  },
  {
    name: "an ed script above a context diff",
    patch: lines("1!touch canary", ...head, ...hunk),
    says: '"1!touch canary"',
    line: 1,
  },
  {
    name: "a unified diff behind a context diff",
    patch: lines(...head, ...hunk, "--- a/f", "+++ b/f", "@@ -1 +1 @@", "-a", "+b"),
    says: "context diff",
  },
  {
    name: "a context diff behind git's header",
    patch: lines("diff --git a/f.txt b/f.txt", ...head, ...hunk),
    says: "diff --git",
  },
  {
    name: "a separator below a unified diff",
    patch: lines("--- a/f", "+++ b/f", "@@ -1 +1 @@", "-a", "+b", stars),
    says: "context diff",
  },
];

export const ours: Row[] = [
  { name: "a unified diff", patch: lines("--- a/f.txt", "+++ b/f.txt", "@@ -1 +1 @@", "-a", "+b") },
  {
    name: "a unified diff of a normal diff",
    patch: lines("--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", " 2c2", "-< b", "+> b"),
  },
  {
    name: "a unified diff of a context diff",
    patch: lines("--- a/f.txt", "+++ b/f.txt", "@@ -1,2 +1,2 @@", ` ${stars}`, "-! b", "+! c"),
  },
  { name: "bare lines", patch: lines("-a", "+b"), path: "f.txt" },
  {
    name: "a *** Begin Patch",
    patch: lines("*** Begin Patch", "*** Update File: f.txt", "@@", "-a", "+b", "*** End Patch"),
  },
];
