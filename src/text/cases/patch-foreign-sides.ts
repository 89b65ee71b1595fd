import { fresh, hunk, lines, old, type Refused, stars } from "./patch-foreign.ts";

const head = ["*** a/f.txt", "--- b/f.txt"];
const open = "\\ No newline at end of file";

/** Context and normal diffs whose names or sides do not agree. */
export const disagreeing: Refused[] = [
  {
    name: "a hunk without names, and another file behind it, for one path",
    patch: lines(...hunk, "Index: g", "*** a/g", "--- b/g", ...hunk),
    path: "f.txt",
    says: "",
    line: 1,
  },
  { name: "a hunk without names and without a path", patch: lines(...hunk), says: "", line: 1 },
  { name: "a second name of another format", patch: lines("*** a/f.txt", "+++ b/f.txt", ...hunk), says: "", line: 1 },
  { name: "a first name of another format", patch: lines("+++ a/f.txt", "--- b/f.txt", ...hunk), says: "", line: 1 },
  {
    name: "a range of the side that is left out that is too long",
    patch: lines(...head, stars, "*** 1,3 ****", "  a", "- X", "  b", "--- 1,5 ----"),
    says: "contradict",
  },
  {
    name: "one more line that stays on the new side",
    patch: lines(...head, stars, "*** 1,2 ****", "  a", "! b", "--- 1,3 ----", "  a", "! X", "  c"),
    says: "contradict",
  },
  {
    name: "a last line that stays and ends the file on one side alone",
    patch: lines(...head, stars, "*** 1,2 ****", "! b", "  c", open, "--- 1,2 ----", "! X", "  c"),
    says: "contradict",
  },
  {
    name: "a changed line whose other side is left out",
    patch: lines(...head, stars, "*** 1,2 ****", "--- 1,3 ----", "  a", "! X", "  b"),
    says: "contradict",
  },
  { name: "no header of the new side at the end", patch: lines(...head, stars, ...old), says: "" },
  { name: "a quoted answer", patch: "please\n> change it\n", path: "f.txt", says: "there is no patch in it" },
  { name: "the end of a mail alone", patch: "-- \n2.40\n", path: "f.txt", says: "there is no patch in it" },
  {
    name: "the end of a mail behind blank lines",
    patch: "\n\n-- \n2.40",
    path: "f.txt",
    says: "there is no patch in it",
  },
  {
    name: "twisted numbers",
    patch: lines(...head, stars, "*** 3,1 ****", ...fresh),
    says: '"*** 3,1 ****" of',
    line: 4,
  },
];
