import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnalyseOptions } from "./analyse.ts";
import { assembled } from "./assembled-code.ts";
import { told, toldOfCode, toldOfTouches, toldOfWords } from "./cases/told.ts";

/** Lines of shell, each with all that is told about it below, indented. */
const table = (name: string): [line: string, told: string][] => {
  const rows = readFileSync(new URL(`./cases/told-${name}.txt`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return rows.flatMap((line, index) => (line.startsWith("    ") ? [] : [[line, (rows[index + 1] ?? "").trimStart()]]));
};

/** In front of a line, and a tab, stand its options as JSON. */
const toldWithOptions = (row: string): string => {
  const [options = "", line = ""] = row.split("\t");
  return told(line, JSON.parse(options) as AnalyseOptions);
};

/** In front of code, and a tab, stands its language. */
const toldOfAssembly = (row: string): string => {
  const [language = "", code = ""] = row.split("\t");
  return assembled(language, code.replaceAll("⏎", "\n")).replaceAll("\n", "⏎");
};

const TABLES: [name: string, tell: (line: string) => string, least: number][] = [
  ["words", (line) => told(line), 90],
  ["values", (line) => told(line), 90],
  ["wrapping", (line) => told(line), 90],
  ["flows", (line) => told(line), 90],
  ["commands", (line) => told(line), 50],
  ["builtins", (line) => told(line), 90],
  ["forks", (line) => told(line), 50],
  ["rules", (line) => told(line), 150],
  ["through", (line) => told(line), 60],
  ["programs", (line) => told(line), 90],
  ["embedded", (line) => told(line), 90],
  ["fetched", (line) => told(line), 30],
  ["cases", (line) => told(line), 50],
  ["names", (line) => told(line), 30],
  ["lines", (text) => told(text.replaceAll("⏎", "\n")), 40],
  ["edges", (text) => told(text.replaceAll("⏎", "\n")), 200],
  ["options", toldWithOptions, 9],
  ["of-words", (text) => toldOfWords(text.replaceAll("⏎", "\n")), 10],
  ["assembled", toldOfAssembly, 100],
  ["touches", (line) => toldOfTouches(line), 40],
  ["decides", (line) => toldOfCode(line), 20],
  ["code", (text) => toldOfCode(text.replaceAll("␍", "\r")), 25],
];

describe.each(TABLES)("all that is told about a line: %s", (name, tell, least) => {
  const cases = table(name);
  test("the table is read", () => expect(cases.length).toBeGreaterThanOrEqual(least));
  test.each(cases)("%s", (line, expected) => expect(tell(line)).toBe(expected));
});
