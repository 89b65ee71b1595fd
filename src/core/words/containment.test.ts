import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBelow, isWithin, isWithinAny, pathIn } from "./containment.ts";

describe("containment", () => {
  test.each<[path: string, folder: string, below: boolean, within: boolean]>([
    ["/ws/a", "/ws", true, true],
    ["/ws/a/b", "/ws", true, true],
    ["/ws", "/ws", false, true],
    ["/ws-evil", "/ws", false, false],
    ["/ws-evil/a", "/ws", false, false],
    ["/w", "/ws", false, false],
    ["/", "/ws", false, false],
    ["/ws", "/", true, true],
    ["/ws/a", "/", true, true],
    ["/", "/", false, true],
    ["/a/ws/b", "/ws", false, false],
    ["/WS/a", "/ws", false, false],
    ["/ws\\a", "/ws", false, false],
    ["/ws/..a", "/ws", true, true],
    ["/ws/a", "", false, false],
    ["~/a", "/", false, false],
    ["a/b", "a", true, true],
  ])("%s in %s: below %s, within %s", (given, folder, below, within) => {
    expect(isBelow(given, folder)).toBe(below);
    expect(isWithin(given, folder)).toBe(within);
    expect(isWithinAny(given, ["/elsewhere", folder])).toBe(within);
  });

  test("no folder contains anything", () => expect(isWithinAny("/a", [])).toBe(false));

  const absolute = fc
    .array(fc.constantFrom("a", "b", "ab", "a b", "..a"), { maxLength: 4 })
    .map((names) => `/${names.join("/")}`);

  test("agrees with node about every resolved path", () => {
    fc.assert(
      fc.property(absolute, absolute, (one, folder) => {
        const inside = path.posix.relative(folder, one);
        expect(isWithin(one, folder)).toBe(inside !== ".." && !inside.startsWith("../"));
        expect(isBelow(one, folder)).toBe(isWithin(one, folder) && one !== folder);
      }),
    );
  });

  test("a name in a folder is below it", () => {
    fc.assert(
      fc.property(absolute, (folder) => {
        expect(pathIn(folder, "x")).toBe(path.posix.join(folder, "x"));
        expect(isBelow(pathIn(folder, "x"), folder)).toBe(true);
      }),
    );
  });
});
