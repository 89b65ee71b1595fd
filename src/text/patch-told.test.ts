import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toldOfPatch } from "./cases/patch-told.ts";

type Given = [before: string, patch: string, path?: string];

/** A file and a patch as JSON, and all that becomes of them below, indented. */
const rows = readFileSync(new URL("./cases/patch-told.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const cases = rows.flatMap((row, index): [given: string, told: string][] =>
  row.startsWith("    ") ? [] : [[row, (rows[index + 1] ?? "").trimStart()]],
);

test("the table is read", () => expect(cases.length).toBeGreaterThan(100));
test.each(cases)("all that becomes of a patch: %s", (given, told) => {
  expect(toldOfPatch(...(JSON.parse(given) as Given)).trimEnd()).toBe(told.trimEnd());
});
