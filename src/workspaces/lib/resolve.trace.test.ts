import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, failure, systemError } from "../../../test/contracts/disk.ts";
import type { Place } from "../../core/words/touch.ts";

afterEach(() => void vi.restoreAllMocks());

const stage = (): Disk => {
  const one = disk();
  one.put("src/a.ts", "a");
  one.put("~x", "x");
  fs.writeFileSync(path.join(one.outside, "f"), "outside");
  for (const [target, link] of [
    ["../outside", "out"],
    ["src", "in"],
    ["../outside/new", "out-new"],
    ["loop-b", "loop-a"],
    ["loop-a", "loop-b"],
  ] as const)
    fs.symlinkSync(target, one.on(link));
  return one;
};

describe("where a path of a command leads, inside or not", () => {
  test.each<[given: string, shown: string, inside: boolean, exists: boolean]>([
    ["src/a.ts", "src/a.ts", true, true],
    ["./src/../src/new", "src/new", true, false],
    ["in/a.ts", "src/a.ts", true, true],
    ["<root>/src", "src", true, true],
    [".", ".", true, true],
    ["", ".", true, true],
    ["./~x", "./~x", true, true],
    ["..", "<top>", false, true],
    ["../outside/f", "<top>/outside/f", false, true],
    ["../outside/new/er", "<top>/outside/new/er", false, false],
    ["out", "<top>/outside", false, true],
    ["out/f", "<top>/outside/f", false, true],
    ["out/../ws/src", "src", true, true],
    ["out-new", "<top>/outside/new", false, false],
    ["<root>-evil/x", "<root>-evil/x", false, false],
    ["/", "/", false, true],
    ["/dev/null", "/dev/null", false, true],
  ])("%j leads to %s", (given, shown, inside, exists) => {
    const { workspace, root, top } = stage();
    const fill = (text: string) => text.replace("<root>", root).replace("<top>", top);
    const place = workspace.trace(fill(given)) as Place;
    const real = path.resolve(root, fill(shown));
    expect(place).toEqual({ shown: fill(shown), real, root: inside ? root : "", exists });
  });

  test.each<[given: string, shown: string, inside: boolean]>([
    ["in", "in", true],
    ["<root>/in", "in", true],
    ["out", "out", true],
    ["loop-a", "loop-a", true],
    ["./~in", "./~in", true],
    ["src/../out-new", "out-new", true],
    ["out/back", "<top>/outside/back", false],
    ["<top>/outside/back", "<top>/outside/back", false],
  ])("%j is a link, and itself: %s", (given, shown, inside) => {
    const { workspace, root, top, outside, on } = stage();
    fs.symlinkSync("../ws/src", path.join(outside, "back"));
    fs.symlinkSync("src", on("~in"));
    const fill = (text: string) => text.replace("<root>", root).replace("<top>", top);
    const real = path.resolve(root, fill(shown));
    expect(workspace.trace(fill(given), true)).toEqual({
      ...{ shown: fill(shown), real, root: inside ? root : "", exists: true, link: true },
    });
  });

  test.each(["src/a.ts", "in/", "in/a.ts", "src/new", "../outside/f", "~in"])(
    "%j is no link: it leads where it leads",
    (given) => {
      const { workspace, on } = stage();
      fs.symlinkSync("src", on("~in"));
      expect(workspace.trace(given, true)).toEqual(workspace.trace(given));
    },
  );

  test("a link directly below the root of the disk is itself, inside or not", () => {
    const look = fs.lstatSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) =>
      file === "/a-link" ? { isSymbolicLink: () => true } : look(file, ...more)) as never);
    const link = { real: "/a-link", exists: true, link: true };
    expect(stage().workspace.trace("/a-link", true)).toEqual({ ...link, shown: "/a-link", root: "" });
    expect(disk({ root: "/" }).workspace.trace("/a-link", true)).toEqual({ ...link, shown: "a-link", root: "/" });
  });

  test("a name that is no text is not taken for another", () => {
    const one = stage();
    one.put("x\ufffd", "x");
    expect(one.workspace.trace("x\ud800")).toMatchObject({ real: one.on("x\ud800") });
  });

  test.each(["~", "~/x", "~root/.ssh", "~x"])("%s is a home folder that nobody could name: under no root", (given) => {
    expect(stage().workspace.trace(given)).toEqual({ shown: given, real: given, root: "", exists: false });
  });

  test.each(["loop-a", "loop-a/x", "src/a.ts/x", `src/${"n".repeat(300)}`])(
    "%s leads nowhere that can be told, which is under no root",
    (given) => {
      const { workspace, root } = stage();
      expect(workspace.trace(given)).toEqual({ shown: given, real: `${root}/${given}`, root: "", exists: false });
    },
  );

  test("what no file name can be is refused, or is at most a new file", () => {
    const { workspace, root } = stage();
    for (const given of ["a\0b", "/etc/passwd\0.txt", "d/".repeat(3000)])
      expect(() => workspace.trace(given)).toThrow(expect.objectContaining(failure("VALIDATION_ERROR")));
    expect(workspace.trace("src/\ud800")).toMatchObject({ root, exists: false });
  });
});

describe("what the system does not tell", () => {
  test("is a refusal, with the reason and a way out", () => {
    const { workspace } = stage();
    const look = fs.lstatSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) => {
      if (file.endsWith("/src")) throw systemError("EACCES");
      return look(file, ...more);
    }) as never);
    const told = (): unknown => {
      try {
        return workspace.locate("src/new/file");
      } catch (error) {
        return error;
      }
    };
    expect(told()).toMatchObject({
      ...failure("PERMISSION_DENIED"),
      message: expect.stringContaining("cannot be determined (EACCES)"),
      hint: expect.stringContaining("permissions"),
    });
  });

  test("outside is told as outside, whatever is there", () => {
    const { workspace, outside } = stage();
    const look = fs.lstatSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) => {
      if (file.startsWith(`${outside}/`)) throw systemError("EACCES");
      return look(file, ...more);
    }) as never);
    for (const given of ["out/new", "out/f/x"])
      expect(() => workspace.locate(given)).toThrow(
        expect.objectContaining({
          ...failure("PERMISSION_DENIED"),
          message: expect.stringMatching(/leads outside the workspace, to \S+outside\.$/),
        }),
      );
  });

  test("is told shortly, however much was sent", () => {
    const { workspace } = stage();
    const long = `../${"x/".repeat(400)}`;
    expect(() => workspace.locate(long)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,700}$/) }),
    );
  });
});

test("the whole disk as a root holds everything, under its own name", () => {
  const one = disk({ root: "/" });
  expect(one.workspace.locate("etc/passwd")).toMatchObject({ shown: "etc/passwd", real: "/etc/passwd", root: "/" });
  expect(one.workspace.locate("/")).toMatchObject({ shown: ".", real: "/", root: "/" });
});
