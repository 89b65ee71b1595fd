import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Bench, bench } from "./harness.ts";

const nameOf = (at: number): string => `d${at % 20}/f${at}.txt`;

/** So many small files, and a patch that changes each. */
async function many(files: number, options: object): Promise<Bench & { patch: string }> {
  const one = await bench({}, { store: "memory", ...options });
  for (let at = 0; at < files; at += 1) {
    const file = path.join(one.dir, nameOf(at));
    if (at < 20) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `one\ntwo ${at}\n`);
  }
  const sections = Array.from(
    { length: files },
    (_, at) => `--- a/${nameOf(at)}\n+++ b/${nameOf(at)}\n@@ -1,2 +1,2 @@\n one\n-two ${at}\n+TWO ${at}\n`,
  );
  return { ...one, patch: sections.join("") };
}

/** How many turns of the event loop others got while it ran. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe("a patch of very many files", () => {
  test.each([
    ["in a dry run", { dryRun: true }, true],
    ["in a plan", { plan: true }, true],
    ["made", {}, false],
  ])(
    "lets others have their turn, %s, and its output is cut like any other",
    { timeout: 60_000 },
    async (_, options, isCut) => {
      const { call, patch, text } = await many(1000, options);
      let result = { success: false, output: "" };
      const turns = await turnsDuring(async () => {
        result = await call("apply_patch", { patch });
      });
      expect(result.success).toBe(true);
      expect(result.output.length).toBeLessThan(70_000);
      expect(result.output.includes("[left out here: ")).toBe(isCut);
      expect(turns).toBeGreaterThan(8);
      expect(text(nameOf(999))).toBe("plan" in options || "dryRun" in options ? "one\ntwo 999\n" : "one\nTWO 999\n");
    },
  );
});
