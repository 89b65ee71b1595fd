import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { told } from "./cases/told.ts";

/** Lines of shell, each with all that is told about it below, indented. */
const table = (name: string): [line: string, told: string][] => {
  const rows = readFileSync(new URL(`./cases/told-${name}.txt`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return rows.flatMap((line, index) => (line.startsWith("    ") ? [] : [[line, (rows[index + 1] ?? "").trimStart()]]));
};

describe.each(["words", "values", "wrapping", "flows"])("all that is told about a line: %s", (name) => {
  const cases = table(name);
  test("the table is read", () => expect(cases.length).toBeGreaterThan(90));
  test.each(cases)("%s", (line, expected) => expect(told(line)).toBe(expected));
});
