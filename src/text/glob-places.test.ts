import { describe, expect, test } from "vitest";
import { allowedBy, globMatcher, hasNegation, meansEverything, pieceOf, placeMatcher, plainPaths } from "./glob.ts";

const ROOT = "/tmp/work";
const at = (real: string, shown = real, root = ROOT) => ({ real, shown, root });

describe("which pattern forbids a place", () => {
  test.each<[pattern: string, place: ReturnType<typeof at>, forbidden: boolean]>([
    ["tmp", at("/tmp/work/a", "a"), false],
    ["tmp", at("/tmp/work/tmp/a", "tmp/a"), true],
    ["work", at("/tmp/work/a", "a"), false],
    ["work", at("/tmp/work/a", "/tmp/work/a"), false],
    ["/tmp/work", at("/tmp/work/a", "a"), true],
    ["/tmp", at("/tmp/work/a", "a"), true],
    ["/etc", at("/tmp/work/etc", "etc"), false],
    ["etc", at("/tmp/work/etc", "etc"), true],
    ["secret", at("/tmp/work/real", "secret"), true],
    ["real", at("/tmp/work/real", "link"), true],
    ["link", at("/tmp/work/real", "/tmp/work/link"), true],
    ["link", at("/tmp/work/real", "/elsewhere/link"), true],
    ["elsewhere", at("/tmp/work/real", "/elsewhere/link"), true],
    ["link", at("/tmp/work/real", "link/real"), true],
    ["link", at("/tmp/work/real", "/tmp/work/link/real"), true],
    // the root by another name
    ["elsewhere", at("/tmp/work/a", "/elsewhere/a"), false],
    ["elsewhere", at("/tmp/work", "/elsewhere"), false],
    ["a", at("/tmp/work/a", "/elsewhere/a"), true],
    ["/elsewhere", at("/tmp/work/a", "/elsewhere/a"), true],
    ["/elsewhere/link", at("/tmp/work/real", "/elsewhere/link"), true],
    // outside of all roots
    ["passwd", at("/etc/passwd", "/etc/passwd", ""), true],
    ["etc/passwd", at("/etc/passwd", "/etc/passwd", ""), true],
    ["shown", at("/etc/passwd", "/x/shown", ""), true],
    ["x/shown", at("/etc/passwd", "/x/shown", ""), true],
    ["*/passwd", at("/passwd", "/passwd", ""), true],
    ["/etc", at("/etc/passwd", "/x/shown", ""), true],
    ["**", at("/tmp/work", "."), true],
    [".", at("/tmp/work", "."), true],
    ["*.pem", at("/tmp/work/a.pem", "a.pem"), true],
    ["*.pem", at("/tmp/work/a.txt", "a.txt"), false],
  ])("%s on %o: %s", (pattern, place, forbidden) => {
    expect(placeMatcher([pattern])(place)).toBe(forbidden ? pattern : undefined);
    expect(placeMatcher(["never", pattern, "/never"])(place)).toBe(forbidden ? pattern : undefined);
  });

  test.each<[pattern: string, path: string]>([
    [".env", ".env."],
    [".env", "a/.env::$DATA"],
    [".env", ".e\u200dnv"],
    ["secrets", "Secrets ./a"],
    ["r\u00e9sum\u00e9/*", "re\u0301sume\u0301/a"],
    ["re\u0301sume\u0301", "r\u00c9sum\u00e9"],
  ])("%j forbids %j, which some disks take for it", (pattern, path) => {
    expect(globMatcher([pattern])(path)).toBe(pattern);
    expect(globMatcher(["other"])(path)).toBeUndefined();
  });

  test("no patterns forbid nothing", () => {
    expect(placeMatcher([])(at("/tmp/work/a", "a"))).toBeUndefined();
    expect(globMatcher([])("a")).toBeUndefined();
  });

  test("the first of the patterns that fits is named", () => {
    expect(globMatcher(["x", "a*", "ab"])("ab")).toBe("a*");
    expect(globMatcher(["x", "ab"])("y")).toBeUndefined();
  });
});

