import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ToolFailure } from "../../core/words/result.ts";
import type { Place } from "../../core/words/touch.ts";
import { localWorkspace } from "../local.ts";

let top: string;
let ws: string;
let more: string;
let locate: (path: string) => Place;

beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-locate-")));
  ws = path.join(top, "ws");
  more = path.join(top, "more");
  for (const folder of ["ws/src/deep", "ws-evil", "outside/in", "more"])
    fs.mkdirSync(path.join(top, folder), { recursive: true });
  const names = [
    "..foo",
    "a..b",
    "...",
    "%2e%2e%2fx",
    "back\\slash",
    "~x",
    "with space",
    "ünï",
    "-rf",
    "src/a.ts",
    "src/deep/b.ts",
  ];
  for (const file of names) fs.writeFileSync(path.join(ws, file), file);
  for (const file of ["ws-evil/x", "outside/secret", "outside/in/x", "more/m"])
    fs.writeFileSync(path.join(top, file), file);
  const links: [string, string][] = [
    ["ws", "named"],
    ["src/a.ts", "ws/to-file"],
    [`${ws}/src`, "ws/to-folder"],
    ["to-file", "ws/chain-in"],
    ["src/new.ts", "ws/dangling-in"],
    ["../outside/secret", "ws/out-file"],
    [`${top}/outside`, "ws/out-folder"],
    ["out-folder/in", "ws/out-chain"],
    ["../outside/missing", "ws/out-dangling"],
    ["/no/such/place/at/all", "ws/out-nowhere"],
    ["../ws-evil", "ws/sibling"],
    ["loop-b", "ws/loop-a"],
    ["loop-a", "ws/loop-b"],
    ["self/x", "ws/self"],
    ["../ws/src", "ws/round-trip"],
    ["/", "ws/slash"],
    ["../more", "ws/to-more"],
    ["../ws", "outside/back"],
  ];
  for (const [target, link] of links) fs.symlinkSync(target, path.join(top, link));
  for (let i = 0; i < 45; i += 1) fs.symlinkSync(i === 0 ? "missing" : `many${i - 1}`, path.join(ws, `many${i}`));
  locate = localWorkspace({ root: path.join(top, "named"), roots: [more] }).locate as typeof locate;
});
afterAll(() => fs.rmSync(top, { recursive: true }));

const fill = (given: string) =>
  given.replaceAll("<ws>", ws).replaceAll("<top>", top).replaceAll("<name>", path.basename(top));

