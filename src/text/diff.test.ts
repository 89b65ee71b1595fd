import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { countChanges, diffLines, unifiedDiff } from "./diff.ts";

const names = { from: "a/x", to: "b/x" };

/** Applies a unified diff strictly: every line and every number must be right. */
function apply(before: string, diff: string): string {
  if (diff === "") return before;
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines = diff.match(/[^\n]*\n/g) ?? [];
  expect(lines.slice(0, 2)).toEqual(["--- a/x\n", "+++ b/x\n"]);
  const result: string[] = [];
  let at = 0;
  for (let index = 2; index < lines.length; ) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(lines[index++]!);
    if (header === null) throw new Error(`not a hunk: ${lines[index - 1]}`);
    const [oldLength, newLength] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
    const start = Number(header[1]) - (oldLength === 0 ? 0 : 1);
    result.push(...source.slice(at, start));
    at = start;
    expect(result.length).toBe(Number(header[3]) - (newLength === 0 ? 0 : 1));
    const counts = { old: 0, new: 0 };
    while (index < lines.length && !lines[index]!.startsWith("@@")) {
      const mark = lines[index]![0]!;
      let text = lines[index++]!.slice(1);
      if (lines[index]?.startsWith("\\")) {
        text = text.slice(0, -1);
        index++;
      }
      if (mark !== "+") {
        expect(source[at++]).toBe(text);
        counts.old++;
      }
      if (mark !== "-") {
        result.push(text);
        counts.new++;
      }
    }
    expect(counts).toEqual({ old: oldLength, new: newLength });
  }
  return result.concat(source.slice(at)).join("");
}

const numbered = (count: number, change: (line: number) => string | undefined = () => undefined) =>
  Array.from({ length: count }, (_, line) => `${change(line) ?? `line ${line}`}\n`).join("");

describe("unifiedDiff", () => {
  test.each([
    ["equal texts", "a\n", "a\n", ""],
    ["a changed line", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"],
    ["a new file", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["an emptied file", "a\n", "", "@@ -1 +0,0 @@\n-a\n"],
    ["a lost final newline", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"],
    ["a gained final newline", "b", "b\n", "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n"],
    ["no final newline on either side", "a\nb", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"],
    ["CR as it is", "a\r\n", "a\n", "@@ -1 +1 @@\n-a\r\n+a\n"],
    ["an added repetition", "a\na\n", "a\na\na\n", "@@ -1,2 +1,3 @@\n a\n a\n+a\n"],
    ["a line that begins like the next", "ab\n", "ab\nabc\n", "@@ -1 +1,2 @@\n ab\n+abc\n"],
    ["a removed first line", "\na\n", "a\n", "@@ -1,2 +1 @@\n-\n a\n"],
  ])("%s", (_name, before, after, hunks) => {
    const expected = hunks === "" ? "" : `--- a/x\n+++ b/x\n${hunks}`;
    expect(unifiedDiff(before, after, names)).toBe(expected);
    expect(apply(before, expected)).toBe(after);
  });

  test("joins near changes and parts far ones", () => {
    const before = numbered(40);
    const near = numbered(40, (line) => (line === 10 || line === 17 ? "new" : undefined));
    const far = numbered(40, (line) => (line === 10 || line === 18 ? "new" : undefined));
    expect(unifiedDiff(before, near, names).match(/^@@.*/gm)).toEqual(["@@ -8,14 +8,14 @@"]);
    expect(unifiedDiff(before, far, names).match(/^@@.*/gm)).toEqual(["@@ -8,7 +8,7 @@", "@@ -16,7 +16,7 @@"]);
    expect(unifiedDiff(before, far, { ...names, context: 0 }).match(/^@@.*/gm)).toEqual([
      "@@ -11 +11 @@",
      "@@ -19 +19 @@",
    ]);
  });

  test("keeps a moved block apart from what stayed", () => {
    const before = "a {\n  1\n}\n\nb {\n  2\n}\n";
    const after = "a {\n  1\n}\n\nc {\n  3\n}\n\nb {\n  2\n}\n";
    expect(countChanges(before, after)).toEqual({ added: 4, removed: 0 });
  });

  const line = fc.constantFrom("a", "b", "c", "{", "}", "");
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
    .map(([lines, open]) => lines.map((one) => `${one}\n`).join("") + (open ? "end" : ""));

  test("always leads from before to after", () => {
    const context = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(text, text, context, (before, after, context) => {
        expect(apply(before, unifiedDiff(before, after, { ...names, context }))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  test("leads through arbitrary strings", () => {
    const any = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "😀", " "), maxLength: 30 });
    fc.assert(
      fc.property(any, any, any, any, (head, before, after, tail) => {
        const [one, other] = [head + before + tail, head + after + tail];
        expect(apply(one, unifiedDiff(one, other, names))).toBe(other);
      }),
      { numRuns: 500 },
    );
  });
});

describe("diffLines", () => {
  test.each([
    ["abcabba", "cbabac", 5],
    ["aabb", "bbaa", 4],
    ["abab", "baba", 2],
    ["aaaa", "aa", 2],
    ["", "ab", 2],
    ["ab", "", 2],
  ])("%s to %s takes %i edits", (before, after, edits) => {
    const changes = diffLines([...before], [...after]);
    const sizes = changes.map((one) => one.beforeEnd - one.beforeStart + one.afterEnd - one.afterStart);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(edits);
  });

  test.each([
    ["beyond the bound of the search", 2000, 3],
    ["with many different lines", 3000, 200],
  ])("stays right %s", (_name, length, letters) => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed;
    };
    const make = () => Array.from({ length }, () => `${random() % letters}\n`).join("");
    const [before, after] = [make(), make()];
    expect(apply(before, unifiedDiff(before, after, names))).toBe(after);
    expect(countChanges(before, after).removed).toBeLessThan(length);
  });
});

const patch = "patch";

test("patch(1) agrees", needs("patch"), () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-diff-"));
  const samples: [string, string][] = [
    ["a\nb\nc\n", "a\nc\nd"],
    ["one", "one\ntwo\n"],
    [numbered(100), numbered(100, (line) => (line % 17 === 0 ? `x\ny${line}` : undefined))],
    ["a\r\nb\r\n", "a\r\nB\r\n"],
    ["x\n".repeat(30), `${"x\n".repeat(12)}y\n${"x\n".repeat(20)}`],
  ];
  try {
    for (const [before, after] of samples) {
      const file = path.join(folder, "sample");
      fs.writeFileSync(file, before);
      const input = unifiedDiff(before, after, { from: "sample", to: "sample" });
      execFileSync(patch, ["-p0", "--binary", "--fuzz=0", "-s"], { cwd: folder, input });
      expect(fs.readFileSync(file, "utf8")).toBe(after);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
