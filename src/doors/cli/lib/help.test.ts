import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { commandHelp } from "./command-options.ts";
import { columns, helpFor } from "./help.ts";

const tooLong = (text: string): string[] => text.split("\n").filter((line) => line.length > 86);
const withoutExamples = (text: string): string => text.replace(/^Examples?\n(?: {2}.*\n)+/m, "");

describe("help", () => {
  test("lists every command, in lines that fit a terminal", () => {
    const text = helpFor("home");
    for (const name of Object.keys(commandHelp)) expect(text).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
    expect(tooLong(text)).toEqual([]);
  });

  test.each(Object.keys(commandHelp))("of %s fits a terminal and shows each form with its program", (name) => {
    const text = helpFor(name);
    expect(tooLong(withoutExamples(text))).toEqual([]);
    for (const form of text.split("\n\n", 1)[0]?.split("\n") ?? []) expect(form).toMatch(`toolgate ${name}`);
  });
});

test("colours take no place in columns", () => {
  const green = (text: string) => `\x1b[32m${text}\x1b[39m`;
  const rows = [
    [green("a"), `${green("one")} two three four five six`],
    ["bcd", green("x")],
  ] as const;
  expect(stripVTControlCharacters(columns(rows, 30))).toBe("  a    one two three four five\n       six\n  bcd  x");
});

test("columns wrap the right side under itself, and leave it alone without a width", () => {
  const rows = [
    ["a", "one two three four five six"],
    ["bcd", "x"],
  ] as const;
  expect(columns(rows, 30)).toBe("  a    one two three four five\n       six\n  bcd  x");
  expect(columns(rows)).toBe("  a    one two three four five six\n  bcd  x");
});
