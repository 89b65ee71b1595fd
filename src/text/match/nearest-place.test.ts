import { describe, expect, test } from "vitest";
import { replaceText } from "../match.ts";
import { contentOf } from "./file-content.ts";
import { nearestPlace } from "./nearest-place.ts";

const file = `import { a } from "a";

export function first(value: number) {
  const doubled = value * 2;
  return doubled + 1;
}

export function second(value: number) {
  const tripled = value * 3;
  return tripled + 1;
}
`;

describe("a nearest place", () => {
  test.each([
    [
      "one other number",
      "  const doubled = value * 9;\n  return doubled + 1;\n",
      4,
      2,
      "-   const doubled = value * 9;\n+   const doubled = value * 2;",
    ],
    [
      "a slip of the pen",
      "export funtion second(value: number) {",
      8,
      1,
      "- export funtion second(value: number) {\n+ export function second(value: number) {",
    ],
    [
      "inner white space",
      "  const  tripled = value * 3;",
      9,
      1,
      "- ··const··tripled·=·value·*·3;\n+ ··const·tripled·=·value·*·3;\n(where only white space differs, · is a blank and → a tab)",
    ],
    [
      "line numbers before it",
      "9: const tripled = value * 4;\n10: return tripled + 1;\n",
      9,
      2,
      expect.stringContaining("+   const tripled = value * 3;"),
    ],
    ["another indent", "  return tripled + 1;\n  }\n", 10, 2, expect.stringContaining("- ··}\n+ }")],
  ])("%s", (_name, old, line, lines, differs) => {
    const result = replaceText(file, { old, new: "x" });
    expect(result).toMatchObject({ kind: "missing", nearest: { line, lines, differs } });
  });

  test("is shown with its line numbers and a score", () => {
    const nearest = nearestPlace(contentOf(file), "  const doubled = value * 9;\n  return doubled + 1;\n");
    expect(nearest?.shown).toBe("4:   const doubled = value * 2;\n5:   return doubled + 1;");
    expect(nearest?.score).toBeGreaterThan(0.9);
    expect(nearest?.score).toBeLessThan(1);
  });

  test("is found beyond an additional line", () => {
    const old =
      "export function second(value: number) {\n  log();\n  const tripled = value * 3;\n  return tripled + 1;\n}\n";
    expect(replaceText(file, { old, new: "x" })).toMatchObject({
      nearest: { line: 8, differs: expect.stringContaining("-   log();") },
    });
  });

  test.each([
    ["nothing alike", "class Animal extends Plant {}", file],
    ["an empty file", "a", ""],
    ["a blank text", " \u00A0", "a"],
  ])("there is none: %s", (_name, old, content) => {
    expect(replaceText(content, { old, new: "x" })).toEqual({ kind: "missing" });
  });

  test.each<[times: number, line: number | undefined]>([
    [200, 1],
    [201, undefined],
  ])("a word that the file has %i times", (times, line) => {
    const rows = Array.from({ length: times }, (_, index) => `item ${index}`);
    expect(nearestPlace(contentOf(rows.join("\n")), "item x")?.line).toBe(line);
  });

  test("long places and long lines are cut", () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line number ${index} ${"x".repeat(500)}`);
    const old = lines.map((line, index) => (index % 2 === 0 ? `${line}!` : line)).join("\n");
    const nearest = nearestPlace(contentOf(lines.join("\n")), old);
    expect(nearest?.shown).toMatch(/ \[\d+ more\]\n/);
    expect(nearest?.shown).toMatch(/\n\[30 more lines\]$/);
    expect(nearest?.differs).toMatch(/\n\[\d+ more lines\]$/);
  });
});

describe("of much text a part is shown, and how much is left", () => {
  test.each([
    [30, ""],
    [31, "\n[1 more lines]"],
    [40, "\n[10 more lines]"],
  ])("of %i lines", (count, more) => {
    const rows = Array.from({ length: count }, (_, index) => `line number ${index}`);
    const near = nearestPlace(contentOf(rows.join("\n")), rows.with(1, "line number one").join("\n"));
    const shown = rows.slice(0, 30).map((row, index) => `${index + 1}: ${row}`);
    expect(near?.shown).toBe(shown.join("\n") + more);
  });

  test.each([
    [400, ""],
    [401, " [1 more]"],
    [450, " [50 more]"],
  ])("of a line of %i letters", (length, more) => {
    const line = "some words ".padEnd(length, "a");
    const near = nearestPlace(contentOf(line), line.replace(/.$/, "b"));
    expect(near?.shown).toBe(`1: ${line.slice(0, 400)}${more}`);
  });

  test.each([
    ["an empty file", "", "a"],
    ["nothing", "a\n", ""],
    ["blank lines", "a\n", "\n \n"],
  ])("%s has no nearest place", (_, content, old) => {
    expect(nearestPlace(contentOf(content), old)).toBeUndefined();
  });
});
