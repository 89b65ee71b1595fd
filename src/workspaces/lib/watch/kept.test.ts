import fs from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, targetOf } from "../../../../test/contracts/disk.ts";
import { aftermath, old, stopClock, watching } from "../../../../test/contracts/watching.ts";
import type { WatchLimits } from "./watch.ts";

afterEach(() => void vi.restoreAllMocks());

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
      ["a-older", 500],
      ["b-old", 1000],
      ["c-new", 3000],
    ] as const) {
      one.put(file, file);
      fs.utimesSync(one.on(file), at, at);
    }
    const { found, lost } = await aftermath(one, () => {
      for (const file of ["a-older", "b-old", "c-new"]) fs.writeFileSync(one.on(file), "x");
    });
    expect([found.map(({ file }) => file), lost]).toEqual([["c-new"], ["a-older", "b-old"]]);
  });

  test.each<[limits: Partial<WatchLimits>, kept: string[]]>([
    [{ keptBytes: 6 }, ["a", "b"]],
    [{ keptBytes: 5 }, ["b"]],
    [{ keptFiles: 1 }, ["b"]],
    [{ keptEach: 3 }, ["a", "b"]],
    [{ keptEach: 2 }, []],
    [{ keptFiles: 2 }, ["a", "b"]],
    [{ changes: 1 }, ["a"]],
    [{ changedBytes: 1 }, ["a"]],
  ])("within %j, of two files of three bytes %j come back", async (limits, kept) => {
    const one = disk({ watch: limits });
    for (const [file, at] of [
      ["a", 1000],
      ["b", 3000],
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

  test("is read again when it is another file as old as the first", async () => {
    const one = disk();
    one.put("f", "one");
    stopClock(one.on("f"), old());
    await aftermath(one, () => {});
    vi.restoreAllMocks();
    fs.writeFileSync(one.on("f"), "two");
    stopClock(one.on("f"), old() + 1);
    const watch = await watching(one);
    vi.restoreAllMocks();
    fs.writeFileSync(one.on("f"), "six");
    const [found] = (await watch.end()).found;
    expect(String(found?.before && Buffer.from(found.before))).toBe("two");
  });

  test("is not waited for longer than it may take", async () => {
    const one = disk({ watch: { keepMs: 0 } });
    for (let n = 0; n < 600; n += 1) one.put(`f${n}`, "one");
    const { found, lost, whole } = await aftermath(one, () => {
      for (let n = 0; n < 600; n += 1) fs.writeFileSync(one.on(`f${n}`), "x");
    });
    expect([found.length, lost.length, whole]).toEqual([511, 89, true]);
  });

  test("is all that can be read, though one file cannot", async () => {
    const one = disk();
    for (const file of ["a", "b", "c"]) one.put(file, file);
    const open = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
      if (file === one.on("b")) throw new Error("not ours");
      return open(file, ...more);
    });
    const watch = await watching(one);
    vi.restoreAllMocks();
    for (const file of ["a", "b", "c"]) fs.writeFileSync(one.on(file), "new");
    const { found, lost, whole } = await watch.end();
    expect([found.map(({ place }) => place.shown), lost, whole]).toEqual([["a", "c"], ["b"], true]);
  });
});
