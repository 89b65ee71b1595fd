import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, failure, systemError } from "../../../test/contracts/disk.ts";
import { type Folder, forgetMounts, openFolder } from "./opened.ts";
import { type Likeness, stage } from "./staging.ts";

afterEach(() => void vi.restoreAllMocks());

const space = fs.readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
const leftBy = (pid: number, itsSpace = space, letter = "0") => `.staged.${pid}.${itsSpace}.${letter.repeat(24)}`;
const DEAD = 4_194_304;

describe("a staged file", () => {
  let one: Disk;
  let folder: Folder;
  beforeEach(() => {
    one = disk();
    folder = openFolder(one.root, "root");
  });
  afterEach(() => folder.close());

  test.each<[what: string, put: (file: string, victim: string) => void]>([
    ["a file", (file) => fs.writeFileSync(file, "theirs")],
    ["a link to a file", (file, victim) => fs.symlinkSync(victim, file)],
    ["a link to nothing", (file, victim) => fs.symlinkSync(`${victim}-new`, file)],
  ])("is never written over or through %s that has its name", async (_, put) => {
    const victim = path.join(one.outside, "victim");
    fs.writeFileSync(victim, "theirs");
    put(one.on("name"), victim);
    await expect(stage(folder, "name", Buffer.from("mine"), {})).rejects.toMatchObject({ code: "EEXIST" });
    expect([fs.readFileSync(victim, "utf8"), fs.readdirSync(one.outside)]).toEqual(["theirs", ["victim"]]);
  });

  test.each<[what: string, like: Likeness, mode: number, owner: (number | undefined)[]]>([
    ["nothing", {}, 0o666 & ~process.umask(), []],
    ["a mode", { mode: 0o4751 }, 0o4751, []],
    ["an owner", { mode: 0o600, uid: 7 }, 0o600, [7, -1]],
    ["a group", { mode: 0o600, gid: 8 }, 0o600, [-1, 8]],
    ["both", { mode: 0o640, uid: 7, gid: 8 }, 0o640, [7, 8]],
  ])("looks as it is asked to, where that is %s", async (_, like, mode, owner) => {
    const chown = vi.spyOn(fs, "fchownSync").mockImplementation(() => {});
    await stage(folder, "name", Buffer.from("mine"), like);
    expect([one.text("name"), one.mode("name")]).toEqual(["mine", mode]);
    expect(chown.mock.calls.map(([, ...given]) => given)).toEqual(owner.length > 0 ? [owner] : []);
  });

  test("is a link where that is its kind, whatever it leads to", async () => {
    await stage(folder, "name", Buffer.from("../nowhere"), { mode: 0o120777 });
    expect(fs.readlinkSync(one.on("name"))).toBe("../nowhere");
  });

  test("keeps nothing open when the disk refuses it", async () => {
    vi.spyOn(fs, "writeSync").mockImplementation(() => {
      throw systemError("ENOSPC");
    });
    await expect(stage(folder, "name", Buffer.from("mine"), {})).rejects.toMatchObject({ code: "ENOSPC" });
    expect(one.leaks()).toEqual([one.root]);
  });
});

describe("what the dead left", () => {
  const swept = async (names: Record<string, number>) => {
    const one = disk();
    for (const [name, days] of Object.entries(names)) {
      one.put(`.toolgate/tmp/${name}`, "x");
      const then = new Date(Date.now() - days * 86_400_000);
      fs.utimesSync(one.on(`.toolgate/tmp/${name}`), then, then);
    }
    await one.commit([one.change("a", null, "1")]);
    return { ...one, left: one.staged().sort() };
  };

  test("goes at once in our own space of processes, and after a day in another", async () => {
    const kept = { [leftBy(process.pid)]: 9, [leftBy(DEAD, "1")]: 0.9, [leftBy(process.pid, "1")]: 0 };
    const gone = { [leftBy(DEAD)]: 0, [leftBy(DEAD, "1", "a")]: 1.1, [leftBy(process.pid, "1", "a")]: 2 };
    expect((await swept({ ...kept, ...gone })).left).toEqual(Object.keys(kept).sort());
  });

  test("is told by its name alone: nothing else is removed", async () => {
    const names = [
      "notes.txt",
      `${leftBy(DEAD)}.bak`,
      `x${leftBy(DEAD)}`,
      `.staged.${DEAD}.${space}.short`,
      leftBy(DEAD).replace("0".repeat(24), "G".repeat(24)),
    ];
    expect((await swept(Object.fromEntries(names.map((name) => [name, 30])))).left).toEqual(names.sort());
  });

  test("a process that is not ours to signal is not dead", async () => {
    vi.spyOn(process, "kill").mockImplementation(() => {
      throw systemError("EPERM");
    });
    expect((await swept({ [leftBy(DEAD)]: 0 })).left).toEqual([leftBy(DEAD)]);
  });

  test("is looked for once by each workspace", async () => {
    const { put, commit, change, staged } = await swept({});
    put(`.toolgate/tmp/${leftBy(DEAD)}`, "x");
    await commit([change("b", null, "1")]);
    expect(staged()).toEqual([leftBy(DEAD)]);
  });

  test("a look that fails is made again with the next change, and keeps nothing open", async () => {
    const one = disk();
    one.put(`.toolgate/tmp/${leftBy(DEAD)}`, "x");
    const read = vi.spyOn(fs, "readdirSync").mockImplementationOnce(() => {
      throw systemError("EACCES");
    });
    await expect(one.commit([one.change("a", null, "1")])).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    read.mockRestore();
    expect([one.text("a"), one.leaks()]).toEqual([undefined, []]);
    await one.commit([one.change("a", null, "1")]);
    expect([one.text("a"), one.staged()]).toEqual(["1", []]);
  });
});

