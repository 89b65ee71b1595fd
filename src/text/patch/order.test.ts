import { describe, expect, test } from "vitest";
import { diff, lines } from "../cases/patch-case.ts";
import { parsePatch } from "../patch.ts";
import { applyPatch, type Patched } from "./apply.ts";

/** Hunks without numbers, each of one line that is replaced by itself in capitals. */
const replacing = (before: string[], ...changed: string[]): Patched => {
  const patch = diff(...changed.flatMap((line) => ["@@", `-${line}`, `+${line.toUpperCase()}`]));
  const parsed = parsePatch(patch);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return applyPatch(lines(...before), parsed.operations[0]!.hunks);
};

describe("the order of the hunks decides between places only where they keep an order", () => {
  test.each([
    ["below the one before", "x a b x", "a b x", "x A B X"],
    ["above the one behind", "x a x", "x a", "X A x"],
    ["between two", "x a x b x", "a x b", "x A X B x"],
    ["right behind each other", "x a b x", "b x", "x a B X"],
    ["one settled place settles the next", "x y a y x", "a y x", "x y A Y X"],
    ["out of order, each in one place", "a b c", "c a b", "A B C"],
    ["out of order, the last first", "b q a", "a b", "B q A"],
  ])("%s: %s", (_, before, changed, after) => {
    const outcome = replacing(before.split(" "), ...changed.split(" "));
    expect(outcome).toMatchObject({ text: lines(...after.split(" ")) });
  });

  test.each([
    ["a hunk behind two that are out of order", "x b q x a", "a b x", 3],
    ["a hunk before two that are out of order", "x a q x b", "x b a", 1],
    ["a hunk between two that are out of order", "b x q x a", "a x b", 2],
    ["two places below the one before", "a x x", "a x", 2],
    ["two places between two", "a x q x b", "a x b", 2],
    ["no place that keeps the order", "x x a", "a x", 2],
  ])("%s is not guessed: %s", (_, before, changed, hunk) => {
    const outcome = replacing(before.split(" "), ...changed.split(" "));
    if (!("problems" in outcome)) throw new Error(`applied: ${outcome.text}`);
    expect(outcome.problems).toMatchObject([{ hunk, kind: "ambiguous" }]);
  });

  test("of places that are too many to be counted none is chosen by the order", () => {
    const x = (count: number): string[] => Array<string>(count).fill("x");
    expect(replacing([...x(998), "a", "x"], "a", "x")).toMatchObject({ text: lines(...x(998), "A", "X") });
    const outcome = replacing([...x(999), "a", "x", "x"], "a", "x");
    expect(outcome).toMatchObject({ problems: [{ hunk: 2, kind: "ambiguous", message: /fits 1000 places: / }] });
    expect(replacing(x(2000), "x")).toMatchObject({ problems: [{ message: /fits 1000 places: / }] });
  });
});
