import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, failure, systemError, targetOf } from "../../../test/contracts/disk.ts";
import type { Place } from "../../core/words/touch.ts";

afterEach(() => void vi.restoreAllMocks());

const pattern = (size: number) => Buffer.alloc(size, "0123456789abcdefg");

describe("a file is read whole", () => {
  test.each([0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000])("with %i bytes", async (size) => {
    const { put, at, workspace, leaks } = disk();
    put("f", pattern(size));
    const { bytes, stamp } = await workspace.files.read(at("f"));
    expect([Buffer.from(bytes).equals(pattern(size)), stamp.size, leaks()]).toEqual([true, size, []]);
  });

  test.each([1000, 3_000_000])("also where the disk gives little at a time, %i bytes", async (size) => {
    const { put, at, workspace } = disk();
    put("f", pattern(size));
    const [atOnce, later] = [fs.readSync, fs.read] as ((...given: unknown[]) => number)[];
    const less = (given: unknown[]) => given.with(3, Math.ceil((given[3] as number) / 3));
    vi.spyOn(fs, "readSync").mockImplementation(((...given: unknown[]) => atOnce?.(...less(given))) as never);
    vi.spyOn(fs, "read").mockImplementation(((...given: unknown[]) => later?.(...less(given))) as never);
    expect(Buffer.from((await workspace.files.read(at("f"))).bytes).equals(pattern(size))).toBe(true);
  });

  test.each([1000, 3_000_000])("of one that gets shorter meanwhile what is there, of %i bytes", async (size) => {
    const { put, at, workspace, on } = disk();
    put("f", pattern(size));
    const stat = fs.fstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "fstatSync").mockImplementation(((...given: unknown[]) => {
      const stats = stat(...given);
      if (targetOf(given[0] as number) === on("f")) fs.truncateSync(on("f"), size / 2);
      return stats;
    }) as never);
    const { bytes } = await workspace.files.read(at("f"));
    expect(Buffer.from(bytes).equals(pattern(size / 2))).toBe(true);
  });

  test("unless it is larger than can be held; in pieces it can be read", async () => {
    const { put, at, workspace, on, leaks } = disk();
    put("f", "");
    fs.truncateSync(on("f"), 2 ** 28);
    let size = 2 ** 28 + 1;
    const stat = fs.fstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "fstatSync").mockImplementation(((...given: unknown[]) => {
      const stats = stat(...given);
      return targetOf(given[0] as number) === on("f") ? Object.assign(stats, { size }) : stats;
    }) as never);
    await expect(workspace.files.read(at("f"))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
    expect(leaks()).toEqual([]);
    for await (const piece of workspace.files.chunks(at("f"), 2 ** 28 - 5)) expect(piece.length).toBe(5);
    size = 2 ** 28;
    fs.truncateSync(on("f"), 3);
    expect((await workspace.files.read(at("f"))).bytes).toHaveLength(3);
  });
});

test("a large file that the disk cannot read is told", async () => {
  const { put, at, workspace, leaks } = disk();
  put("f", pattern(3_000_000));
  vi.spyOn(fs, "read").mockImplementation(((...given: unknown[]) =>
    (given.at(-1) as (error: Error) => void)(systemError("EIO"))) as never);
  await expect(workspace.files.read(at("f"))).rejects.toThrow("EIO");
  expect(leaks()).toEqual([]);
});

describe("a link that is meant itself", () => {
  const linked = () => {
    const one = disk();
    fs.symlinkSync("target", one.on("link"));
    return { ...one, place: one.workspace.locate("link", true) as Place };
  };

  test("holds where it leads, and nothing stays open", async () => {
    const { workspace, place, leaks } = linked();
    const { bytes, stamp } = await workspace.files.read(place);
    expect([String(Buffer.from(bytes)), stamp.size, leaks()]).toEqual(["target", 6, []]);
  });

  test.each<[what: string, code: string, before: (link: string) => void, meanwhile: (link: string) => void]>([
    ["went", "NOT_FOUND", () => {}, (link) => fs.rmSync(link)],
    ["became a file", "PERMISSION_DENIED", () => {}, (link) => [fs.rmSync(link), fs.writeFileSync(link, "target")]],
    ["came only now", "PERMISSION_DENIED", (link) => fs.rmSync(link), (link) => fs.symlinkSync("target", link)],
  ])("and %s while it was looked at, is refused as %s", async (_, code, before, meanwhile) => {
    const { workspace, place, leaks, on } = linked();
    const read = fs.readlinkSync as (...given: unknown[]) => string;
    before(on("link"));
    vi.spyOn(fs, "readlinkSync").mockImplementation(((...given: unknown[]) => {
      if (String(given[0]).endsWith("/link")) meanwhile(on("link"));
      return read(...given);
    }) as never);
    await expect(workspace.files.read(place)).rejects.toMatchObject(failure(code));
    vi.restoreAllMocks();
    expect(leaks()).toEqual([]);
  });
});