describe("the note for git", () => {
  test("may be made by another process at the same moment", async () => {
    const { commit, change, text, on } = disk();
    const write = fs.writeFileSync;
    vi.spyOn(fs, "writeFileSync").mockImplementationOnce((...given) => {
      write(on(".toolgate/.gitignore"), "*\n");
      write(...given);
    });
    await commit([change("a", null, "1")]);
    expect([text("a"), text(".toolgate/.gitignore")]).toEqual(["1", "*\n"]);
  });

  test("that cannot be made stops the change", async () => {
    const { commit, change, text, leaks } = disk();
    vi.spyOn(fs, "writeFileSync").mockImplementationOnce(() => {
      throw systemError("ENOSPC");
    });
    await expect(commit([change("a", null, "1")])).rejects.toMatchObject(failure("IO_ERROR"));
    expect([text("a"), leaks()]).toEqual([undefined, []]);
  });

  test.each(["*\n", "a\n", "*", "*\n!x\n"])(
    "%j is what it shall be afterwards, and only what is right is left alone",
    async (there) => {
      const { put, commit, change, text, on } = disk();
      put(".toolgate/.gitignore", there);
      fs.utimesSync(on(".toolgate/.gitignore"), 1, 1);
      await commit([change("a", null, "1")]);
      expect(text(".toolgate/.gitignore")).toBe("*\n");
      expect(fs.statSync(on(".toolgate/.gitignore")).mtimeMs === 1000).toBe(there === "*\n");
    },
  );

  test("of any size that came in its place is not read", async () => {
    const { put, commit, change, text, on } = disk();
    put(".toolgate/.gitignore", "*\n");
    fs.truncateSync(on(".toolgate/.gitignore"), 3 * 1024 ** 3);
    await commit([change("a", null, "1")]);
    expect([text("a"), text(".toolgate/.gitignore")]).toEqual(["1", "*\n"]);
  });

  test("belongs to the root alone: a state elsewhere gets none", async () => {
    const { top, root } = disk();
    const { localWorkspace } = await import("../local.ts");
    const workspace = localWorkspace({ root, state: path.join(top, "state") });
    const place = await workspace.locate("a");
    await workspace.files.commit([{ place, before: null, after: Buffer.from("1") }], async () => {});
    expect([fs.readdirSync(path.join(top, "state")), fs.readdirSync(root)]).toEqual([["tmp"], ["a"]]);
  });
});

test("a change goes through a folder of its own where the one for staging is on another mount", async () => {
  const one = disk();
  one.put("d/f", "1");
  await one.commit([one.change("first", null, "1")]);
  forgetMounts();
  mountedElsewhere(one);
  let during: string[][] = [];
  await one.commit([one.change("d/f", "1", "2")], () => {
    during = [fs.readdirSync(one.on("d")).filter((name) => name !== "f"), one.staged()];
  });
  expect([during.map((names) => names.length), one.text("d/f")]).toEqual([[1, 0], "2"]);
  expect([fs.readdirSync(one.on("d")), one.leaks()]).toEqual([["f"], []]);
});

test("a folder that is mounted anew costs one change, which says so; the next one goes through", async () => {
  const one = disk();
  one.put("d/f", "1");
  forgetMounts();
  await one.commit([one.change("d/f", "1", "2")]);
  mountedElsewhere(one);
  const rename = fs.renameSync;
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    if (String(fs.realpathSync(path.dirname(String(from)))) !== one.on("d")) throw systemError("EXDEV");
    rename(from, to);
  });
  await expect(one.commit([one.change("d/f", "2", "3")])).rejects.toThrow("EXDEV");
  expect([one.text("d/f"), one.staged()]).toEqual(["2", []]);
  await one.commit([one.change("d/f", "2", "3")]);
  expect([one.text("d/f"), fs.readdirSync(one.on("d")), one.leaks()]).toEqual(["3", ["f"], []]);
});

/** The same device under two mounts looks alike but for this number. */
function mountedElsewhere(one: Disk): void {
  const elsewhere = path.join(one.top, "fdinfo");
  fs.writeFileSync(elsewhere, "pos:\t0\nmnt_id:\t987654321\n");
  const open = fs.openSync;
  const isBeside = (file: string) => /fdinfo\/\d+$/.test(file) && targetOfInfo(file) === one.on("d");
  vi.spyOn(fs, "openSync").mockImplementation((file, ...more) =>
    open(isBeside(String(file)) ? elsewhere : file, ...more),
  );
}

const targetOfInfo = (file: string): string => fs.readlinkSync(file.replace("fdinfo", "fd"));
