import { expect, test } from "vitest";
import { replaceEach } from "./edit-list.ts";
import { parsePatch } from "./patch.ts";
import { wordsOf } from "./ranking.ts";

/** More than a call can take as arguments. */
const MANY = 150_000;
const rows = (row: string): string => `${row}\n`.repeat(MANY);
const parsed = (patch: string): unknown => {
  const found = parsePatch(patch, { path: "f" });
  return "problems" in found ? found.problems.length : found.operations.length;
};

test.each<[what: string, read: () => unknown, found: unknown]>([
  [
    "blocks to search and replace",
    () => parsed(`<<<<<<< SEARCH\n${rows("x")}=======\n${rows("y")}>>>>>>> REPLACE\n`),
    1,
  ],
  ["a normal diff", () => parsed(`1,${MANY}d0\n${rows("< x")}`), 1],
  [
    "a context diff",
    () => parsed(`*** f\n--- f\n${"*".repeat(15)}\n*** 1,${MANY} ****\n${rows("- x")}--- 1,1 ----\n+ y\n`),
    1,
  ],
  [
    "a patch with a mistake in every line",
    () => parsed(`*** Begin Patch\n*** Update File: f\n@@\n${rows("-x\n\\ No newline at end of file")}*** End Patch\n`),
    MANY - 1,
  ],
  [
    "a unified diff with a mistake in every line",
    () => parsed(`--- a/f\n+++ b/f\n@@\n${rows("-x\n\\ No newline at end of file")}`),
    MANY - 1,
  ],
  [
    "edits at many places before one with a line number",
    () =>
      "text" in
      replaceEach(`${rows("x")}z\n`, [
        { old: "x", new: "y", all: true },
        { old: "z", new: "a", line: MANY + 1 },
      ]),
    true,
  ],
  ["words without blanks between them", () => wordsOf("語".repeat(MANY)).length, 2 * MANY - 1],
])("%s can be very long", (_, read, found) => {
  expect(read()).toEqual(found);
});
