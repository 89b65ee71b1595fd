import { describe, expect, test } from "vitest";
import type { Hunk } from "./patch-lines.ts";
import { fitsOf, groundOf, narrowed, type Placing, placeHunks } from "./place.ts";

/** `old`: the line that the header states. `below`: anchors that bind; `under`: a heading, which only helps. */
type Given = { old?: number; count?: number; below?: string; under?: string; end?: true };

const linesOf = (text: string): string[] => (text === "" ? [] : text.split("|"));
const hunkOf = (wanted: string, { old, count, below, under, end }: Given = {}): Hunk => ({
  line: 1,
  lines: linesOf(wanted).map((text) => ({ mark: "-", text, ending: "\n" })),
  ...(old !== undefined && { stated: { old, oldCount: count ?? linesOf(wanted).length, new: old } }),
  anchors: linesOf(below ?? under ?? ""),
  anchorsBind: below !== undefined,
  atEnd: end === true,
});

const told = (placing: Placing): string => {
  if (placing.kind === "ambiguous") return `ambiguous ${placing.places.join()}`;
  if (placing.kind === "anchorless") return `no ${placing.anchor}`;
  if (placing.kind !== "placed") return placing.kind;
  return `${placing.at}${placing.isLoose ? " loose" : ""}${placing.isAppended ? " appended" : ""}`;
};
const placed = (file: string, ...hunks: Hunk[]): string[] => placeHunks(groundOf(linesOf(file)), hunks).map(told);