function failureOf(given: string): ToolFailure {
  try {
    locate(given);
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
  throw new Error(`${given.slice(0, 100)} was accepted`);
}

describe("what stays inside is accepted however it is spelled", () => {
  test.each([
    ["src/a.ts", "src/a.ts", true],
    ["./src//./a.ts", "src/a.ts", true],
    ["src/deep/../a.ts", "src/a.ts", true],
    ["src/", "src", true],
    ["src/a.ts/", "src/a.ts", true],
    [".", ".", true],
    ["./", ".", true],
    ["src/..", ".", true],
    ["../ws/src/a.ts", "src/a.ts", true],
    ["<top>/outside/../ws/src/a.ts", "src/a.ts", true],
    ["<ws>/src/a.ts", "src/a.ts", true],
    ["<top>/named/src/a.ts", "src/a.ts", true],
    ["<top>/named/src/new.ts", "src/new.ts", false],
    ["<ws>", ".", true],
    ["/proc/self/root<ws>/src/a.ts", "src/a.ts", true],
    ["out-folder/back/src/a.ts", "src/a.ts", true],
    ["new.ts", "new.ts", false],
    ["src/new/er/file.ts", "src/new/er/file.ts", false],
    ["missing/../src/a.ts", "src/a.ts", true],
    ["missing/deeper/../../src/new", "src/new", false],
    ["missing/..", ".", true],
    ["to-file", "src/a.ts", true],
    ["to-folder/deep/b.ts", "src/deep/b.ts", true],
    ["to-folder/new", "src/new", false],
    ["to-folder/..", ".", true],
    ["chain-in", "src/a.ts", true],
    ["dangling-in", "src/new.ts", false],
    ["round-trip/a.ts", "src/a.ts", true],
    ["many10", "missing", false],
    ["slash/<top>/ws/src/a.ts", "src/a.ts", true],
    ["..foo", "..foo", true],
    ["..foo/../a..b", "a..b", true],
    ["a..b", "a..b", true],
    ["...", "...", true],
    ["....", "....", false],
    ["%2e%2e%2fx", "%2e%2e%2fx", true],
    ["%2e%2e/x", "%2e%2e/x", false],
    ["back\\slash", "back\\slash", true],
    ["..\\..\\etc", "..\\..\\etc", false],
    ["./~x", "./~x", true],
    ["src/~y", "src/~y", false],
    ["with space", "with space", true],
    ["ünï", "ünï", true],
    ["-rf", "-rf", true],
    ["C:\\x", "C:\\x", false],
    ["file:///etc/passwd", "file:/etc/passwd", false],
    ["<top>/more/m", "<top>/more/m", true],
    ["../more/n", "<top>/more/n", false],
    ["to-more/m", "<top>/more/m", true],
  ])("%s", (given, shown, exists) => {
    const place = locate(fill(given));
    expect({ shown: place.shown, exists: place.exists }).toEqual({ shown: fill(shown), exists });
    expect(place.real).toBe(path.resolve(ws, fill(shown)));
    expect(locate(place.shown)).toEqual(place);
  });
});

describe("what leaves is refused, and said where it leads", () => {
  test.each([
    ["..", "<top>"],
    ["../", "<top>"],
    ["../outside/secret", "<top>/outside/secret"],
    ["src/../../outside/secret", "<top>/outside/secret"],
    ["missing/../../outside/secret", "<top>/outside/secret"],
    ["../ws-evil/x", "<top>/ws-evil/x"],
    ["<ws>-evil/x", "<top>/ws-evil/x"],
    ["<ws>/../ws-evil/x", "<top>/ws-evil/x"],
    ["../w", "<top>/w"],
    ["/", "/"],
    ["/etc/passwd", "/etc/passwd"],
    ["//etc/passwd", "/etc/passwd"],
    ["/proc/self/root/etc/passwd", "/etc/passwd"],
    ["/etc/no-such-file", "/etc/no-such-file"],
    ["/etc/passwd/x", "/etc/passwd"],
    ["out-file", "<top>/outside/secret"],
    ["out-folder", "<top>/outside"],
    ["out-folder/secret", "<top>/outside/secret"],
    ["out-folder/new/file", "<top>/outside/new/file"],
    ["out-folder/..", "<top>"],
    ["out-chain/x", "<top>/outside/in/x"],
    ["out-dangling", "<top>/outside/missing"],
    ["out-dangling/x", "<top>/outside/missing/x"],
    ["out-nowhere", "/no/such/place/at/all"],
    ["sibling/x", "<top>/ws-evil/x"],
    ["slash/etc/passwd", "/etc/passwd"],
    ["~", "home"],
    ["~/x", "home"],
    ["~x", "home"],
    ["~root/.ssh", "home"],
  ])("%s", (given, leads) => {
    const failure = failureOf(fill(given));
    expect(failure.code).toBe("PERMISSION_DENIED");
    expect(failure.message).toContain(fill(given));
    expect(failure.message).toContain(fill(leads));
    expect(failure.hint).toContain(ws);
  });

  test.each(["loop-a", "loop-a/x", "self", "many44", "missing/../many44", "missing/../loop-a"])(
    "links without an end: %s",
    (given) => {
      expect(failureOf(given).code).toBe("PERMISSION_DENIED");
    },
  );
});

describe("what is no path is invalid", () => {
  test.each([
    ["nothing", ""],
    ["NUL", "src/a.ts\0.png"],
    ["half a character", "src/\ud800"],
    ["a long name", "n".repeat(256)],
    ["a long name in a missing folder", `missing/${"n".repeat(256)}`],
    ["a long name by bytes", "ü".repeat(128)],
    ["a long path", "d/".repeat(5000)],
    ["a long path by bytes", "ü/".repeat(1500)],
    ["a file taken for a folder", "src/a.ts/x"],
    ["a linked file taken for a folder", "to-file/x"],
  ])("%s", (_, given) => {
    expect(failureOf(given).code).toBe("VALIDATION_ERROR");
  });

  test("the longest names are names", () => {
    expect(locate("n".repeat(255)).exists).toBe(false);
    expect(locate("ü".repeat(127)).exists).toBe(false);
  });
});

test("a folder that cannot be searched is refused by the system's word, not passed over", () => {
  const error = Object.assign(new Error("denied"), { code: "EACCES" });
  const native = fs.realpathSync.native;
  fs.realpathSync.native = (() => {
    throw error;
  }) as unknown as typeof native;
  try {
    expect(failureOf("src/a.ts").code).toBe("PERMISSION_DENIED");
  } finally {
    fs.realpathSync.native = native;
  }
});

test("a root that becomes a link to elsewhere is not followed", () => {
  const root = path.join(top, "moving");
  fs.mkdirSync(root);
  fs.writeFileSync(path.join(root, "secret"), "mine");
  const moving = localWorkspace({ root });
  fs.renameSync(root, `${root}-old`);
  fs.symlinkSync(path.join(top, "outside"), root);
  expect(() => moving.locate("secret")).toThrow(ToolFailure);
  expect(() => moving.locate("new")).toThrow(ToolFailure);
});

const piece = fc.oneof(
  fc.constantFrom(
    "..",
    ".",
    "",
    "src",
    "deep",
    "a.ts",
    "missing",
    "ws",
    "ws-evil",
    "outside",
    "more",
    "named",
    "out-folder",
  ),
  fc.constantFrom(
    "to-folder",
    "to-file",
    "dangling-in",
    "out-dangling",
    "loop-a",
    "slash",
    "back",
    "round-trip",
    "~",
    "..foo",
  ),
  fc.string({ maxLength: 8, unit: "binary" }),
);
const anyPath = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "/", "./", "<ws>/", "<top>/"), fc.array(piece, { maxLength: 8 }))
    .map(([start, pieces]) => start + pieces.join("/")),
  fc.string({ unit: "binary" }),
);

test("for any text: a failure that was foreseen, or a place inside a root that the system confirms", () => {
  const within = (real: string, root: string) => !path.relative(root, real).split("/").includes("..");
  fc.assert(
    fc.property(anyPath, (given) => {
      const text = fill(given);
      let place: Place | undefined;
      try {
        place = locate(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ToolFailure);
      }
      let real: string | undefined;
      try {
        real = fs.realpathSync.native(text.startsWith("/") ? text : `${ws}/${text}`);
      } catch {
        // the system knows no such file
      }
      if (place) {
        expect(within(place.real, ws) || within(place.real, more)).toBe(true);
        expect(place.real).toBe(path.normalize(place.real));
        expect(place.exists).toBe(fs.existsSync(place.real));
        if (place.exists) expect(fs.realpathSync.native(place.real)).toBe(place.real);
        if (real !== undefined) expect(place.real).toBe(real);
      } else if (real !== undefined && !text.startsWith("~") && text !== "") {
        expect(within(real, ws) || within(real, more)).toBe(false);
      }
    }),
    { numRuns: 2000 },
  );
});
