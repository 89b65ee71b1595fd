import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, targetOf } from "../../../../test/contracts/disk.ts";
import { aftermath, watching } from "../../../../test/contracts/watching.ts";
import type { WatchLimits } from "./watch.ts";

afterEach(() => void vi.restoreAllMocks());

const nothing = { found: [], lost: [], whole: true };

/** From now on the disk's clock stands still for this file: whoever looks sees one and the same time. */
function stopClock(file: string, ms: number): void {
  const { ino } = fs.lstatSync(file);
  const frozen = { mtimeMs: ms, ctimeMs: ms, ino };
  const [byName, byNumber] = [fs.lstatSync, fs.fstatSync] as ((...given: unknown[]) => fs.Stats)[];
  vi.spyOn(fs, "lstatSync").mockImplementation(((...given: unknown[]) => {
    const stats = byName?.(...given);
    return stats && given[0] === file ? Object.assign(stats, frozen) : stats;
  }) as never);
  vi.spyOn(fs, "fstatSync").mockImplementation(((...given: unknown[]) => {
    const stats = byNumber?.(...given);
    return stats && targetOf(given[0] as number) === file ? Object.assign(stats, frozen) : stats;
  }) as never);
}
// a clock that is ahead leaves the same doubt as one that has just moved, at any speed of this machine
const young = () => Date.now() + 60_000;
const old = () => Date.now() - 60_000;

describe("two changes within one tick of the clock", () => {
  test("are two: a file that is young is compared, whatever its times say", async () => {
    const one = disk();
    one.put("f", "one");
    stopClock(one.on("f"), young());
    expect(await aftermath(one, () => fs.writeFileSync(one.on("f"), "two"))).toEqual({
      ...nothing,
      found: [{ file: "f", before: "one", after: "#two" }],
    });
    expect(await aftermath(one, () => {})).toEqual(nothing);
  });

  test("that lie before the watching leave no content of the first", async () => {
    const one = disk();
    one.put("f", "one");
    stopClock(one.on("f"), young());
    await aftermath(one, () => {});
    fs.writeFileSync(one.on("f"), "two");
    const { found } = await aftermath(one, () => fs.writeFileSync(one.on("f"), "six"));
    expect(found).toEqual([{ file: "f", before: "two", after: "#six" }]);
  });

  test("a file that nobody looked at closely is told by the time of its change alone", async () => {
    const one = disk({ watch: { lookedFiles: 0 } });
    one.put("f", "one");
    stopClock(one.on("f"), young());
    expect(await aftermath(one, () => {})).toEqual({ ...nothing, lost: ["f"] });
    vi.restoreAllMocks();
    stopClock(one.on("f"), old());
    expect(await aftermath(one, () => {})).toEqual(nothing);
  });
});