test("entries come in the order of their names, as they are compared everywhere", async () => {
  const { put, workspace, at } = disk();
  for (const name of ["\uff21", "\u{1f600}", "b", "a"]) put(name, "");
  expect((await workspace.files.list(at("."))).map(({ name }) => name)).toEqual(["a", "b", "\u{1f600}", "\uff21"]);
});

describe("pieces", () => {
  test.each([-1, 0.5, Number.NaN, 2 ** 53])("from %d are none", async (from) => {
    const { put, at, workspace } = disk();
    put("f", "x");
    const first = workspace.files.chunks(at("f"), from)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject(failure("VALIDATION_ERROR"));
  });

  test("of a large file leave others their turn", async () => {
    const { put, at, workspace, on } = disk();
    put("f", "");
    fs.truncateSync(on("f"), 20 << 20);
    let turns = 0;
    let isReading = true;
    const count = () => {
      turns += 1;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    for await (const _ of workspace.files.chunks(at("f")));
    isReading = false;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("end with the file, also when it grows meanwhile", async () => {
    const { put, at, workspace, on } = disk();
    put("f", pattern(100_000));
    let length = 0;
    for await (const piece of workspace.files.chunks(at("f"))) {
      if (length === 0) fs.appendFileSync(on("f"), "more");
      length += piece.length;
    }
    expect(length).toBe(100_004);
  });
});

describe("a commit compares every byte", () => {
  test.each([
    ["the first", 0],
    ["one in the middle", 100_000],
    ["the last of a piece", 65_535],
    ["the first of the next", 65_536],
    ["the last", 199_999],
  ])("%s", async (_, at) => {
    const { put, on, at: place, workspace } = disk();
    const content = pattern(200_000);
    put("f", content);
    const change = { place: place("f"), before: content, after: Buffer.from("new") };
    const other = Buffer.from(content);
    other[at] = (other[at] ?? 0) ^ 1;
    fs.writeFileSync(on("f"), other);
    await expect(workspace.files.commit([change], async () => {})).rejects.toMatchObject(failure("CONFLICT"));
    fs.writeFileSync(on("f"), content);
    await workspace.files.commit([change], async () => {});
    expect(fs.readFileSync(on("f"), "utf8")).toBe("new");
  });

  test.each(["shorter", "longer"])("of a file that gets %s while it is compared", async (what) => {
    const { put, on, at, workspace, text } = disk();
    put("f", pattern(70_000));
    const change = { place: at("f"), before: pattern(70_000), after: Buffer.from("new") };
    const read = fs.readSync as (...given: unknown[]) => number;
    let isFirst = true;
    vi.spyOn(fs, "readSync").mockImplementation(((...given: unknown[]) => {
      const isOurs = targetOf(given[0] as number) === on("f");
      if (isOurs && isFirst && what === "longer") fs.appendFileSync(on("f"), "more");
      const count = read(...given);
      if (isOurs && isFirst && what === "shorter") fs.truncateSync(on("f"), 65_536);
      if (isOurs) isFirst = false;
      return count;
    }) as never);
    await expect(workspace.files.commit([change], async () => {})).rejects.toMatchObject(failure("CONFLICT"));
    expect(text("f")?.slice(0, 16)).toBe("0123456789abcdef");
  });
});

test("a listing tells kinds apart, in the order of names", async () => {
  const { put, at, workspace, on, leaks } = disk();
  for (const file of ["b", "a/x", "B", "many/3", "many/1", "many/4", "many/2", "many/5"]) put(file, "x");
  expect((await workspace.files.list(at("many"))).map(({ name }) => name).join("")).toBe("12345");
  fs.rmSync(on("many"), { recursive: true });
  fs.symlinkSync("b", on("l"));
  execFileSync("mkfifo", [on("p")]);
  expect((await workspace.files.list(at("."))).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "file B",
    "folder a",
    "file b",
    "link l",
    "other p",
  ]);
  expect(leaks()).toEqual([]);
});

test("a pipe in the place of a file is refused, and not held open", async () => {
  const { at, workspace, on, leaks } = disk();
  execFileSync("mkfifo", [on("p")]);
  await expect(workspace.files.read(at("p"))).rejects.toMatchObject(failure("VALIDATION_ERROR"));
  expect(await workspace.files.stat(at("p"))).toMatchObject({ kind: "other" });
  expect(leaks()).toEqual([]);
});
