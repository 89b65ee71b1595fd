import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, failure, systemError } from "../../../test/contracts/disk.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Place } from "../../core/words/touch.ts";

afterEach(() => void vi.restoreAllMocks());

const stage = (): Disk & { more: string } => {
  const bare = disk();
  const more = path.join(bare.top, "more");
  fs.mkdirSync(more);
  const one = disk({ root: bare.root, roots: [more] });
  bare.put("src/a.ts", "a");
  for (const [target, link] of [
    ["src/a.ts", "to-file"],
    ["src", "to-folder"],
    ["../outside", "out"],
    ["nowhere", "dangling"],
    ["src/a.ts", "~home"],
    ["../more", "to-more"],
  ] as const)
    fs.symlinkSync(target, bare.on(link));
  fs.symlinkSync("/etc/passwd", path.join(more, "far"));
  fs.symlinkSync("../ws", path.join(bare.outside, "back"));
  return { ...bare, workspace: one.workspace, more };
};

describe("a link that is meant itself", () => {
  test.each<[given: string, shown: string, root: "ws" | "more"]>([
    ["to-file", "to-file", "ws"],
    ["to-folder", "to-folder", "ws"],
    ["out", "out", "ws"],
    ["dangling", "dangling", "ws"],
    ["src/../out", "out", "ws"],
    ["<top>/ws/to-file", "to-file", "ws"],
    ["./~home", "./~home", "ws"],
    ["<top>/more/far", "<top>/more/far", "more"],
    ["to-more/far", "<top>/more/far", "more"],
    ["out/back/dangling", "dangling", "ws"],
  ])("%s is %s, wherever it leads", (given, shown, root) => {
    const { workspace, top } = stage();
    const fill = (text: string) => text.replace("<top>", top);
    const real = path.resolve(top, "ws", fill(shown));
    expect(workspace.locate(fill(given), true)).toEqual({
      ...{ shown: fill(shown), real, root: path.join(top, root), exists: true, link: true },
    });
  });

  test.each([
    ["to-folder/", "src"],
    ["to-folder/.", "src"],
    ["to-folder/..", "."],
    ["to-folder/a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["src/new.ts", "src/new.ts"],
  ])("%s is no link: it leads to %s", (given, shown) => {
    const place = stage().workspace.locate(given, true) as Place;
    expect(place.shown).toBe(shown);
    expect(place.link).toBeUndefined();
  });

  test.each([
    ["out/secret", "PERMISSION_DENIED"],
    ["out/", "PERMISSION_DENIED"],
    ["out/.", "PERMISSION_DENIED"],
    ["../outside/back", "PERMISSION_DENIED"],
    ["~home", "PERMISSION_DENIED"],
    ["src/a.ts/x", "VALIDATION_ERROR"],
    ["", "VALIDATION_ERROR"],
    ["to-file\0", "VALIDATION_ERROR"],
  ])("%j is refused", (given, code) => {
    const { workspace } = stage();
    expect(() => workspace.locate(given, true)).toThrow(expect.objectContaining(failure(code)));
  });

  test("directly below the root of the disk", () => {
    const { workspace } = disk({ root: "/" });
    const look = fs.lstatSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) =>
      file === "/a-link" ? { isSymbolicLink: () => true } : look(file, ...more)) as never);
    expect(workspace.locate("/a-link", true)).toEqual({
      ...{ shown: "a-link", real: "/a-link", root: "/", exists: true, link: true },
    });
  });
});

const refusal = (act: () => unknown): ToolFailure => {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolFailure) return error;
  }
  throw new Error("it was accepted");
};

describe("at the limits", () => {
  /** A path below the root that is so many bytes long as a whole. */
  const ofLength = (root: string, length: number): string => {
    const rest = length - root.length;
    const folders = "/d".repeat(Math.floor((rest - 3) / 2));
    return `${root}${folders}/${"f".repeat(rest - folders.length - 1)}`;
  };

  test("the longest path is a path, one more byte is none", () => {
    const { workspace, root } = stage();
    expect(workspace.locate(ofLength(root, 4095))).toMatchObject({ exists: false, root });
    expect(refusal(() => workspace.locate(ofLength(root, 4096)))).toMatchObject({
      ...failure("VALIDATION_ERROR"),
      message: expect.stringContaining("too long"),
    });
    expect(workspace.trace(ofLength(root, 4095))).toMatchObject({ root, exists: false });
    // a relative one is longer as a whole: it leads nowhere that can be told
    expect(workspace.trace(`${"d/".repeat(2047)}d`)).toMatchObject({ root: "", exists: false });
    expect(() => workspace.trace("d/".repeat(2048))).toThrow(ToolFailure);
  });

  test("forty links in a row are followed, as the system does, and no more", () => {
    const { workspace, on } = stage();
    for (let i = 1; i <= 41; i += 1) fs.symlinkSync(i === 1 ? "missing" : `link${i - 1}`, on(`link${i}`));
    expect(workspace.locate("link40")).toMatchObject({ shown: "missing", exists: false });
    expect(refusal(() => workspace.locate("link41")).code).toBe("PERMISSION_DENIED");
    // followed by hand from the start, since something is missing on the way
    expect(workspace.locate("missing/../link40")).toMatchObject({ shown: "missing", exists: false });
    const { message, hint } = refusal(() => workspace.locate("missing/../link41"));
    expect(message).toContain("its links form a loop");
    expect(hint).toContain("Use a path inside");
    expect(hint).not.toContain("permissions");
  });
});

test("another error of the system is a refusal that names it, with the paths that are accepted", () => {
  const { workspace, root } = stage();
  const look = fs.lstatSync as (...given: unknown[]) => unknown;
  vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) => {
    if (file.endsWith("/src")) throw systemError("EIO");
    return look(file, ...more);
  }) as never);
  const { code, message, hint } = refusal(() => workspace.locate("src/new/file"));
  expect({ code, message, hint }).toEqual({
    code: "PERMISSION_DENIED",
    message: "Where src/new/file leads cannot be determined (EIO).",
    hint: expect.stringContaining(`Use a path inside ${root}`),
  });
});
