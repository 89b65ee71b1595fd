import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../diff.ts";
import { parsePatch } from "../patch.ts";
import { applyPatch } from "./apply.ts";
import type { Hunk } from "./patch-lines.ts";

const names = { from: "a/file.txt", to: "b/file.txt" };

function hunksOf(patch: string): Hunk[] {
  const parsed = parsePatch(patch);
  if ("problems" in parsed) throw new Error(`${JSON.stringify(parsed.problems)} in\n${patch}`);
  expect(parsed.operations).toHaveLength(1);
  return parsed.operations[0]!.hunks;
}

// few words, so that places are confused; lines that look like parts of a patch
const word = fc.constantFrom(
  "a",
  "b",
  "",
  "  c",
  "-- a/x",
  "++ b/x",
  "@@ -1 +1 @@",
  "\\ No newline",
  "*** End Patch",
  "d ",
);
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n");
const texts = fc.tuple(fc.array(fc.tuple(word, ending), { maxLength: 14 }), fc.boolean()).map(([rows, isOpen]) => {
  const text = rows.map((row) => row.join("")).join("");
  return isOpen ? text.replace(/\r?\n$/, "") : text;
});

/** A text and the same with some lines changed. */
const pairs = fc.oneof(
  fc.tuple(texts, texts),
  fc.tuple(texts, fc.array(fc.tuple(fc.nat(), word), { maxLength: 4 }), texts).map(([before, edits, extra]) => {
    const lines = before.split(/(?<=\n)/);
    for (const [at, text] of edits) lines.splice(at % (lines.length + 1), at % 2, `${text}\n`);
    const isGlued = lines.slice(0, -1).some((line) => !line.endsWith("\n"));
    return [before, isGlued ? extra : lines.join("")] as [string, string];
  }),
);

describe("a diff of two texts", () => {
  test("applied to the first gives the second, byte for byte", () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 4 }), ([before, after], context) => {
        fc.pre(before !== after);
        const diff = unifiedDiff(before, after, { ...names, context });
        expect(applyPatch(before, hunksOf(diff))).toMatchObject({ text: after, how: [] });
      }),
      { numRuns: 3000 },
    );
  });

  const distinct = fc
    .uniqueArray(fc.nat(40), { maxLength: 20 })
    .map((rows) => rows.map((row) => `line ${row}\n`).join(""));

  test("without context too, where no line comes twice", () => {
    fc.assert(
      fc.property(distinct, distinct, (before, after) => {
        fc.pre(before !== after);
        const diff = unifiedDiff(before, after, { ...names, context: 0 });
        expect(applyPatch(before, hunksOf(diff))).toMatchObject({ text: after });
      }),
      { numRuns: 1000 },
    );
  });

  test("with wrong line numbers and counts, where no line comes twice", () => {
    fc.assert(
      fc.property(distinct, distinct, fc.nat(50), fc.nat(50), (before, after, shift, counts) => {
        fc.pre(before !== after && before !== "");
        const diff = unifiedDiff(before, after, names).replace(
          /^@@ -(\d+).*@@$/gm,
          (_, old: string) => `@@ -${Number(old) + shift},${counts} +${Number(old) + shift},${counts} @@`,
        );
        expect(applyPatch(before, hunksOf(diff))).toMatchObject({ text: after });
      }),
      { numRuns: 1000 },
    );
  });

  test("with bare headers, in another order and with CRLF, where no line comes twice", () => {
    fc.assert(
      fc.property(distinct, distinct, fc.boolean(), fc.boolean(), (before, after, isFileCrlf, isPatchCrlf) => {
        fc.pre(before !== after && before !== "");
        const crlf = (text: string, does: boolean) => (does ? text.replaceAll("\n", "\r\n") : text);
        const diff = unifiedDiff(before, after, { ...names, context: 1 }).replace(/^@@.*@@$/gm, "@@");
        const hunks = hunksOf(crlf(diff, isPatchCrlf)).reverse();
        expect(applyPatch(crlf(before, isFileCrlf), hunks)).toMatchObject({ text: crlf(after, isFileCrlf) });
      }),
      { numRuns: 1000 },
    );
  });

  test("is never applied twice to lines that come once", () => {
    fc.assert(
      fc.property(distinct, distinct, fc.integer({ min: 1, max: 3 }), (before, after, context) => {
        fc.pre(before !== after && before !== "" && after !== "");
        const diff = unifiedDiff(before, after, { ...names, context });
        const again = applyPatch(after, hunksOf(diff));
        if ("text" in again) expect(again.text).toBe(after);
        else expect(again.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});

const anything = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "--- a/x",
        "+++ b/x",
        "@@",
        "@@ -1,2 +1 @@",
        "@@ f",
        "+a",
        "-a",
        " a",
        "",
        "a",
        "\\ No newline at end of file",
        "*** Begin Patch",
        "*** End Patch",
        "*** Update File: x",
        "*** Add File: y",
        "*** Delete File: z",
        "*** Move to: w",
        "*** End of File",
        "diff --git a/x b/x",
        "rename from x",
        "rename to y",
        "new file mode 100644",
        "```diff",
        "```",
        "-- ",
        "2.40",
        '--- "a/\\303',
        "+++ /dev/null",
      ),
      { maxLength: 14 },
    )
    .map((lines) => lines.join("\n")),
);

test("no text makes it throw, and what it cannot read it explains", () => {
  fc.assert(
    fc.property(anything, texts, fc.option(fc.constant("x"), { nil: undefined }), (patch, content, path) => {
      const parsed = parsePatch(patch, path === undefined ? {} : { path });
      if ("problems" in parsed) {
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { line, message } of parsed.problems) expect(line > 0 && message !== "").toBe(true);
        return;
      }
      expect(parsed.operations.length).toBeGreaterThan(0);
      for (const { hunks } of parsed.operations) {
        const patched = applyPatch(content, hunks);
        if ("problems" in patched) expect(patched.problems.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 5000 },
  );
});
