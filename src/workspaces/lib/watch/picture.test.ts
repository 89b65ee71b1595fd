import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { serialize } from "node:v8";
import { describe, expect, test, vi } from "vitest";
import { disk } from "../../../../test/contracts/disk.ts";
import { stopClock, watching, young } from "../../../../test/contracts/watching.ts";
import type { Bytes } from "../../../core/contracts/workspace.ts";
import { fromBytes } from "./picture.ts";
import { Budget, isFresh, isSkipped, Listing, lookAtAll, type Names, namesIn, STEP_MS } from "./tree.ts";

const hash = (bytes: Bytes): string => createHash("sha256").update(bytes).digest("hex");

describe("a watch that another process goes on with", () => {
  test("finds what was changed, made and removed since, with what it was", async () => {
    const one = disk();
    for (const file of ["changed", "removed", "same", "named"]) one.put(file, file);
    const place = one.at("named");
    const watch = await watching(one, { action: "write", place, certain: true });
    const picture = watch.picture?.() as Bytes;
    one.put("changed", "other");
    one.put("made", "new");
    one.put("named", "is told by who named it");
    fs.rmSync(one.on("removed"));
    const again = one.workspace.rewatch?.(picture, hash);
    expect(again?.known).toEqual([]);
    const { found, lost, whole } = (await again?.end()) ?? { found: [], lost: [], whole: false };
    const told = found.map(({ place: { shown }, before, after }) => [
      shown,
      before && Buffer.from(before).toString(),
      after,
    ]);
    expect(told.sort()).toEqual([
      ["changed", "changed", hash(Buffer.from("other"))],
      ["made", null, hash(Buffer.from("new"))],
      ["removed", "removed", null],
    ]);
    expect([lost, whole]).toEqual([[], true]);
  });

  test("what git holds is known to it as well", async () => {
    const one = disk();
    one.put("f", "committed\n");
    fs.utimesSync(one.on("f"), 1000, 1000);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: one.root });
    git("init", "-q");
    git("add", ".");
    const picture = (await watching(one)).picture?.() as Bytes;
    one.put("f", "other");
    const { found = [] } = (await one.workspace.rewatch?.(picture, hash)?.end()) ?? {};
    expect(found.map(({ before }) => before && Buffer.from(before).toString())).toEqual(["committed\n"]);
  });

  test("where there was too much to look at there is no picture, and none is made of anything else", async () => {
    const one = disk({ watch: { files: 1 } });
    for (const file of ["a", "b"]) one.put(file, "x");
    expect((await watching(one)).picture?.()).toBeUndefined();
    expect(one.workspace.rewatch?.(Buffer.from("nonsense"), hash)).toBeUndefined();
  });

  test("what is no picture is none", () => {
    const names = { files: ["/a"], others: new Map(), skipped: new Map(), folders: new Map() };
    const whole = { since: 1, names, states: [undefined], contents: new Map(), git: new Map(), apart: new Set(["/a"]) };
    expect(fromBytes(serialize(whole))).toMatchObject({ apart: new Set(["/a"]), picture: { since: 1 } });
    expect(fromBytes(serialize(whole))?.picture.listing.states).toEqual([undefined]);
    for (const part of [
      { contents: {} },
      { git: [] },
      { names: { ...names, others: {} } },
      { names: { ...names, skipped: undefined } },
      { names: { ...names, folders: [] } },
      { names: undefined },
      { states: undefined },
    ])
      expect(fromBytes(serialize({ ...whole, ...part })), JSON.stringify(part)).toBeUndefined();
    for (const bytes of [Buffer.alloc(0), Buffer.from("nonsense"), serialize("text"), serialize(null)])
      expect(fromBytes(bytes)).toBeUndefined();
  });
});

