import { describe, expect, test } from "vitest";
import { hasIndentsOf, indentMap, indentOf, indentUnit, withoutTail } from "./indentation.ts";

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
    ["eight", ["a", "        b", "c"], "        "],
    ["tabs", ["a", "\tb", "\t\t\tc", "d"], "\t"],
    ["comments do not count", ["a", "    /**", "     * b", "     */", "    c"], "    "],
    ["blank lines do not count", ["a", "  ", "    b"], "    "],
    ["the most frequent", ["a", "    b", "      c", "    d", "      e"], "  "],
    ["levels that end together", ["  a", "    b", "", "c", "  d"], "  "],
    ["a star is no line of its own", ["a", "  * b", "    c"], "    "],
    ["other blanks are no step", ["  a", "\t\t\tb"], undefined],
    ["several tabs at once", ["a", "\t\tb"], "\t"],
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
    [
      "a shift to the left",
      { "  ": "", "    ": "  " },
      undefined,
      undefined,
      { "      ": "    ", "": "", "\t\t\t": "" },
    ],
    ["spaces to tabs", { "    ": "\t" }, undefined, "\t", { "        ": "\t\t", "": "" }],
    ["two to four", { "  ": "    " }, "  ", "    ", { "      ": "            ", "\t": "\t" }],
    ["nothing to go by", {}, undefined, undefined, undefined],
    ["nothing to go by but units", {}, "  ", "\t", undefined],
    ["as many levels come before more", { "    ": "\t\t" }, undefined, undefined, { "      ": "\t\t\t" }],
    ["a tab behind blanks is no level", { " \t": "  " }, "\t", "  ", undefined],
    ["tabs are no levels of blanks", { "\t": "\t" }, "  ", "    ", { "  ": "  " }],
    ["the same units are a shift", { "  ": "    " }, "  ", "  ", { "    ": "      " }],
    ["levels and blanks beside them", { "  ": "\t", "   ": "\t " }, "  ", "\t", { "     ": "\t\t " }],
    ["deeper in another unit", { "": "\t", "  ": "\t\t" }, "  ", "\t", { "    ": "\t\t\t" }],
    ["deeper in units that nobody named", { "": "\t", "  ": "\t\t" }, undefined, undefined, { "    ": "\t\t\t" }],
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

describe("whether a new text has the file's own indents", () => {
  type Row = [string, wanted: string[], own: string[], copied: string[], ownUnit: string | undefined, isOwn: boolean];
  const rows: Row[] = [
    ["it has no lines", ["", "  "], ["    x"], ["  x"], undefined, false],
    ["it uses those alone", ["    a"], ["    x"], ["  x"], undefined, true],
    ["it uses one of them", ["    a"], ["  x", "    y"], ["      x"], undefined, true],
    ["it uses one of the copied ones", ["    a"], ["      x"], ["  x", "    y"], undefined, false],
    ["it uses the copied ones alone", ["  a"], ["    x"], ["  x"], undefined, false],
    ["it uses some of them", ["    a", "  b"], ["    x"], ["      x"], undefined, false],
    ["it begins where they do", ["    a", "        b"], ["    x"], ["  x"], undefined, true],
    ["it begins where they do, in any line", ["        a", "    b"], ["    x"], ["  x"], undefined, true],
    ["it begins where the copied ones do", ["  a", "        b"], ["    x"], ["  x"], undefined, false],
    ["blank lines do not count", ["    a", "  "], ["    x"], ["  x", "    y"], undefined, true],
    ["it goes deeper by the file's unit", ["a", "    b", "        c"], ["a", "    b"], ["a", "  b"], "    ", true],
    ["the file has another unit", ["a", "    b", "        c"], ["a", "    b"], ["a", "  b"], "\t", false],
    ["the file has no unit", ["a", "    b", "        c"], ["a", "    b"], ["a", "  b"], undefined, false],
    ["it has no unit itself", ["a", "   b"], ["a", "    b"], ["a", "  b"], undefined, false],
    ["the copied ones have the same unit", ["a", "    b", "        c"], ["a", "\tb"], ["a", "    b"], "    ", false],
    ["nothing tells them apart", ["  a", "    b"], ["  x", "    y"], ["  x", "    y"], "  ", false],
  ];
  const lines = (texts: string[]) => texts.map((text) => ({ text }));
  test.each(rows)("%s", (_, wanted, own, copied, ownUnit, isOwn) => {
    const given = { own: lines(own), copied: lines(copied), ownUnit: () => ownUnit };
    expect(hasIndentsOf(lines(wanted), given)).toBe(isOwn);
  });
});
