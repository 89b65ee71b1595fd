import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { globOfPath, globsOverlap, splitGlob, withBelow } from "./glob-overlap.ts";

describe("globs that can mean one path", () => {
  test.each([
    ["/w/src/**", "/w/src/a.ts"],
    ["/w/src/**", "/w/src"],
    ["/w/**/a.ts", "/w/src/**"],
    ["/w/**/*.ts", "/w/src/lib/*.test.ts"],
    ["/w/*.ts", "/w/a.*"],
    ["/w/a*c", "/w/*b*"],
    ["/w/src/*", "/w/src/lib/**"],
    ["/w/{src,lib}/**", "/w/lib/a.ts"],
    ["/w/{a,b}.{ts,js}", "/w/b.js"],
    ["/w/file[0-9].ts", "/w/file7.ts"],
    ["/w/?.ts", "/w/😀.ts"],
    ["/w/SRC/**", "/w/src/a.ts"],
    ["/w/caf\u00e9", "/w/cafe\u0301"],
    ["/w/!(src)/a.ts", "/w/lib/a.ts"],
    ["/w/@(src|lib)/a.ts", "/w/lib/a.ts"],
    ["/w/[", "/w/[/a"],
    ["/w/[a/b]", "/w/[a/b]"],
    ["/w/src/*/../../docs/a", "/w/docs/a"],
    ["/w/./src//a.ts", "/w/src/a.ts"],
    ["/w/{1..9}", "/w/7"],
    ["/w/{1..900}/x", "/w/7/x"],
    ["/**", "/w/a"],
    [`/w/${"a".repeat(5000)}`, "/w/b"],
    ["/w/a\\*b", "/w/a*b"],
  ])("%s and %s", (one, other) => {
    expect(globsOverlap(one, other)).toBe(true);
    expect(globsOverlap(other, one)).toBe(true);
  });

  test.each([
    ["/w/src/**", "/w/docs/**"],
    ["/w/src", "/w/src/a.ts"],
    ["/w/**/*.md", "/w/src/a.ts"],
    ["/", "/w/a"],
    ["/w/src/**", "/w/srcs/a.ts"],
    ["/w/src/a.ts", "/w/src/b.ts"],
    ["/w/*.ts", "/w/*.md"],
    ["/w/src/*.ts", "/w/src/lib/a.ts"],
    ["/w/src/*", "/w/src/lib/a.ts"],
    ["/w/{src,lib}/**", "/w/docs/a.ts"],
    ["/w/file[0-9].ts", "/w/other.ts"],
    ["/w/??.ts", "/w/a.ts"],
    ["/w/a*b*c", "/w/a*b*d"],
    ["/w/a\\*b", "/w/axb"],
    ["/w/src/!(a)", "/w/docs/b"],
  ])("not %s and %s", (one, other) => {
    expect(globsOverlap(one, other)).toBe(false);
    expect(globsOverlap(other, one)).toBe(false);
  });
});

const name = fc.stringMatching(/^[ab.]{1,3}$/).filter((each) => !/^\.+$/.test(each));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
const piece = fc.oneof(
  name,
  fc.constantFrom("*", "**", "?", "a*", "*b", "[ab]", "[!a]*", "{a,b}", "{a,b/a}", "!(a)", "a?(b)", "*.a"),
);
const glob = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => `/${pieces.join("/")}`);
const matches = (each: string, text: string): boolean =>
  picomatch.isMatch(text, each.replace(/\[!/g, "[^"), { dot: true });

/** Globs that are made of a path's own names. */
const meaning = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      ...names.map((each) =>
        fc.constantFrom(
          ...[
            each,
            "*",
            "**",
            "?".repeat(each.length),
            `${each[0]}*`,
            `*${each.at(-1)}`,
            `[${each[0]}]${each.slice(1)}`,
          ],
          ...[`{zz,${each}}`, "!(zz)", `[!z]${each.slice(1)}`, `@(${each}|z)`],
        ),
      ),
    )
    .map((pieces) => `/${pieces.join("/")}`);
const pathAndGlobs = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(fc.constant(`/${names.join("/")}`), meaning(names), meaning(names)));

describe("no overlap is overlooked", () => {
  test("two globs that match one path overlap, and overlap the path", () => {
    let matched = 0;
    fc.assert(
      fc.property(pathAndGlobs, ([text, one, other]) => {
        if (!matches(one, text) || !matches(other, text)) return;
        matched++;
        expect(globsOverlap(one, other)).toBe(true);
        expect(globsOverlap(one, globOfPath(text))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(matched).toBeGreaterThan(300);
  });

  test("what is below a path belongs to it", () => {
    fc.assert(
      fc.property(path, path, (one, below) => {
        expect(globsOverlap(withBelow(globOfPath(one)), globOfPath(one + below))).toBe(true);
      }),
    );
  });

  test("order, case and braces make no difference", () => {
    fc.assert(
      fc.property(glob, glob, (one, other) => {
        const answer = globsOverlap(one, other);
        expect(globsOverlap(other, one)).toBe(answer);
        expect(globsOverlap(one.toUpperCase(), other)).toBe(answer);
      }),
    );
  });

  test("whatever characters a path has, it means itself and no other name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const own = `/w/${text.replaceAll("/", "_")}`;
        expect(globsOverlap(globOfPath(own), globOfPath(own))).toBe(true);
        expect(globsOverlap(globOfPath(own), globOfPath(`${own}x`))).toBe(own === "/w/..");
      }),
      { examples: [["."], [".."], ["..."]] },
    );
  });
});

test("plain names are told apart exactly", () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const within = one === other || one.startsWith(`${other}/`);
      expect(globsOverlap(one, withBelow(other))).toBe(within);
      expect(globsOverlap(one, other)).toBe(one === other);
    }),
  );
});

test("many stars take no longer than few", () => {
  const stars = `/w/${"*a".repeat(500)}`;
  expect(globsOverlap(stars, `/w/${"*b".repeat(500)}`)).toBe(false);
  expect(globsOverlap(`/w/${"**/a/".repeat(200)}*.x`, `/w/${"**/b/".repeat(200)}*.y`)).toBe(false);
});

test.each([
  ["src/**", "src", "**"],
  ["src/a.ts", "src/a.ts", ""],
  ["*.ts", "", "*.ts"],
  ["src/lib/{a,b}/x", "src/lib", "{a,b}/x"],
  ["/w/src/[ab]", "/w/src", "[ab]"],
])("%s is split into %j and %j", (written, base, rest) => {
  expect(splitGlob(written)).toEqual({ base, rest });
});

test.each([
  ["src", "src/**"],
  ["src/", "src/**"],
  ["src/*/lib", "src/*/lib/**"],
  ["src/*/", "src/*/**"],
  ["src/*", "src/*"],
  ["*.ts", "*.ts"],
  ["/", "/**"],
])("%s with all below it is %s", (glob, whole) => expect(withBelow(glob)).toBe(whole));
