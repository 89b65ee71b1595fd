import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk } from "../../../../test/contracts/disk.ts";
import { aftermath, watching } from "../../../../test/contracts/watching.ts";
import type { PathTouch } from "../../../core/words/touch.ts";
import type { WatchLimits } from "./watch.ts";

afterEach(() => void vi.restoreAllMocks());

const nothing = { found: [], lost: [], whole: true };

describe("how much is looked at", () => {
  test.each<[limits: Partial<WatchLimits>, whole: boolean]>([
    [{ files: 3 }, true],
    [{ files: 2 }, false],
  ])("of three files, within %j: whole is %j", async (limits, whole) => {
    const one = disk({ watch: limits });
    for (const file of ["a", "b", "c"]) one.put(file, file);
    const seen = await aftermath(one, () => fs.writeFileSync(one.on("a"), "new"));
    expect([seen.whole, seen.found.length]).toEqual([whole, whole ? 1 : 0]);
  });

  test("afterwards up to twice as many files, and beyond that nothing is told", async () => {
    const one = disk({ watch: { files: 3 } });
    one.put("a", "a");
    const make = (from: number, to: number) => () => {
      for (let n = from; n < to; n += 1) one.put(`n${n}`, "x");
    };
    expect(await aftermath(one, make(0, 2))).toMatchObject({ whole: true });
    expect(await aftermath(one, make(2, 5))).toMatchObject({ whole: true });
    expect(await aftermath(one, make(5, 9))).toEqual({ found: [], lost: [], whole: false });
  });

  test("no longer than it may take", async () => {
    const one = disk({ watch: { scanMs: 0 } });
    for (let n = 0; n < 600; n += 1) one.put(`d${n % 3}/f${n}`, "x");
    expect(await aftermath(one, () => {})).toMatchObject({ whole: false });
    const slow = disk({ watch: { compareMs: 0 } });
    slow.put("a", "a");
    expect(
      await aftermath(slow, () => {
        for (let n = 0; n < 600; n += 1) slow.put(`n${n}`, "x");
      }),
    ).toMatchObject({ whole: false });
  });
});

test("a file that went while all were looked at hides no other", async () => {
  const one = disk();
  for (const file of ["a", "b"]) one.put(file, "one");
  const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
  vi.spyOn(fs, "lstatSync").mockImplementation(((...given: unknown[]) =>
    given[0] === one.on("a") ? undefined : look(...given)) as never);
  const watch = await watching(one);
  vi.restoreAllMocks();
  fs.writeFileSync(one.on("b"), "two");
  const { found, whole } = await watch.end();
  expect([found.map(({ place }) => place.shown), whole]).toEqual([["b"], true]);
});

describe("what a command names", () => {
  const touch = (one: Disk, action: PathTouch["action"], file: string, more: Partial<PathTouch> = {}): PathTouch => ({
    action,
    place: one.at(file),
    certain: true,
    ...more,
  });
  const known = async (one: Disk, ...touches: PathTouch[]) =>
    (await watching(one, ...touches)).known.map(({ place, before, modeBefore }) => [
      place.shown,
      before && Buffer.from(before).toString(),
      modeBefore,
    ]);

  test("is read before it runs, with its mode; what is not there is known to be missing", async () => {
    const one = disk();
    one.put("f", "one", 0o600);
    one.put("d/g", "g");
    one.put("d/e/h", "h");
    one.put(".toolgate/x", "x");
    one.put("d/node_modules/p", "p");
    fs.symlinkSync("g", one.on("d/link"));
    const all = ["f", "n", ".toolgate/x", "d"];
    expect(await known(one, ...all.map((file) => touch(one, "write", file)))).toEqual([
      ["f", "one", 0o600],
      ["n", null, undefined],
    ]);
    expect(await known(one, touch(one, "delete", "d"), touch(one, "delete", "d/g"))).toEqual([
      ["d/g", "g", 0o644],
      ["d/e/h", "h", 0o644],
    ]);
    expect(await known(one, touch(one, "delete", "f", { scope: "*" }), touch(one, "delete", "d/node_modules"))).toEqual(
      [],
    );
  });

  test.each<[limits: Partial<WatchLimits>, files: string[]]>([
    [{}, ["a", "b", "c"]],
    [{ knownFiles: 2 }, ["a", "b"]],
    [{ knownEach: 3 }, ["a", "b", "c"]],
    [{ knownEach: 2 }, []],
    [{ knownBytes: 6 }, ["a", "b"]],
    [{ knownBytes: 5 }, ["a"]],
  ])("within %j: %j", async (limits, files) => {
    const one = disk({ watch: limits });
    for (const file of ["a", "b", "c"]) one.put(file, "one");
    const named = await known(one, ...["a", "b", "c"].map((file) => touch(one, "write", file)));
    expect(named.map(([file]) => file)).toEqual(files);
  });

  test("twice counts once", async () => {
    const one = disk({ watch: { knownBytes: 6 } });
    for (const file of ["a", "b"]) one.put(file, "one");
    const named = await known(one, ...["a", "a", "b"].map((file) => touch(one, "write", file)));
    expect(named.map(([file]) => file)).toEqual(["a", "b"]);
  });

  test("takes no room from the rest of what is kept", async () => {
    const one = disk({ watch: { keptFiles: 1 } });
    for (const [file, at] of [
      ["named", 3000],
      ["other", 1000],
    ] as const) {
      one.put(file, "one");
      fs.utimesSync(one.on(file), at, at);
    }
    const change = () => fs.writeFileSync(one.on("other"), "two");
    expect(await aftermath(one, change, touch(one, "write", "named"))).toEqual({
      ...nothing,
      found: [{ file: "other", before: "one", after: "#two" }],
    });
  });

  test("a folder with more files than that is left to what is found by looking", async () => {
    for (const [most, count] of [
      [3, 3],
      [2, 0],
    ] as const) {
      const one = disk({ watch: { knownFiles: most } });
      for (const file of ["a", "b", "c"]) one.put(`d/${file}`, "one");
      expect(await known(one, touch(one, "delete", "d"))).toHaveLength(count);
    }
  });

  test("a link or pipe there, and what cannot be read, is not known, and harms nothing", async () => {
    const one = disk();
    one.put("f", "one");
    const [linked, piped, gone] = ["l", "p", "f"].map((file) => touch(one, "write", file)) as [
      PathTouch,
      PathTouch,
      PathTouch,
    ];
    fs.symlinkSync("f", one.on("l"));
    execFileSync("mkfifo", [one.on("p")]);
    expect(await known(one, linked, piped)).toEqual([]);
    const open = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, ...more) => {
      if (file === one.on("f") && (Number(flags) & 0o10000000) === 0) throw new Error("not ours");
      return open(file, flags, ...more);
    });
    expect(await known(one, gone)).toEqual([]);
  });

  test("is told once: not again among what is found", async () => {
    const one = disk();
    one.put("f", "one");
    one.put("g", "one");
    const change = () => {
      fs.rmSync(one.on("f"));
      fs.symlinkSync("g", one.on("f"));
      fs.writeFileSync(one.on("g"), "two");
    };
    expect(await aftermath(one, change, touch(one, "write", "f"))).toEqual({
      ...nothing,
      found: [{ file: "g", before: "one", after: "#two" }],
    });
  });
});