describe("what is kept in memory", () => {
  const readsOf = (file: string) => {
    let reads = 0;
    const read = fs.readSync as (...given: unknown[]) => number;
    vi.spyOn(fs, "readSync").mockImplementation(((...given: unknown[]) => {
      if (targetOf(given[0] as number) === file) reads += 1;
      return read(...given);
    }) as never);
    return () => reads;
  };

  test("is read once as long as the file is the same and old enough", async () => {
    const one = disk();
    one.put("f", "one");
    stopClock(one.on("f"), old());
    const reads = readsOf(one.on("f"));
    for (let turn = 0; turn < 3; turn += 1) await aftermath(one, () => {});
    expect(reads()).toBe(1);
  });

  test.each([
    ["its time", (file: string) => fs.utimesSync(file, 5, 5)],
    ["its number", (file: string) => fs.renameSync(`${file}-other`, file)],
    ["its size", (file: string) => fs.appendFileSync(file, "+")],
  ])("is read again when %s is another", async (_, change) => {
    const one = disk();
    one.put("f", "one");
    one.put("f-other", "one");
    await aftermath(one, () => {});
    change(one.on("f"));
    const now = one.text("f");
    const { found } = await aftermath(one, () => fs.writeFileSync(one.on("f"), "six!"));
    expect(found).toEqual([{ file: "f", before: now, after: "#six!" }]);
  });

  test("what changed between the look and the reading is known to nobody", async () => {
    const one = disk();
    one.put("f", "one");
    const open = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
      if (file === one.on("f")) fs.writeFileSync(file, "other");
      return open(file, ...more);
    });
    const watch = await watching(one);
    vi.restoreAllMocks();
    fs.writeFileSync(one.on("f"), "two");
    expect(await watch.end()).toMatchObject({ found: [], lost: ["f"] });
  });

  test("where not all fits, the newest is kept", async () => {
    const one = disk({ watch: { keptFiles: 1 } });
    for (const [file, at] of [
      ["new", 3000],
      ["old", 1000],
      ["older", 500],
    ] as const) {
      one.put(file, file);
      fs.utimesSync(one.on(file), at, at);
    }
    const { found, lost } = await aftermath(one, () => {
      for (const file of ["new", "old", "older"]) fs.writeFileSync(one.on(file), "x");
    });
    expect([found.map(({ file }) => file), lost]).toEqual([["new"], ["old", "older"]]);
  });

  test.each<[limits: Partial<WatchLimits>, kept: string[]]>([
    [{ keptBytes: 6 }, ["a", "b"]],
    [{ keptBytes: 5 }, ["a"]],
    [{ keptEach: 3 }, ["a", "b"]],
    [{ keptEach: 2 }, []],
    [{ keptFiles: 2 }, ["a", "b"]],
    [{ changes: 1 }, ["a"]],
    [{ changedBytes: 1 }, ["a"]],
  ])("within %j, of two files of three bytes %j come back", async (limits, kept) => {
    const one = disk({ watch: limits });
    for (const [file, at] of [
      ["a", 3000],
      ["b", 1000],
    ] as const) {
      one.put(file, "one");
      fs.utimesSync(one.on(file), at, at);
    }
    const { found, lost, whole } = await aftermath(one, () => {
      for (const file of ["a", "b"]) fs.writeFileSync(one.on(file), "x");
    });
    expect(found.map(({ file }) => file)).toEqual(kept);
    expect([lost, whole]).toEqual([["a", "b"].filter((file) => !kept.includes(file)), true]);
  });
});

describe("what is no change", () => {
  test.each<[what: string, act: (one: Disk) => void]>([
    ["nothing", () => {}],
    ["other times", ({ on }) => fs.utimesSync(on("f"), 5, 5)],
    ["the same content again", ({ on }) => fs.writeFileSync(on("f"), "one")],
    [
      "the same file under its old name",
      ({ on }) => {
        fs.renameSync(on("f"), on("x"));
        fs.renameSync(on("x"), on("f"));
      },
    ],
    [
      "an equal file in its place",
      ({ on }) => {
        fs.copyFileSync(on("f"), on("x"));
        fs.renameSync(on("x"), on("f"));
      },
    ],
    ["something in the gate's own folder", ({ put }) => put(".toolgate/x", "x")],
    ["a folder", ({ on }) => fs.mkdirSync(on("d"))],
  ])("%s", async (_, act) => {
    const one = disk();
    one.put("f", "one");
    expect(await aftermath(one, () => act(one))).toEqual(nothing);
  });

  test("a rename there and back of what nobody kept, but a touch of it is one", async () => {
    const one = disk({ watch: { keptFiles: 0 } });
    one.put("f", "one");
    const back = () => {
      fs.renameSync(one.on("f"), one.on("x"));
      fs.renameSync(one.on("x"), one.on("f"));
    };
    expect(await aftermath(one, back)).toEqual(nothing);
    expect((await aftermath(one, () => fs.utimesSync(one.on("f"), 5, 5))).lost).toEqual(["f"]);
    expect((await aftermath(one, () => fs.chmodSync(one.on("f"), 0o600))).lost).toEqual(["f"]);
  });
});

