import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasTypography, keepOwnCharacters, plainText } from "./typography.ts";

test.each([
  ["“a” „b‟ ″", '"a" "b" "'],
  ["‘a’ ‚b‛ ′", "'a' 'b' '"],
  ["‐‑‒–—―−", "-------"],
  ["\u00A0\u2003\u202F\u3000", "    "],
  ["a…b", "a...b"],
  ["plain é « » ` \u200B", "plain é « » ` \u200B"],
])("%s", (text, plain) => {
  expect(plainText(text)).toBe(plain);
  expect(hasTypography(text)).toBe(text !== plain);
});

describe("own characters", () => {
  test.each([
    ["“a” b", '"a" b', '"a" c', "“a” c"],
    ["a “b”", 'a "b"', 'c "b"', "c “b”"],
    ["wait… a", "wait... a", "wait.. a", "wait.. a"],
    ["wait... a", "wait… a", "wait… b", "wait... b"],
    ["“a”", '"a"', "", ""],
    ["a—b", "a-b", "a-b-c", "a—b-c"],
    ["a…b…c", "a...b...c", "a...x...c", "a…x…c"],
  ])("%s, copied as %s, to become %s", (own, copied, wanted, expected) => {
    expect(keepOwnCharacters(own, copied, wanted)).toBe(expected);
  });

  test("never change what is meant", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "“", '"', "…", ".", "—", "-"), maxLength: 10 });
    fc.assert(
      fc.property(text, text, (own, wanted) => {
        expect(plainText(keepOwnCharacters(own, plainText(own), wanted))).toBe(plainText(wanted));
        expect(plainText(keepOwnCharacters(plainText(own), own, wanted))).toBe(plainText(wanted));
      }),
      { numRuns: 1000 },
    );
  });
});
