import { describe, expect, test } from "vitest";
import { indentMap, indentOf, indentUnit, withoutTail } from "./indentation.ts";

test("blanks before and after", () => {
  expect(indentOf("\t a ")).toBe("\t ");
  expect(indentOf("\u00A0 a")).toBe("\u00A0 ");
  expect(withoutTail(" a \t\u00A0")).toBe(" a");
  expect(withoutTail("   ")).toBe("");
});

describe("the unit of a text", () => {
  test.each([
    ["none", ["a", "b"], undefined],
    ["a constant indent", ["  a", "  b"], undefined],
    ["two", ["a", "  b", "    c", "a"], "  "],
    ["four", ["a", "    b", "        c"], "    "],
    ["tabs", ["a", "\tb", "\t\t\tc", "d"], "\t"],
    ["comments do not count", ["a", "    /**", "     * b", "     */", "    c"], "    "],
    ["blank lines do not count", ["a", "  ", "    b"], "    "],
    ["the most frequent", ["a", "    b", "      c", "    d", "      e"], "  "],
    ["levels that end together", ["  a", "    b", "", "c", "  d"], "  "],
    ["an alignment is none", ["a", "       b"], undefined],
  ])("%s", (_name, lines, unit) => expect(indentUnit(lines)).toBe(unit));
});

describe("a rule between indents", () => {
  type Row = [
    string,
    Record<string, string>,
    string | undefined,
    string | undefined,
    Record<string, string> | undefined,
  ];
  const rows: Row[] = [
    ["a shift to the right", { "": "  ", "  ": "    " }, undefined, undefined, { "    ": "      " }],
    ["a shift to the left", { "  ": "", "    ": "  " }, undefined, undefined, { "      ": "    ", "": "" }],
    ["spaces to tabs", { "    ": "\t" }, undefined, "\t", { "        ": "\t\t", "": "" }],
    ["two to four", { "  ": "    " }, "  ", "    ", { "      ": "            " }],
    ["the same units are a shift", { "  ": "    " }, "  ", "  ", { "    ": "      " }],
    ["levels and blanks beside them", { "  ": "\t", "   ": "\t " }, "  ", "\t", { "     ": "\t\t " }],
    ["deeper in another unit", { "": "\t", "  ": "\t\t" }, "  ", "\t", { "    ": "\t\t\t" }],
    ["two shifts", { "  ": "    ", "    ": "    " }, undefined, undefined, undefined],
    ["an alignment of seven", { "": "", "  ": "       " }, undefined, undefined, undefined],
  ];
  test.each(rows)("%s", (_name, pairs, copiedUnit, ownUnit, expected) => {
    const list = Object.entries(pairs).map(([copied, own]) => ({ copied, own }));
    const rule = indentMap(list, copiedUnit, ownUnit);
    if (expected === undefined) expect(rule).toBeUndefined();
    for (const [indent, result] of Object.entries({ ...(expected && pairs), ...expected }))
      expect(rule?.(indent)).toBe(result);
  });
});
