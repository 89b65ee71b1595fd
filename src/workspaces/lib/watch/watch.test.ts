import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk } from "../../../../test/contracts/disk.ts";
import { aftermath, old, stopClock, young } from "../../../../test/contracts/watching.ts";

afterEach(() => void vi.restoreAllMocks());

const nothing = { found: [], lost: [], whole: true };

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
    vi.restoreAllMocks();
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now);
    stopClock(one.on("f"), now);
    expect(await aftermath(one, () => {})).toEqual({ ...nothing, lost: ["f"] });
  });

  test("another mode is one, though the clock stood still", async () => {
    const one = disk();
    one.put("f", "one");
    stopClock(one.on("f"), old());
    const { found } = await aftermath(one, () => fs.chmodSync(one.on("f"), 0o600));
    expect(found).toEqual([{ file: "f", before: "one", after: "#one", modes: [0o644, 0o600] }]);
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
    [
      "a folder in the place of a file",
      ({ on }) => {
        fs.rmSync(on("f"));
        fs.mkdirSync(on("f"));
      },
      [],
      ["f"],
    ],
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

  test("what was moved as large as is read is known", async () => {
    const one = disk({ watch: { keptFiles: 0, knownEach: 3 } });
    one.put("a", "abc");
    const { found } = await aftermath(one, () => fs.renameSync(one.on("a"), one.on("moved")));
    expect(found.find(({ file }) => file === "a")).toMatchObject({ before: "abc", after: null });
  });

  test("what was kept is believed, not what a moved file of the same size and time holds now", async () => {
    const one = disk();
    one.put("a", "one");
    fs.utimesSync(one.on("a"), 1000, 1000);
    const { found } = await aftermath(one, () => {
      fs.renameSync(one.on("a"), one.on("moved"));
      fs.writeFileSync(one.on("moved"), "two");
      fs.utimesSync(one.on("moved"), 1000, 1000);
    });
    expect(found.find(({ file }) => file === "a")).toMatchObject({ before: "one", after: null });
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