describe("where one hunk goes", () => {
  test.each<[file: string, wanted: string, given: Given, where: string]>([
    ["a|b|c", "b", {}, "1"],
    ["a|b|c", "b|c", {}, "1"],
    ["a|b|c", "c|d", {}, "absent"],
    ["a|b|c", "c|b", {}, "absent"],
    ["a|b|c", "c|a", {}, "absent"],
    ["x|\uFEFFa|b", "\uFEFFa|b", {}, "1"],
    ["a|b|c", "x", {}, "absent"],
    ["a|b|c", "a|b|c|d", {}, "absent"],
    ["a|b |c", "b", {}, "1 loose"],
    ["a|b|c", "b  ", {}, "1 loose"],
    ["a |x|a", "a", {}, "2"],
    ["a |x|a\t", "a", {}, "ambiguous 0,2"],
    // a number decides where it hits exactly
    ["a|x|a", "a", {}, "ambiguous 0,2"],
    ["a|x|a", "a", { old: 1 }, "0"],
    ["a|x|a", "a", { old: 3 }, "2"],
    ["a|x|a", "a", { old: 2 }, "ambiguous 0,2"],
    ["a|x|a", "a", { old: 0 }, "0"],
    ["a|x|b", "b", { old: 1 }, "2"],
    // what fits exactly and what stands where the patch says are two places
    ["a |x|a", "a", { old: 1 }, "ambiguous 0,2"],
    ["a|x|a ", "a", { old: 3 }, "ambiguous 0,2"],
    ["a |x|a", "a", { old: 3 }, "2"],
    ["a |x|a\t", "a", { old: 3 }, "2 loose"],
    // the end of the file
    ["a|x|a", "a", { end: true }, "2"],
    ["a|x", "a", { end: true }, "absent"],
    ["a|x|a", "x|a", { end: true }, "1"],
    ["a|x|a ", "a", { end: true }, "2 loose"],
    ["a|x|a", "a", { end: true, old: 1 }, "2"],
    ["a |x|a", "a", { end: true, old: 1 }, "2"],
    // nothing to hold against the file
    ["", "", {}, "0"],
    ["", "", { old: 4, count: 0 }, "0"],
    ["a|b", "", { end: true }, "2"],
    ["a|b", "", {}, "unplaceable"],
    ["a|b", "", { below: "" }, "2 appended"],
    ["a|b", "", { below: "a" }, "unplaceable"],
    ["a|b", "", { below: "", old: 1, count: 0 }, "1"],
    ["a|b", "", { old: 1, count: 0 }, "1"],
    ["a|b", "", { old: 2, count: 0 }, "2"],
    ["a|b", "", { old: 3, count: 0 }, "unplaceable"],
    ["a|b", "", { old: 1, count: 1 }, "unplaceable"],
    ["a|b", "", { old: 1, count: 0, end: true }, "unplaceable"],
    ["a|b", "", { old: 2, count: 0, end: true }, "2"],
    // anchors that bind
    ["f|x|g|x", "x", { below: "g" }, "3"],
    ["f|x|g|x", "x", { below: "h" }, "no h"],
    ["f|x|g|y", "x", { below: "g" }, "absent"],
    ["f|x|g|x", "x", { below: "f" }, "ambiguous 1,3"],
    ["f|x|g|x", "x", { below: "f|g" }, "3"],
    ["f|x|g|x", "x", { below: "g|f" }, "no f"],
    ["f|x|g|x", "x", { below: "f", old: 2 }, "1"],
    ["f|x|g|x", "x", { below: "g", old: 2 }, "3"],
    ["f|x|g|x", "x", { below: "f", old: 3 }, "ambiguous 1,3"],
    ["f|g|x", "g|x", { below: "g" }, "1"],
    ["f|  x|g|  x", "  x", { below: "f" }, "1"],
    ["f|  x|  y|  x|g|  x", "  x", { below: "f" }, "ambiguous 1,3,5"],
    ["f|{|  x|}|g|{|  x|}", "  x", { below: "f" }, "2"],
    ["f||  x|g|  x", "  x", { below: "f" }, "2"],
    ["f|x|g|x", "x", { below: "f|f" }, "no f"],
    ["f|x|g|x|y|x", "x", { below: "g", old: 2 }, "ambiguous 3,5"],
    ["f|  x|f|y|  x", "  x", { below: "f" }, "1"],
    ["    d|f|  y|    d|f", "    d|f", { below: "f" }, "3"],
    ["{|  x|{", "{", { below: "{" }, "2"],
    // an anchor by its text alone, by its beginning, by its typography
    ["  f|x|  g|x", "x", { below: "g" }, "3"],
    ["f|x|g()|x", "x", { below: "g" }, "3"],
    ["  g|x|g|x", "x", { below: "g" }, "3"],
    ["  g()|x|  g|x", "x", { below: "g" }, "3"],
    ["f|x|gh|x", "x", { below: "g" }, "no g"],
    ["f|x|g “h”|x", "x", { below: 'g "h"' }, "3"],
    // a heading helps where it leaves one place, and is no reason to refuse
    ["f|x|g|x", "x", { under: "g" }, "3"],
    ["f|x|g|x", "x", { under: "h" }, "ambiguous 1,3"],
    ["f|x|g|x", "x", { under: "f" }, "ambiguous 1,3"],
    ["f|x|g", "x", { under: "h" }, "1"],
    ["f|x|g|x", "x", { under: "g", old: 2 }, "1"],
    // the mark at the beginning of a file is none of its first line
    ["a|b", "\uFEFFa|b", {}, "0"],
    ["a|b", "\uFEFFa", {}, "0"],
    ["b|a", "\uFEFFa", {}, "absent"],
    ["a|\uFEFFa", "\uFEFFa", {}, "ambiguous 0,1"],
  ])("%j, %j %j", (file, wanted, given, where) => expect(placed(file, hunkOf(wanted, given))).toEqual([where]));
});

