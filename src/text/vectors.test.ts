import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alike, cosine, fused, packed, unpacked } from "./vectors.ts";

const number = fc.double({ min: -1, max: 1, noNaN: true });
const vectors = fc
  .integer({ min: 8, max: 64 })
  .chain((length) => fc.tuple(...[0, 1].map(() => fc.array(number, { minLength: length, maxLength: length }))))
  .filter((pair) => pair.every((vector) => vector.some((each) => Math.abs(each) > 0.01)));

describe("vectors", () => {
  test("keep their directions when they are packed", () => {
    fc.assert(
      fc.property(vectors, ([a = [], b = []]) => {
        const exact = cosine(a, b) as number;
        const kept = cosine(unpacked(packed(a) as string) as Int8Array, unpacked(packed(b) as string) as Int8Array);
        expect(Math.abs((kept as number) - exact)).toBeLessThan(0.03);
      }),
    );
  });

  test.each<[what: string, a: number[], b: number[], expected: number | undefined]>([
    ["the same direction", [1, 2], [2, 4], 1],
    ["the opposite", [1, 0], [-3, 0], -1],
    ["nothing in common", [1, 0], [0, 5], 0],
    ["other lengths", [1, 0], [1], undefined],
    ["nowhere", [0, 0], [1, 1], undefined],
  ])("%s", (_what, a, b, expected) => {
    const angle = cosine(a, b);
    if (expected === undefined) expect(angle).toBeUndefined();
    else expect(angle).toBeCloseTo(expected);
  });

  test.each([[[]], [[0, 0]], [[Number.NaN]], [[Number.POSITIVE_INFINITY]]])("%j points nowhere", (vector) => {
    expect(packed(vector)).toBeUndefined();
  });

  test("what was not packed is no vector", () => {
    expect(unpacked("not base64 %%")).toBeUndefined();
  });
});

test("what several rankings agree on comes first", () => {
  const scores = fused(["a", "b", "c"], ["b", "d"]);
  expect([...scores].sort(([, one], [, other]) => other - one).map(([each]) => each)).toEqual(["b", "a", "d", "c"]);
});

test.each<[what: string, similarities: number[], kept: number[]]>([
  ["none", [], []],
  ["one that is alike", [0.4], [0.4]],
  ["one that is not", [0.1], []],
  ["opposites", [-0.9, -0.2], []],
  ["equals", [0.7, 0.71, 0.69], [0.71, 0.7, 0.69]],
  ["one among many of a model that finds all alike", [0.7, 0.71, 0.85, 0.7, 0.69, 0.72], [0.85]],
  ["two among many", [0.05, 0.6, 0.1, 0.55, 0, 0.02], [0.6, 0.55]],
])("alike: %s", (_what, similarities, kept) => {
  expect(alike(similarities.map((similarity) => ({ of: 0, similarity }))).map(({ similarity }) => similarity)).toEqual(
    kept,
  );
});