describe("patterns that are not accepted", () => {
  test.each<[pattern: string, says: RegExp]>([
    ["a".repeat(4097), /^The glob a{80}… is too long\.$/],
    ["*a*b*{c,d}", /too complicated/],
  ])("%s", (pattern, says) => expect(() => globMatcher([pattern])).toThrow(says));
  test("the longest that is accepted", () => {
    expect(globMatcher(["a".repeat(4096)])("a".repeat(4096))).toBe("a".repeat(4096));
  });
});

describe("a name may hold what is a wildcard elsewhere", () => {
  test.each(["a[b]", "a(b)", "[x", "a{b"])("%s", (name) => expect(globMatcher([name])(name)).toBe(name));
});

test.each<[glob: string, piece: string]>([
  ["secrets", "secrets"],
  ["*.PEM", ".pem"],
  ["a/longest/b", "longest"],
  ["ab/cd", "ab"],
  ["a?bc", "bc"],
  ["**/.env*", ".env"],
  ["*", ""],
  ["..", ""],
  ["./*", ""],
  ["{a,b}", ""],
  ["[ab]c", ""],
  ["a!(b)", "a"],
  ["a@(b|c)", "a"],
  ["a@(b|c)d", ""],
  ["@(.|#)ab@(#|.swp)", "ab"],
  ["a/@(.|#)bcd", "bcd"],
  ["@(a|b)/cd", ""],
  ["ab@(c)d@(e)", "ab"],
  [".env~", ".env~"],
  ["!(b)", ""],
])("what every path that %s matches must hold: %s", (glob, piece) => expect(pieceOf(glob)).toBe(piece));

test("plain paths are absolute and without wildcards", () => {
  const globs = ["/etc", "/var/**", "etc", "/a*", "/a/*/b", "/a?", "/[a]", "/{a,b}", "/a!(b)", "/a\\b", "/a|b", "/**"];
  expect(plainPaths(globs)).toEqual(["/etc", "/var"]);
});

test.each<[glob: string, everything: boolean]>([
  ["**", true],
  ["*", true],
  ["./**", true],
  ["**/*", true],
  ["**/**", true],
  ["**/", true],
  ["*.ts", false],
  ["a/**", false],
  ["", false],
])("%s means everything: %s", (glob, everything) => expect(meansEverything(glob)).toBe(everything));

test.each<[glob: string, negates: boolean]>([
  ["!(a)", true],
  ["a/!(b)", true],
  ["[!a]", true],
  ["[^a]", true],
  ["[a!]", false],
  ["a!", false],
  ["a*", false],
])("%s says what it does not mean: %s", (glob, negates) => expect(hasNegation(glob)).toBe(negates));

describe("which paths are allowed", () => {
  test.each<[patterns: string[], path: string, allowed: boolean]>([
    [["src"], "src", true],
    [["src"], "src/a/b", true],
    [["src"], "lib/src", false],
    [["src/"], "src/a", true],
    [["./src"], "src/a", true],
    [["src/*"], "src/a", true],
    [["src/*"], "src/a/b", false],
    [["src/**"], "src/a/b", true],
    [["src/**"], "src", true],
    [["a", "b"], "b", true],
    [["a", "b"], "c", false],
    [[], "a", false],
    [[""], "a", false],
    [["./"], "a", false],
    [["*a*b*{c,d}"], "xaybzc", false],
    [["!a"], "b", false],
    [["!a"], "!a", true],
    [["[ab]"], "a", true],
    [["[ab]"], "a/c", false],
    [["SRC"], "src", false],
  ])("%j on %s: %s", (patterns, path, allowed) => expect(allowedBy(patterns)(path)).toBe(allowed));
  test("case counts unless told otherwise", () => expect(allowedBy(["SRC"], true)("src/a")).toBe(true));
});