describe("what is a change", () => {
  test.each<[what: string, act: (one: Disk) => void, found: object[], lost: string[]]>([
    [
      "a mode",
      ({ on }) => fs.chmodSync(on("f"), 0o600),
      [{ file: "f", before: "one", after: "#one", modes: [0o644, 0o600] }],
      [],
    ],
    [
      "a removal",
      ({ on }) => fs.rmSync(on("f")),
      [{ file: "f", before: "one", after: null, modes: [0o644, undefined] }],
      [],
    ],
    [
      "a new file",
      ({ put }) => put("d/n", "new"),
      [{ file: "d/n", before: null, after: "#new", modes: [undefined, 0o644] }],
      [],
    ],
    [
      "the same size at the same time",
      ({ on }) => {
        const { atime, mtime } = fs.statSync(on("f"));
        fs.writeFileSync(on("f"), "two");
        fs.utimesSync(on("f"), atime, mtime);
      },
      [{ file: "f", before: "one", after: "#two" }],
      [],
    ],
    ["a new link", ({ on }) => fs.symlinkSync("f", on("l")), [], ["{root}/l"]],
    [
      "another target of a link",
      ({ on }) => {
        fs.rmSync(on("link"));
        fs.symlinkSync("elsewhere", on("link"));
      },
      [],
      ["{root}/link"],
    ],
    ["a link that is gone", ({ on }) => fs.rmSync(on("link")), [], ["link"]],
    ["a pipe", ({ on }) => execFileSync("mkfifo", [on("p")]), [], ["p"]],
    ["packages", ({ put }) => put("node_modules/x", "x"), [], ["node_modules"]],
    [
      "a folder that became a link to its like",
      ({ on }) => {
        fs.renameSync(on("e"), on("moved"));
        fs.symlinkSync("moved", on("e"));
      },
      [{ file: "moved/g", before: null, after: "#g", modes: [undefined, 0o644] }],
      ["{root}/e", "{root}/e/g"],
    ],
  ])("%s", async (_, act, found, lost) => {
    const one = disk();
    one.put("f", "one");
    one.put("e/g", "g");
    fs.symlinkSync("f", one.on("link"));
    const seen = await aftermath(one, () => act(one));
    expect(seen.found).toEqual(found);
    expect([seen.lost, seen.whole]).toEqual([lost.map((file) => file.replace("{root}", one.root)).sort(), true]);
  });

  test("what was only moved is known though it was not kept; what was changed on the way is not", async () => {
    const one = disk({ watch: { keptFiles: 0 } });
    for (const file of ["a", "b"]) one.put(file, file);
    const { found, lost } = await aftermath(one, () => {
      fs.renameSync(one.on("a"), one.on("moved"));
      fs.renameSync(one.on("b"), one.on("changed"));
      fs.writeFileSync(one.on("changed"), "other");
    });
    expect(found.find(({ file }) => file === "a")).toMatchObject({ before: "a", after: null });
    expect([found.some(({ file }) => file === "b"), lost]).toEqual([false, ["b"]]);
  });

  test.each([{ knownEach: 2 }, { changedBytes: 2 }])(
    "what was moved and is larger than %j is not read",
    async (limits) => {
      const one = disk({ watch: { keptFiles: 0, ...limits } });
      one.put("a", "abc");
      const { lost } = await aftermath(one, () => fs.renameSync(one.on("a"), one.on("moved")));
      expect(lost).toContain("a");
    },
  );
});

test("paths are told from the root that they are in", async () => {
  const other = disk();
  const one = disk({ roots: [other.root] });
  const { found } = await aftermath(one, () => {
    one.put("a", "a");
    other.put("b", "b");
  });
  expect(found.map(({ file }) => file).sort()).toEqual(["a", path.join(other.root, "b")].sort());
});