describe("files by name", () => {
  test("near ones first, never through a link, and nothing of what is skipped", async () => {
    const one = disk();
    for (const file of ["z", "d/a", "d/e/b", "node_modules/x", ".toolgate/y", ".git/HEAD", "d/node_modules/q"])
      one.put(file, "x");
    fs.symlinkSync("d", one.on("link"));
    const { files, others, skipped } = await namesIn([one.root], new Budget(100, 10_000));
    const shown = (paths: Iterable<string>) => [...paths].map((file) => file.slice(one.root.length + 1));
    expect(shown(files)).toEqual(["z", "d/a", "d/e/b"]);
    expect(shown(others.keys())).toEqual(["link"]);
    expect(shown(skipped.keys()).sort()).toEqual([".git", "d/node_modules", "node_modules"]);
    expect(["node_modules", "a/.git/b", ".toolgate", "a/b", "node_modules2"].map(isSkipped)).toEqual([
      ...[true, true, true, false, false],
    ]);
  });

  test("a repository that went somewhere else is told by its marks, packages by their folder", async () => {
    const one = disk();
    for (const file of ["node_modules/x", ".git/HEAD", ".git/logs/HEAD", ".git/logs/refs/stash", ".git/index"])
      one.put(file, "x");
    const signs = async () => (await namesIn([one.root], new Budget(100, 10_000))).skipped;
    const before = await signs();
    one.put(".git/index", "another");
    expect(await signs()).toEqual(before);
    for (const mark of [".git/HEAD", ".git/logs/HEAD", ".git/logs/refs/stash"]) {
      const then = await signs();
      one.put(mark, `${mark} longer`);
      expect((await signs()).get(one.on(".git")), mark).not.toBe(then.get(one.on(".git")));
    }
    fs.rmSync(one.on(".git"), { recursive: true });
    fs.mkdirSync(one.on(".git"));
    expect((await signs()).get(one.on(".git"))).toBe(",,");
    fs.utimesSync(one.on("node_modules"), 5, 5);
    expect((await signs()).get(one.on("node_modules"))).not.toBe(before.get(one.on("node_modules")));
  });

  test("a second look sees what came and went, in folders of any age", async () => {
    const one = disk();
    for (const file of ["a", "old/b", "old/c", "old/deep/d", "new/e", "old/node_modules/x"]) one.put(file, "x");
    const look = (before?: Names) => namesIn([one.root], new Budget(100, 10_000), before);
    const told = ({ files, others, skipped }: Names) => [files, [...others.keys()], [...skipped.keys()]];
    const settle = () => new Promise((done) => setTimeout(done, 30));
    const compare = async (before: Names) => expect(told(await look(before))).toEqual(told(await look()));
    // folders that were just made are read again, whatever their times say
    const fresh = await look();
    one.put("old/at-once", "x");
    await compare(fresh);
    for (const change of [
      () => {},
      () => one.put("old/deep/new", "x"),
      () => fs.rmSync(one.on("old/b")),
      () => fs.renameSync(one.on("old/c"), one.on("new/c")),
      () => fs.symlinkSync("a", one.on("old/link")),
      () => fs.renameSync(one.on("old/deep"), one.on("deep")),
      () => fs.rmSync(one.on("old"), { recursive: true }),
      () => fs.symlinkSync("new", one.on("old")),
    ]) {
      await settle();
      const before = await look();
      change();
      const after = await look(before);
      expect(told(after)).toEqual(told(await look()));
      await compare(after);
    }
  });

  test("a folder that is young is read again, whatever its times say", async () => {
    const one = disk();
    one.put("d/a", "x");
    stopClock(one.on("d"), young());
    const before = await namesIn([one.root], new Budget(100, 10_000));
    one.put("d/b", "x");
    const { files } = await namesIn([one.root], new Budget(100, 10_000), before);
    vi.restoreAllMocks();
    expect(files.map((file) => file.slice(one.root.length + 1))).toEqual(["d/a", "d/b"]);
    expect([STEP_MS - 1, STEP_MS].map((age) => isFresh({ ctimeMs: 1000 }, 1000 + age))).toEqual([true, false]);
  });

  test("a folder that is not there, or is none, holds nothing", async () => {
    const one = disk();
    one.put("file", "x");
    const { files, others } = await namesIn(["gone", "file", "."].map(one.on), new Budget(100, 10_000));
    expect([files, [...others]]).toEqual([[one.on("file")], []]);
  });

  test("a folder to which nothing was added is not read again", async () => {
    const one = disk();
    one.put("kept/a", "x");
    one.put("changed/b", "x");
    await new Promise((done) => setTimeout(done, 30));
    const before = await namesIn([one.root], new Budget(100, 10_000));
    one.put("changed/c", "x");
    const read = vi.spyOn(fs, "readdirSync");
    const { files } = await namesIn([one.root], new Budget(100, 10_000), before);
    expect(read.mock.calls.map(([folder]) => folder)).toEqual([one.on("changed")]);
    expect(files).toHaveLength(3);
    read.mockRestore();
  });

  test("so many may be looked at, and no more", async () => {
    const one = disk();
    for (const file of ["a", "b", "c"]) one.put(file, "x");
    await expect(namesIn([one.root], new Budget(2, 10_000))).rejects.toThrow();
    expect((await namesIn([one.root], new Budget(3, 10_000))).files).toHaveLength(3);
    const seen: string[] = [];
    const files = ["a", "b", "c"].map(one.on);
    await expect(lookAtAll(files, new Budget(2, 10_000), (file) => seen.push(file))).rejects.toThrow();
    expect(seen).toEqual(files.slice(0, 2));
    // time is looked at now and then
    const spent = new Budget(10_000, -1);
    expect(() => spent.spend(511)).not.toThrow();
    await expect(spent.spend(1)).rejects.toThrow();
    await expect(new Budget(10_000, 10_000).spend(512)).resolves.toBeUndefined();
    const many = Array.from({ length: 600 }, () => one.on("a"));
    await expect(lookAtAll(many, new Budget(10_000, -1), () => {})).rejects.toThrow();
    // and others get their turn
    let isTheirs = false;
    setImmediate(() => {
      isTheirs = true;
    });
    await new Budget(10_000, 10_000).spend(512);
    expect(isTheirs).toBe(true);
  });

  test("what is no file any more is left out", async () => {
    const one = disk();
    one.put("a", "x");
    fs.mkdirSync(one.on("b"));
    const seen: [string, number][] = [];
    const files = ["b", "gone", "a", "a/below"].map(one.on);
    await lookAtAll(files, new Budget(9, 10_000), (file, _, index) => seen.push([file, index]));
    expect(seen).toEqual([[one.on("a"), 2]]);
  });

  test("are found again in any order", () => {
    const listing = new Listing(["a", "b", "c", "d"]);
    expect(["a", "b", "d", "x", "a", "b", "c", "d", "c"].map((file) => listing.indexOf(file))).toEqual([
      ...[0, 1, 3, -1, 0, 1, 2, 3, 2],
    ]);
  });
});
