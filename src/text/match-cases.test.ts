import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Request, replaceText } from "./match.ts";

/** A text and a request as JSON, and all that becomes of them below, indented. */
const rows = readFileSync(new URL("./cases/match-told.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const cases = rows.flatMap((row, index): [given: string, told: string][] =>
  row.startsWith("    ") ? [] : [[row, (rows[index + 1] ?? "").trimStart()]],
);

test("the table is read", () => expect(cases.length).toBeGreaterThan(20));
test.each(cases)("all that becomes of a request: %s", (given, told) => {
  const [content, request] = JSON.parse(given) as [string, Request];
  expect(replaceText(content, request)).toStrictEqual(JSON.parse(told));
});
