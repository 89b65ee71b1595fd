import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { folded } from "../core/words/folded.ts";
import { globMatcher, globTest } from "./glob.ts";
import { isTooComplicated } from "./wildcards.ts";

describe("globMatcher", () => {
  const cases: [pattern: string, path: string, matches: boolean][] = [
    ["secrets", "secrets", true],
    ["secrets", "secrets/key.pem", true],
    ["secrets", "a/b/secrets/deep/key.pem", true],
    ["secrets", "secrets-not", false],
    ["secrets/", "secrets/x", true],
    ["./secrets", "secrets/x", true],
    ["*.pem", "a/b/key.pem", true],
    ["*.pem", "a/b/key.pem.txt", false],
    [".env*", ".env.local", true],
    [".env*", "sub/.ENV", true],
    ["src/**", "src/a/b.ts", true],
    ["src/**", "lib/src/a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["{a,b}/kept", "b/kept/x", true],
    ["/etc", "/etc/passwd", true],
    ["/etc", "/etcetera", false],
    ["secrets", "secrets/a\nb", true],
    ["secrets", "a\nb/secrets", true],
    ["secrets/**", "secrets/\n/b", true],
    [".env", "a\n/.ENV", true],
    ["*.pem", "a\nb/c.pem", true],
    ["src/*.ts", "src/\n/a.ts", false],
    ["/", "/anything", true],
    ["./", "anything", true],
  ];
  test.each(cases)("%s on %s: %s", (pattern, path, matches) => {
    expect(globMatcher([pattern])(path) !== undefined).toBe(matches);
  });

  test("tells which pattern it was", () => {
    expect(globMatcher(["a", "b"])("b/c")).toBe("b");
    expect(globMatcher([])("b/c")).toBeUndefined();
  });
});

test("telling far paths by one look changes no answer", () => {
  const text = (letters: string[], maxLength: number) =>
    fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength }).map((parts) => parts.join(""));
  const path = text(["a", "b", "ab", "A", "\u212a", ".", "/", "-", "_"], 6);
  const glob = text(
    ["a", "b", "ab", "k", ".", "*", "**", "?", "/", "-", "_", "!(a)", "!(a|b)", ..."!+@{},()[]\\|^$"],
    7,
  );
  const plainly = (pattern: string, name: string): boolean => {
    const bare = pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "") || "**";
    const starts = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
    const globs = starts.flatMap((start) => [start, `${start}/**`]);
    return globs.includes(name) || globs.some((each) => globTest(each, { nocase: true })(name));
  };
  fc.assert(
    fc.property(glob, path, (pattern, name) => {
      fc.pre(!isTooComplicated(pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "")));
      const matches = plainly(pattern, name) || plainly(pattern, folded(name));
      expect(globMatcher([pattern])(name) !== undefined).toBe(matches);
    }),
    { numRuns: 300 },
  );
});

test("what is not too complicated to be looked at is no trouble to match", () => {
  const glob = fc.array(fc.constantFrom("a", "*", "**", "/", "{", "}", "[", "]", "(", ")", "!", "?", ",", "\\", "."), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(glob, (parts) => {
      const text = parts.join("");
      const match = () => globMatcher([text])("a/b");
      if (isTooComplicated(text)) expect(match).toThrow("too complicated");
      else expect(match).not.toThrow();
    }),
  );
});
