import { expect, test } from "vitest";
import { bytes, placeOf } from "../../../test/tripping.ts";
import type { LastSeen } from "../contracts/policy.ts";
import type { Part } from "../words/sight.ts";
import type { Proposed } from "../words/tool.ts";
import { knownAfter, seenIn } from "./known-files.ts";

const STAMP = { size: 6, mtimeMs: 1, ctimeMs: 1, ino: 1 };
const OTHER = { ...STAMP, mtimeMs: 2 };
const FIRST: Part = { first: 1, last: 1, of: 3 };
const ALL = undefined;

test.each<[what: string, change: object, known: LastSeen | undefined, left: readonly Part[] | undefined]>([
  ["an edit of a file that was not read", {}, undefined, []],
  ["an edit of a file that was read", {}, STAMP, ALL],
  ["an edit of a file of which another version was read", {}, OTHER, []],
  ["an edit of a file, and nobody knows which version it was", { stamp: undefined }, STAMP, []],
  ["a file that is written anew", { whole: true }, { ...STAMP, inPart: [FIRST] }, ALL],
  ["a file that is written anew, unread", { whole: true }, undefined, ALL],
  ["a file that is created", { before: null, stamp: undefined }, undefined, ALL],
  ["a file that comes back by undo", { before: null, stamp: undefined, undoes: [1] }, undefined, []],
  ["a file that comes back by redo", { before: null, stamp: undefined, redoes: [1] }, undefined, []],
  ["a file that comes back where one was read", { before: null, redoes: [1] }, { ...STAMP, inPart: [FIRST] }, []],
  ["a file that is deleted", { after: null }, { ...STAMP, inPart: [FIRST] }, []],
])("%s", (_, change, known, left) => {
  const edit = { place: placeOf("a"), before: bytes("a\nb\nc\n"), after: bytes("a\nx\nc\n"), stamp: STAMP };
  expect(knownAfter({ ...edit, ...change } as Proposed, known)).toEqual(left);
});

test("an edit of a file that was read in part leaves known what was", () => {
  const change = { place: placeOf("a"), before: bytes("a\nb\nc\n"), after: bytes("a\nx\nx\nc\n"), stamp: STAMP };
  const inPart = [FIRST, { first: 3, last: 3, of: 3 }];
  expect(knownAfter(change, { ...STAMP, inPart })?.filter(({ first, last }) => first <= last)).toEqual([
    { first: 1, last: 1, of: 4 },
    { first: 4, last: 4, of: 4 },
  ]);
});

test("a file of which nothing was shown, and one that is not there, do not count as seen", () => {
  const sights = [
    { place: placeOf("all"), stamp: STAMP },
    { place: placeOf("part"), stamp: STAMP, parts: [FIRST] },
    { place: placeOf("nothing"), stamp: STAMP, parts: [] },
    { place: placeOf("gone"), bytes: null },
  ];
  expect(seenIn(sights)).toStrictEqual([
    { real: "/ws/all", stamp: STAMP },
    { real: "/ws/part", stamp: STAMP, parts: [FIRST] },
  ]);
});
