import { describe, expect, test } from "vitest";
import * as whole from "./cases/patch-applied.ts";
import * as begin from "./cases/patch-begin.ts";
import type { AppliedCase, ReadCase, RefusedCase } from "./cases/patch-case.ts";
import * as kept from "./cases/patch-kept.ts";
import * as loose from "./cases/patch-loose.ts";
import * as naming from "./cases/patch-names.ts";
import * as odd from "./cases/patch-odd.ts";
import * as reading from "./cases/patch-read.ts";
import * as refusals from "./cases/patch-refused.ts";
import { applyPatch, type HunkProblem } from "./patch/apply.ts";
import type { FileOperation } from "./patch/patch-lines.ts";
import { newContent } from "./patch/splice.ts";
import { parsePatch } from "./patch.ts";

type Outcome = { text: string; how: string[] } | { problems: HunkProblem[] };

/** All parts of a patch of one file, one after the other. */
function patched(before: string, patch: string, path?: string): Outcome {
  const parsed = parsePatch(patch, path === undefined ? {} : { path });
  if ("problems" in parsed)
    throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
  expect(new Set(parsed.operations.map((operation) => operation.path))).toEqual(new Set([path ?? "f.txt"]));
  let outcome: Outcome = { text: before, how: [] };
  for (const { hunks } of parsed.operations) {
    if ("problems" in outcome) return outcome;
    outcome = applyPatch(outcome.text, hunks);
  }
  return outcome;
}

describe.each(
  Object.entries({
    ...whole,
    ...kept,
    begin: begin.applied,
    appended: begin.appended,
    padded: begin.padded,
    loose: loose.applied,
    odd: odd.applied,
  }),
)("applied: %s", (_, cases) => {
  test.each(cases)("$name", ({ before, patch, after, how = [], path }: AppliedCase) => {
    expect(patched(before, patch, path)).toMatchObject({ text: after, how });
  });
});

describe.each(Object.entries({ ...refusals, begin: begin.refused, loose: loose.refused, odd: odd.refused }))(
  "refused: %s",
  (_, cases) => {
    test.each(cases)("$name", ({ before, patch, why, says = "", path }: RefusedCase) => {
      const outcome = patched(before, patch, path);
      if (!("problems" in outcome)) throw new Error(`applied: ${JSON.stringify(outcome.text)}`);
      const [problem] = outcome.problems;
      expect(problem?.kind).toBe(why);
      expect(problem?.message).toContain(says);
    });
  },
);

describe.each(Object.entries({ ...reading, contradictions: naming.contradictions, parts: naming.parts }))(
  "read: %s",
  (_, cases) => {
    test.each(cases)("$name", ({ patch, path, gives, line, says = "" }: ReadCase) => {
      const parsed = parsePatch(patch, path === undefined ? {} : { path });
      if ("operations" in parsed) return expect(parsed.operations.map(short)).toEqual(gives);
      expect(gives, JSON.stringify(parsed.problems)).toBeUndefined();
      expect(parsed.problems[0]?.line).toBe(line);
      expect(parsed.problems[0]?.message).toContain(says);
    });
  },
);

const short = ({ kind, path, newPath, mode }: FileOperation): string =>
  `${kind} ${path}${newPath ? ` -> ${newPath}` : ""}${mode ? ` ${mode.toString(8)}` : ""}`;

test("a refusal shows the nearest text with its line numbers and what differs", () => {
  const parsed = parsePatch(
    "--- a/f\n+++ b/f\n@@ -9,3 +9,3 @@\n const total = 1;\n-const size = 2;\n+const size = 3;\n",
  );
  if (!("operations" in parsed)) throw new Error("unreadable");
  const outcome = applyPatch("x\nconst total = 1;\nconst size  = 2;\n", parsed.operations[0]!.hunks);
  expect(outcome).toEqual({
    problems: [
      {
        hunk: 1,
        kind: "absent",
        message:
          'hunk 1 (line 3 of the patch: "-const size = 2;") does not fit: the nearest text is at line 2 of the file',
        detail:
          "2: const total = 1;\n3: const size  = 2;\n\nWhat differs (- patch, + file):\n- const·size·=·2;\n+ const·size··=·2;\n(where only white space differs, · is a blank and → a tab)",
      },
    ],
  });
});

test("lines are counted as the patch counts them, with carriage returns among them too", () => {
  const parsed = parsePatch("--- a/f\n+++ b/f\n@@\n-c\n+d\n");
  if (!("operations" in parsed)) throw new Error("unreadable");
  expect(applyPatch("a\rb\nc\n", parsed.operations[0]!.hunks)).toEqual({
    ...{ text: "a\rb\nd\n", how: [], places: [2], appended: [] },
  });
});

test.each([
  ["one of the old lines has", "a\nb\r\n", " a\n-b\r\r\n+c\r\r\n", "a\nc\r\n"],
  ["only the new line has, before an ending that is not the file's", "b\n", "-b\r\n+c\r\r\n", "c\n"],
  ["the old line has as well", "a\r\r\nb\r\n", "-a\r\r\n+c\r\r\n", "c\r\r\nb\r\n"],
])("a doubled carriage return comes into a file only if it is there: %s", (_, file, hunk, text) => {
  const parsed = parsePatch(`--- a/f\n+++ b/f\n@@\n${hunk}`);
  if (!("operations" in parsed)) throw new Error("unreadable");
  expect(applyPatch(file, parsed.operations[0]!.hunks)).toMatchObject({ text });
});

test("a file that repeats itself too often is not searched for what is only like it", () => {
  const parsed = parsePatch(`--- a/f\n+++ b/f\n@@\n${" x\n".repeat(500)}-x\n+y\n`);
  if (!("operations" in parsed)) throw new Error("unreadable");
  const outcome = applyPatch("    x\n".repeat(1200), parsed.operations[0]!.hunks);
  expect(outcome).toMatchObject({ problems: [{ kind: "absent" }] });
});

test.each([
  ["lines as they end", "+a\n+b\r\n", "a\nb\r\n"],
  ["no newline at the end", "+a\n+b\n\\ No newline at end of file\n", "a\nb"],
])("a new file has its %s", (_, added, content) => {
  const parsed = parsePatch(`--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n${added}`);
  if (!("operations" in parsed)) throw new Error("unreadable");
  expect(newContent(parsed.operations[0]!.hunks)).toBe(content);
});

test("the lines of a new file keep their blanks, and what looks like a marker among them", () => {
  const added = ["+a  ", "+  b", "+ *** End Patch", "+"].map((line) => `${line}\n`).join("");
  const parsed = parsePatch(`*** Begin Patch\n*** Add File: n\n${added}\n\n*** End Patch\n`);
  if (!("operations" in parsed)) throw new Error("unreadable");
  expect(newContent(parsed.operations[0]!.hunks)).toBe("a  \n  b\n *** End Patch\n\n");
});

test("a new file that is empty has no hunks", () => {
  const parsed = parsePatch("*** Begin Patch\n*** Add File: n\n*** End Patch\n");
  expect(parsed).toMatchObject({ operations: [{ kind: "add", path: "n", hunks: [] }] });
});

test("the tables have at least 150 cases", () => {
  const tables = [whole, kept, begin, refusals, reading].flatMap((table) => Object.values(table));
  expect(tables.flat().length).toBeGreaterThanOrEqual(150);
});
