import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, systemError } from "../../../test/contracts/disk.ts";
import { EVERY_FILE } from "../../core/words/code.ts";

let one: Disk;
beforeEach(() => {
  one = disk();
  for (const file of ["a", "d/b", "d/c", "e/f"]) one.put(file, file);
});
afterEach(() => void vi.restoreAllMocks());

const sha = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
const told = async (file: string, part?: string, known?: Map<string, boolean>) =>
  (await one.workspace.digest?.(file, part, known))?.hash;

describe("what a file holds", () => {
  test.each(["a", "./a", "d/../a", "d//../a", "<root>/a", "link"])("is told of %s", async (name) => {
    fs.symlinkSync("a", one.on("link"));
    expect(await told(name.replace("<root>", one.root))).toBe(sha("a"));
  });

  test("is nothing where there is no file", async () => {
    fs.symlinkSync("nowhere", one.on("dangling"));
    fs.symlinkSync("loop", one.on("loop"));
    for (const name of ["d", "missing", "missing/deep", "a/below", "dangling", "loop", "."])
      expect([name, await told(name)]).toEqual([name, undefined]);
  });

  test("is by its times where it is too large to be read for every question", async () => {
    one.put("large", "");
    fs.truncateSync(one.on("large"), 1 << 24);
    expect(await told("large")).toBe(sha(Buffer.alloc(1 << 24)));
    fs.truncateSync(one.on("large"), (1 << 24) + 1);
    const stamp = await told("large");
    expect(stamp).toMatch(/^stamp .*16777217/);
    fs.utimesSync(one.on("large"), 5, 5);
    expect(await told("large")).not.toBe(stamp);
  });

  test("a failure that says nothing about it is told", async () => {
    const stat = fs.statSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "statSync").mockImplementation(((...given: unknown[]) => {
      if (given[0] === one.on("a")) throw systemError("EIO");
      return stat(...given);
    }) as never);
    await expect(told("a")).rejects.toMatchObject({ code: "EIO" });
    expect(await told("d/b")).toBe(sha("d/b"));
  });

  test("what is known of folders is asked first, and noted", async () => {
    const known = new Map([[one.on("d"), false]]);
    expect(await told("d/b", undefined, known)).toBeUndefined();
    expect(await told("e/f", undefined, known)).toBe(sha("e/f"));
    expect(await told("new/x", undefined, known)).toBeUndefined();
    expect([known.get(one.on("e")), known.get(one.on("new")), known.get(one.root)]).toEqual([true, false, true]);
    const looked = vi.spyOn(fs, "statSync");
    expect(await told("new/y/z", undefined, known)).toBeUndefined();
    expect(looked.mock.calls.filter(([file]) => String(file).startsWith(one.on("new")))).toEqual([]);
  });

  test("folders that are known to be missing are not looked into, and a word that is no path is no file", async () => {
    const known = new Map<string, boolean>();
    expect(await told("nowhere/deep/x", undefined, known)).toBeUndefined();
    expect([known.get(one.on("nowhere")), known.get(one.on("nowhere/deep"))]).toEqual([false, false]);
    one.put("nowhere/deep/x", "late");
    expect(await told("nowhere/deep/x", undefined, known), "known by now").toBeUndefined();
    one.put("d/deep/c", "late");
    expect(await told("d/deep/c", undefined, known)).toBe(sha("late"));
    expect(known.get(one.on("d/deep"))).toBe(true);
    for (const word of ["a/x", "n".repeat(300), "x\0y", path.join("a", "b", "c")])
      expect(await told(word, undefined, known)).toBeUndefined();
  });

  test("a folder that cannot be looked at may hold something", async () => {
    const stat = fs.statSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "statSync").mockImplementation(((...given: unknown[]) => {
      if (given[0] === one.on("d")) throw systemError("EACCES");
      return stat(...given);
    }) as never);
    expect(await told("d/b", undefined, new Map())).toBe(sha("d/b"));
  });
});

describe("every file of a folder", () => {
  const all = (folder: string, known?: Map<string, boolean>) => told(folder, EVERY_FILE, known);

  test.each<[what: string, change: () => void]>([
    ["changed", () => one.put("d/b", "other")],
    ["made", () => one.put("d/new", "")],
    ["removed", () => fs.rmSync(one.on("d/c"))],
    ["renamed", () => fs.renameSync(one.on("d/c"), one.on("d/cc"))],
    ["exchanged", () => [one.put("d/b", "d/c"), one.put("d/c", "d/b")]],
  ])("is another when one is %s", async (_, change) => {
    const before = await all("d");
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await all("./d/../d")).toBe(before);
    change();
    expect(await all("d")).not.toBe(before);
  });

  test("is the same when one changes elsewhere", async () => {
    const before = await all("d");
    one.put("e/f", "other");
    expect(await all("d")).toBe(before);
  });

  test("is nothing where there is none", async () => {
    fs.mkdirSync(one.on("empty"));
    for (const name of ["empty", "missing", "a", "n".repeat(300), "x\0y"])
      expect([name.slice(0, 9), await all(name)]).toEqual([name.slice(0, 9), undefined]);
    expect(await all("d", new Map([[one.on("d"), false]]))).toBeUndefined();
    expect(await all("d", new Map())).toBe(await all("d"));
  });

  test("is told for so many, and no more", async () => {
    for (let n = 0; n < 200; n += 1) one.put(`many/f${n}`, "");
    expect(await all("many")).toBeDefined();
    one.put("many/last", "");
    await expect(all("many")).rejects.toThrow("too many");
  });

  test("a folder that cannot be listed is told as that", async () => {
    vi.spyOn(fs, "readdirSync").mockImplementation(() => {
      throw systemError("EACCES");
    });
    await expect(all("d")).rejects.toMatchObject({ code: "EACCES" });
  });

  test("leads to where the folder is", async () => {
    fs.symlinkSync("d", one.on("link"));
    expect((await one.workspace.digest?.("link", EVERY_FILE))?.place.real).toBe(path.join(one.root, "d"));
  });
});

test.each<[text: string, part: string]>([
  ["[1]", "null"],
  ['"text"', '"text"'],
  ["null", "null"],
  ["7", "7"],
  ["no json", "no json"],
  ['{"scripts":{"a":1},"b":2}', '{"a":1}'],
  ['{"b":2}', "null"],
])("of %s its scripts are %s", async (text, part) => {
  one.put("p.json", text);
  expect(await told("p.json", "scripts")).toBe(sha(part));
});
