import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing, readRegularFile, realPlace } from "./files.ts";
import { spellings } from "./forbidden.ts";

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-forbidden-")));
  mkdirSync(join(base, "ws/real/deep"), { recursive: true });
  mkdirSync(join(base, "outside"));
  symlinkSync("real", join(base, "ws/link"));
  symlinkSync("../outside", join(base, "ws/out"));
  symlinkSync("ws", join(base, "ws-link"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("a glob by the names under which its files are met", () => {
  test.each<[glob: string, spellings: string[]]>([
    ["secrets", ["secrets"]],
    ["./secrets//a", ["secrets/a"]],
    ["a/../secrets/**", ["secrets/**"]],
    ["*.pem", ["*.pem"]],
    ["**", ["**"]],
    ["real/*.txt", ["real/*.txt"]],
    ["link", ["link", "BASE/ws/real"]],
    ["link/*.txt", ["link/*.txt", "BASE/ws/real/*.txt"]],
    ["link/deep/**/a", ["link/deep/**/a", "BASE/ws/real/deep/**/a"]],
    ["link/{a,b}", ["link/{a,b}", "BASE/ws/real/{a,b}"]],
    ["out/x", ["out/x", "BASE/outside/x"]],
    ["missing/below", ["missing/below"]],
    ["*/link", ["*/link"]],
    ["..", ["BASE"]],
    ["../outside", ["BASE/outside"]],
    ["../ws/link/a", ["BASE/ws/link/a", "BASE/ws/real/a"]],
    ["..secret", ["..secret"]],
    ["BASE/ws/link/*", ["BASE/ws/link/*", "BASE/ws/real/*"]],
    ["BASE/ws/real", ["BASE/ws/real"]],
    ["/*.key", ["/*.key"]],
  ])("%s", (glob, expected) => {
    const named = (text: string) => text.replace("BASE", base);
    expect(spellings(named(glob), join(base, "ws"))).toEqual(expected.map(named));
    // the workspace by another name changes nothing
    expect(spellings(named(glob), join(base, "ws-link"))).toEqual(expected.map(named));
  });
});

test("where a path really leads, as far as it exists", () => {
  expect(realPlace(join(base, "ws/link/deep"))).toBe(join(base, "ws/real/deep"));
  expect(realPlace(join(base, "ws/link/new/er"))).toBe(join(base, "ws/real/new/er"));
  expect(realPlace("/")).toBe("/");
  expect(realPlace("/nowhere-at-all/x")).toBe("/nowhere-at-all/x");
});

test("a file is read up to a million bytes, and closed whatever it is", async () => {
  const file = join(base, "file");
  writeFileSync(file, "#".repeat(1_000_000));
  const opened = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
  const before = opened();
  for (let n = 0; n < 8; n++) {
    expect(await readRegularFile(file)).toHaveLength(1_000_000);
    await expect(readRegularFile(base)).rejects.toThrow("it is not a regular file");
  }
  expect(opened() - before).toBeLessThan(8);
  expect(await readRegularFile(join(file, "below"))).toBeUndefined();
  writeFileSync(file, "#".repeat(1_000_001));
  await expect(readRegularFile(file)).rejects.toThrow("it has 1000001 bytes; at most 1000000 are accepted");
});

test("what is missing is told from what may not be read", () => {
  const error = (code?: string) => Object.assign(new Error("x"), { code });
  expect([error("ENOENT"), error("ENOTDIR")].map(isMissing)).toEqual([true, true]);
  expect([error("EACCES"), error("ELOOP"), error(), undefined, null].map(isMissing)).toEqual(Array(5).fill(false));
});
