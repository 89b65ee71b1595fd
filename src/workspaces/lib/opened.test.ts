import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Disk, disk, systemError } from "../../../test/contracts/disk.ts";
import { LINK_MODE } from "../../core/contracts/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

/** Where the kernel tells what a descriptor is, and where it does not. */
describe.each([
  ["tells what a descriptor is", "/proc/self/fd"],
  ["does not tell what a descriptor is", undefined],
])("on a system that %s", (_, descriptors) => {
  let one: Disk;
  let opened: typeof import("./opened.ts");
  beforeEach(async () => {
    one = disk();
    one.put("d/f", "inside");
    fs.writeFileSync(path.join(one.outside, "f"), "secret");
    fs.symlinkSync("../outside", one.on("out"));
    fs.symlinkSync("f", one.on("d/link"));
    vi.resetModules();
    vi.doMock("./platform.ts", () => ({ descriptors, justLooking: 0o10000000, processSpace: "0" }));
    opened = await import("./opened.ts");
    onTestFinished(() => void vi.doUnmock("./platform.ts"));
  });
  afterEach(() => expect(one.leaks()).toEqual([]));

  const { O_RDONLY } = fs.constants;
  const swapped = expect.objectContaining({ message: expect.stringContaining("no longer where its path led") });
  const failed = (code: string) => expect.objectContaining({ code });

  test("exactly what a path names is opened, with no link on the way", () => {
    const fd = opened.openExactly(one.on("d/f"), O_RDONLY, "shown");
    expect(fs.readFileSync(fd, "utf8")).toBe("inside");
    fs.closeSync(fd);
    expect(() => opened.openExactly(one.on("out/f"), O_RDONLY, "shown")).toThrow(swapped);
    expect(() => opened.openExactly(one.on("d/link"), O_RDONLY, "shown")).toThrow(failed("ELOOP"));
    expect(() => opened.openExactly(one.on("d/missing"), O_RDONLY, "shown")).toThrow(failed("ENOENT"));
  });

  test("a folder is opened as itself, and a link in its place is told", () => {
    const folder = opened.openFolder(one.on("d"), "d");
    expect(folder.self).toBe(descriptors ? `/proc/self/fd/${folder.fd}` : one.on("d"));
    expect(fs.readFileSync(folder.at("f"), "utf8")).toBe("inside");
    folder.close();
    expect(() => opened.openFolder(one.on("out"), "out")).toThrow(swapped);
    expect(() => opened.openFolder(one.on("d/link"), "d/link")).toThrow(swapped);
    expect(() => opened.openFolder(one.on("d/f"), "d/f")).toThrow(failed("ENOTDIR"));
    expect(() => opened.openFolder(one.on("missing"), "missing")).toThrow(failed("ENOENT"));
  });

  test("missing folders are made below the root alone, one by one, and told", () => {
    const made: string[] = [];
    opened.openOrMakeFolder(one.on("d/x/y"), one.root, "shown", made, 0o700).close();
    expect(made).toEqual([one.on("d/x"), one.on("d/x/y")]);
    expect(fs.statSync(one.on("d/x")).mode & 0o777).toBe(0o700);
    const none: string[] = [];
    opened.openOrMakeFolder(one.on("d/x"), one.root, "shown", none).close();
    expect(none).toEqual([]);
    const gone = path.join(one.top, "gone");
    expect(() => opened.openOrMakeFolder(gone, gone, "shown", none)).toThrow(failed("ENOENT"));
    expect(() => opened.openOrMakeFolder(`${gone}/a/b`, gone, "shown", none)).toThrow(failed("ENOENT"));
    expect(fs.existsSync(gone)).toBe(false);
    for (const name of ["d/f/x", "out/x"])
      expect(() => opened.openOrMakeFolder(one.on(name), one.root, "shown", none)).toThrow();
    expect([fs.readdirSync(one.outside), none]).toEqual([["f"], []]);
  });

  test("one that somebody else makes at the same moment is taken, and is not ours; other errors are told", () => {
    const made: string[] = [];
    const make = fs.mkdirSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "mkdirSync").mockImplementationOnce(((...given: unknown[]) => {
      make(...given);
      return make(...given);
    }) as never);
    opened.openOrMakeFolder(one.on("theirs"), one.root, "shown", made).close();
    expect(made).toEqual([]);
    vi.spyOn(fs, "mkdirSync").mockImplementationOnce(() => {
      throw systemError("ENOSPC");
    });
    expect(() => opened.openOrMakeFolder(one.on("full"), one.root, "shown", made)).toThrow(failed("ENOSPC"));
  });

  test("what is there is told without opening it", () => {
    const at = (name: string, link = false) =>
      opened.statExactly({ shown: name, real: one.on(name), ...(link && { link }) });
    expect(at("d/f")?.isFile()).toBe(true);
    expect(at("d")?.isDirectory()).toBe(true);
    expect(at("d/link", true)?.isSymbolicLink()).toBe(true);
    expect([at("missing"), at("d/f/below"), at("missing", true)]).toEqual([undefined, undefined, undefined]);
    expect(() => at("d/link")).toThrow(swapped);
    expect(() => at("d/f", true)).toThrow(swapped);
    expect(() => at("out/f")).toThrow(swapped);
    const [look, open] = [fs.lstatSync, fs.openSync] as ((...given: unknown[]) => unknown)[];
    for (const [name, real] of [
      ["lstatSync", look],
      ["openSync", open],
    ] as const)
      vi.spyOn(fs, name).mockImplementation(((file: string, ...more: unknown[]) => {
        if (file === one.on("d/f")) throw systemError("EACCES");
        return real?.(file, ...more);
      }) as never);
    expect(() => at("d/f")).toThrow(failed("EACCES"));
  });

  test("modes, stamps and mounts", () => {
    expect(opened.modeOf(fs.lstatSync(one.on("d/link")))).toBe(LINK_MODE);
    fs.chmodSync(one.on("d/f"), 0o4751);
    expect(opened.modeOf(fs.lstatSync(one.on("d/f")))).toBe(0o4751);
    const { size, mtimeMs, ctimeMs, ino } = fs.lstatSync(one.on("d/f"));
    expect(opened.stampOf(fs.lstatSync(one.on("d/f")))).toEqual({ size, mtimeMs, ctimeMs, ino });
    const folders = [one.root, one.on("d"), "/proc"].map((real) => opened.openFolder(real, real));
    const [root, d, proc] = folders as [(typeof folders)[0], (typeof folders)[0], (typeof folders)[0]];
    expect([opened.sameMount(root, d), opened.sameMount(root, proc)]).toEqual([true, false]);
    for (const folder of folders) folder.close();
  });

  test("two folders are asked for their mounts once, and of very many pairs all are forgotten", () => {
    const [first, other] = [opened.openFolder(one.root, "."), opened.openFolder(one.on("d"), "d")];
    const before = fs.readdirSync("/proc/self/fd").length;
    let pair = 0;
    vi.spyOn(fs, "fstatSync").mockImplementation(() => ({ dev: 1, ino: pair }) as never);
    const open = vi.spyOn(fs, "openSync");
    const asks = (number: number) => {
      pair = number;
      open.mockClear();
      expect(opened.sameMount(first, other)).toBe(true);
      return open.mock.calls.length;
    };
    const each = descriptors ? 2 : 0;
    expect([asks(1), asks(1), asks(2)]).toEqual([each, 0, each]);
    for (let number = 3; number <= 1000; number += 1) asks(number);
    expect([asks(1), asks(1001), asks(1)]).toEqual([0, each, each]);
    vi.restoreAllMocks();
    expect(fs.readdirSync("/proc/self/fd")).toHaveLength(before);
    for (const folder of [first, other]) folder.close();
  });

  test("a folder is only looked at where the system can do that, and other failures than a link's are told", () => {
    const open = vi.spyOn(fs, "openSync");
    opened.openFolder(one.on("d"), "d").close();
    expect(((open.mock.calls[0]?.[1] as number) & 0o10000000) !== 0).toBe(descriptors !== undefined);
    const make = vi.spyOn(fs, "mkdirSync");
    open.mockImplementation(() => {
      throw systemError("EACCES");
    });
    expect(() => opened.openFolder(one.on("out"), "out")).toThrow(failed("EACCES"));
    expect(() => opened.openOrMakeFolder(one.on("x/y"), one.root, "x", [])).toThrow(failed("EACCES"));
    expect(make).not.toHaveBeenCalled();
  });

  test("a look is at the open file where the system tells what it is, and at its name elsewhere", () => {
    const look = vi.spyOn(fs, "lstatSync");
    opened.statExactly({ shown: "f", real: one.on("d/f") });
    expect(look).toHaveBeenCalledTimes(descriptors ? 0 : 1);
  });

  test("a file that is replaced while it is opened is the old one or the new one; one that is never itself is refused", () => {
    const open = fs.openSync as (...given: unknown[]) => number;
    let times = 0;
    const replace = (most: number) =>
      vi.spyOn(fs, "openSync").mockImplementation(((...given: unknown[]) => {
        const fd = open(...given);
        times += 1;
        if (times <= most) {
          fs.writeFileSync(path.join(one.top, "next"), "newer");
          fs.renameSync(path.join(one.top, "next"), one.on("d/f"));
        }
        return fd;
      }) as never);
    replace(1);
    const fd = opened.openExactly(one.on("d/f"), O_RDONLY, "shown");
    expect(fs.readFileSync(fd, "utf8")).toBe(descriptors ? "inside" : "newer");
    fs.closeSync(fd);
    vi.restoreAllMocks();
    times = 0;
    replace(100);
    if (descriptors) fs.closeSync(opened.openExactly(one.on("d/f"), O_RDONLY, "shown"));
    else expect(() => opened.openExactly(one.on("d/f"), O_RDONLY, "shown")).toThrow(swapped);
    expect(times).toBe(descriptors ? 1 : 5);
  });

  test("a failure of the look closes what was opened", () => {
    const name = descriptors ? "readlinkSync" : "fstatSync";
    vi.spyOn(fs, name).mockImplementation(() => {
      throw systemError("EIO");
    });
    expect(() => opened.openExactly(one.on("d/f"), O_RDONLY, "shown")).toThrow(failed("EIO"));
    vi.restoreAllMocks();
  });
});