describe("where several hunks go", () => {
  test.each<[what: string, file: string, hunks: Hunk[], where: string[]]>([
    ["one after the other", "x|a|x|b|x", [hunkOf("a"), hunkOf("x"), hunkOf("b")], ["1", "2", "3"]],
    ["behind the last", "x|a|x", [hunkOf("a"), hunkOf("x")], ["1", "2"]],
    ["before the first", "x|a|x", [hunkOf("x"), hunkOf("a")], ["0", "1"]],
    ["not within another", "x|a|x|b", [hunkOf("a|x"), hunkOf("x")], ["1", "ambiguous 0,2"]],
    ["not over another", "x|a|b|x", [hunkOf("x|a"), hunkOf("x")], ["0", "3"]],
    [
      "the order is broken by those that are placed",
      "b|x|a|x",
      [hunkOf("a"), hunkOf("b"), hunkOf("x")],
      ["2", "0", "ambiguous 1,3"],
    ],
    [
      "overlapping ones keep no order",
      "a|b|x|c|x",
      [hunkOf("a|b"), hunkOf("b|x"), hunkOf("x")],
      ["0", "1", "ambiguous 2,4"],
    ],
    [
      "one that touches the next keeps it",
      "a|b|x|c|x",
      [hunkOf("a"), hunkOf("b"), hunkOf("x|c"), hunkOf("x")],
      ["0", "1", "2", "4"],
    ],
    // what was moved by earlier changes moves the numbers of later ones
    ["by the drift", "n|a|x|x|x", [hunkOf("a", { old: 1 }), hunkOf("x", { old: 3 })], ["1", "ambiguous 2,3,4"]],
    ["by the drift alone", "n|n|a|y|x|y|x", [hunkOf("a", { old: 1 }), hunkOf("x", { old: 3 })], ["2", "4"]],
    [
      "no number alone after a drift",
      "n|a|b",
      [hunkOf("a", { old: 1 }), hunkOf("", { old: 2, count: 0 })],
      ["1", "unplaceable"],
    ],
    ["a number alone without one", "a|b", [hunkOf("a", { old: 1 }), hunkOf("", { old: 2, count: 0 })], ["0", "2"]],
    ["a number alone after a hunk without", "a|b", [hunkOf("a"), hunkOf("", { old: 2, count: 0 })], ["0", "2"]],
    ["two in one place", "x", [hunkOf("x"), hunkOf("x")], ["0", "0"]],
  ])("%s", (_, file, hunks, where) => expect(placed(file, ...hunks)).toEqual(where));
});

test("places beyond those that are looked at are not forgotten", () => {
  const file = [...Array(999).fill("x"), "a", ...Array(5).fill("x")];
  expect(placed(file.join("|"), hunkOf("a"), hunkOf("x"))[1]).toMatch(/^ambiguous /);
});

test("what fits in a thousand places is found by its number alone", () => {
  const many = Array(1_200).fill("x");
  expect(fitsOf(groundOf(many), ["x"], false).exact).toHaveLength(1_000);
  expect(fitsOf(groundOf(many.map(() => "x ")), ["x"], false).loose).toHaveLength(1_000);
  expect(placed(many.join("|"), hunkOf("x", { old: 1_100 }))).toEqual(["1099"]);
  expect(placed(["a", ...many].join("|"), hunkOf("a"), hunkOf("x"))[1]).toMatch(/^ambiguous 1,2,/);
  const headed = [...Array(999).fill("x"), "g", "x"];
  expect(placed(headed.join("|"), hunkOf("x", { under: "g" }))[0]).toMatch(/^ambiguous /);
  expect(placed(headed.slice(1).join("|"), hunkOf("x", { under: "g" }))).toEqual(["999"]);
});

test.each<[file: string, length: number, given: Given, places: number[], left: number[]]>([
  ["f|x|g|x", 1, {}, [1, 3], [1, 3]],
  ["f|x|g|x", 1, { old: 2 }, [1, 3], [1]],
  ["f|x|g|x", 1, { old: 3 }, [1, 3], [1, 3]],
  ["f|x|g|x", 1, { old: 2 }, [3], [3]],
  ["f|x|g|x", 1, { end: true }, [1, 3], [3]],
  ["f|x|g|x", 1, { below: "g" }, [1, 3], [3]],
  ["f|x|g|x", 1, { below: "h" }, [1, 3], []],
  ["f|x|g|x", 1, { below: "f", old: 4 }, [1, 3], [3]],
  ["f|x|g|x", 1, { under: "g" }, [1, 3], [3]],
  ["f|x|g|x", 1, { under: "h" }, [1, 3], [1, 3]],
  ["f|x|g|x", 1, { under: "g", old: 2 }, [1, 3], [1]],
])("of places in %j for %i with %j: %j", (file, length, given, places, left) =>
  expect(narrowed(groundOf(linesOf(file)), hunkOf("x", given), length, places)).toEqual(left),
);
