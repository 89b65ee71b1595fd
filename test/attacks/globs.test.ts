import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { globMatcher } from "../../src/text/glob.ts";
import { wildcardMatcher } from "../../src/text/wildcards.ts";
import { bench } from "../journeys/harness.ts";

const LONG = "a".repeat(250);
const bombs = [`${"*a".repeat(8)}b`, `${"*a".repeat(20)}b`, `**/${"a*".repeat(7)}b`, "**/a/".repeat(8).concat("**/b")];

describe("globs that were made to take forever", () => {
  test.each(bombs)("%s as a forbidden path", (glob) => {
    const forbids = globMatcher([glob]);
    expect(forbids(LONG)).toBeUndefined();
    expect(forbids(`${"a/".repeat(500)}c`)).toBeUndefined();
  });

  test.each(bombs)("%s as a pattern of a listing or search", async (pattern) => {
    const { call } = await bench({ [LONG]: "", [`${"a/".repeat(60)}c`]: "" });
    for (const name of ["list_files", "find_files"]) expect((await call(name, { pattern })).output).not.toContain(LONG);
    expect((await call("grep", { pattern: "x", glob: pattern })).output).not.toContain(LONG);
  });

  test("with braces they are refused where they forbid, and tried one by one where they search", async () => {
    const glob = `{x,${"*a".repeat(5)}}b`;
    expect(() => globMatcher([glob])).toThrow(/too complicated/);
    const { call } = await bench({ [LONG]: "" });
    for (const name of ["list_files", "find_files"]) expect((await call(name, { pattern: glob })).success).toBe(true);
  });
});

const part = fc.constantFrom("a", "b", "*", "?", "/", "**/", "/**", "ab", ".");

test("stars mean what they mean to picomatch", () => {
  const names = fc.array(fc.constantFrom("a", "b", "ab", ".a", "ba"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), names, (parts, path) => {
      const glob = parts
        .join("")
        .replace(/\/{2,}/g, "/")
        .replace(/\*{3,}/g, "**");
      // what begins or ends with a slash, and stars beside a name, are spelled otherwise by whoever asks
      fc.pre(!/^\/|\/$|[^/]\*\*|\*\*[^/]|(?:^|\/)\.{1,2}(?:\/|$)|\/\*\*$/.test(glob));
      const due = picomatch.isMatch(path.join("/"), glob, { dot: true, noext: true, nonegate: true });
      expect(wildcardMatcher(glob, false)(path.join("/")), `${glob} on ${path.join("/")}`).toBe(due);
    }),
    { numRuns: 3000 },
  );
});
