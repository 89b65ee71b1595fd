import { describe, expect, test } from "vitest";
import { parsePatch, parsingPatch } from "./patch.ts";
import { inTurns } from "./turns.ts";

const numbers = Array.from({ length: 50 }, (_, index) => index);
const patches = {
  "a unified diff": numbers.map((at) => `--- a/f${at}.txt\n+++ b/f${at}.txt\n@@ -1 +1 @@\n-a\n+b\n`).join(""),
  "a diff of git": numbers
    .map((at) => `diff --git a/f${at}.txt b/f${at}.txt\n--- a/f${at}.txt\n+++ b/f${at}.txt\n@@ -1 +1 @@\n-a\n+b\n`)
    .join(""),
  "a *** Begin Patch text": `*** Begin Patch\n${numbers.map((at) => `*** Update File: f${at}.txt\n-a\n+b\n`).join("")}*** End Patch\n`,
  "SEARCH/REPLACE blocks": numbers.map((at) => `f${at}.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`).join(""),
};

describe("a patch of many files", () => {
  test.each(Object.entries(patches))("%s can be left between any two files, and is read the same", async (_, patch) => {
    let asked = 0;
    const parsed = await inTurns(parsingPatch(patch), () => {
      asked += 1;
      return asked % 3 === 0 ? Promise.resolve() : undefined;
    });
    expect(asked).toBeGreaterThanOrEqual(numbers.length);
    expect(parsed).toEqual(parsePatch(patch));
    expect("operations" in parsed && parsed.operations.map(({ path }) => path)).toEqual(
      numbers.map((at) => `f${at}.txt`),
    );
  });

  test("an error ends it", async () => {
    const failing = inTurns(parsingPatch(patches["a unified diff"]), () => Promise.reject(new Error("stopped")));
    await expect(failing).rejects.toThrow("stopped");
  });
});
