import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { when } from "../../test/capabilities.ts";
import { lateWorkspace } from "../../test/contracts/late.ts";
import { workspaceContract } from "../../test/contracts/workspace.ts";
import type { Workspace } from "../core/contracts/workspace.ts";
import type { Place } from "../core/words/touch.ts";
import { localWorkspace } from "./local.ts";

const onDisk = (wrap: (base: Workspace) => Workspace) => async () => {
  const root = await fs.promises.mkdtemp(path.join(os.tmpdir(), "toolgate-local-"));
  const workspace = wrap(localWorkspace({ root }));
  return {
    workspace,
    root,
    async peek(file: string) {
      const real = path.join(root, file);
      if (!fs.existsSync(real)) return undefined;
      return { bytes: fs.readFileSync(real), mode: fs.statSync(real).mode & 0o7777 };
    },
    async done() {
      await workspace.close();
      fs.rmSync(root, { recursive: true });
    },
  };
};

workspaceContract(
  "local",
  onDisk((base) => base),
);
workspaceContract("late", onDisk(lateWorkspace));

let top: string;
let root: string;
beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-local-")));
  root = path.join(top, "ws");
  fs.mkdirSync(root);
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(top, { recursive: true });
});

const nothing = async () => {};
const code = (wanted: string) => expect.objectContaining({ name: "ToolFailure", code: wanted });
const put = (file: string, content = "x") => fs.writeFileSync(path.join(root, file), content);
const at = (workspace: Workspace, file: string) => workspace.locate(file) as Place;
const write = (workspace: Workspace, file: string, before: string | null, after: string, mode?: number) =>
  workspace.files.commit(
    [
      {
        place: at(workspace, file),
        before: before === null ? null : Buffer.from(before),
        after: Buffer.from(after),
        ...(mode !== undefined && { mode }),
      },
    ],
    nothing,
  );
const staged = () => fs.readdirSync(path.join(root, ".toolgate/tmp"));
const opened = (fd: string): string => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
};
const descriptorsOpen = () => fs.readdirSync("/proc/self/fd").filter((fd) => opened(fd).startsWith(top)).length;

describe("special files", () => {
  test("a pipe or socket never hangs and is refused", async () => {
    const workspace = localWorkspace({ root });
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path.join(root, "pipe")]);
    const place = at(workspace, "pipe");
    const open = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((file, flags, ...more) => {
      if (file === place.real && (Number(flags) & fs.constants.O_NONBLOCK) === 0) throw new Error("this would hang");
      return open(file, flags, ...more);
    });
    expect(await workspace.files.stat(place)).toMatchObject({ kind: "other" });
    await expect(workspace.files.read(place)).rejects.toEqual(code("VALIDATION_ERROR"));
    await expect(workspace.files.chunks(place)[Symbol.asyncIterator]().next()).rejects.toEqual(
      code("VALIDATION_ERROR"),
    );
    await expect(write(workspace, "pipe", "", "x")).rejects.toEqual(code("VALIDATION_ERROR"));
    await expect(write(workspace, "pipe", null, "x")).rejects.toEqual(code("VALIDATION_ERROR"));
  });

  test("a file with several names is replaced under this name only", async () => {
    const workspace = localWorkspace({ root });
    put("one", "1");
    fs.linkSync(path.join(root, "one"), path.join(root, "two"));
    await write(workspace, "one", "1", "2");
    expect(fs.readFileSync(path.join(root, "two"), "utf8")).toBe("1");
  });
});

describe("commit on the disk", () => {
  test("one fsync for each file, none for folders", async () => {
    const workspace = localWorkspace({ root });
    await write(workspace, "warm", null, "x");
    const later = vi.spyOn(fs, "fsync");
    const others = [vi.spyOn(fs, "fsyncSync"), vi.spyOn(fs, "fdatasync"), vi.spyOn(fs, "fdatasyncSync")];
    const changes = ["a", "new/b", "new/c"].map((file) => ({
      place: at(workspace, file),
      before: null,
      after: Buffer.alloc(100_000),
    }));
    await workspace.files.commit(changes, nothing);
    expect(later).toHaveBeenCalledTimes(3);
    for (const other of others) expect(other).not.toHaveBeenCalled();
  });

  test("staging begins before the intent is kept, not after", async () => {
    const workspace = localWorkspace({ root });
    let seen: string[] = [];
    await workspace.files.commit([{ place: at(workspace, "a"), before: null, after: Buffer.from("x") }], async () => {
      seen = staged();
    });
    expect(seen).toHaveLength(1);
    expect(staged()).toEqual([]);
  });

  test("new files get what the umask leaves, setuid bits stay, staged files are nobody else's", async () => {
    const workspace = localWorkspace({ root });
    const mask = process.umask(0o027);
    try {
      await write(workspace, "new", null, "1");
    } finally {
      process.umask(mask);
    }
    expect(fs.statSync(path.join(root, "new")).mode & 0o7777).toBe(0o640);
    fs.chmodSync(path.join(root, "new"), 0o4750);
    await write(workspace, "new", "1", "2");
    expect(fs.statSync(path.join(root, "new")).mode & 0o7777).toBe(0o4750);
    expect(fs.statSync(path.join(root, ".toolgate/tmp")).mode & 0o777).toBe(0o700);
  });

  test("as root, the owner is kept", when(process.getuid?.() === 0, "only root may give files away"), async () => {
    const workspace = localWorkspace({ root });
    put("f", "1");
    fs.chownSync(path.join(root, "f"), 1234, 1235);
    await write(workspace, "f", "1", "2");
    expect(fs.statSync(path.join(root, "f"))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  test("if a later file fails, the earlier ones are put back and made folders go", async () => {
    const workspace = localWorkspace({ root });
    put("a", "1");
    put("z", "1");
    fs.chmodSync(path.join(root, "a"), 0o751);
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (String(to).endsWith("/z")) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      rename(from, to);
    });
    const changes = [
      { place: at(workspace, "a"), before: Buffer.from("1"), after: Buffer.from("2"), mode: 0o600 },
      { place: at(workspace, "deep/er/b"), before: null, after: Buffer.from("2") },
      { place: at(workspace, "z"), before: Buffer.from("1"), after: Buffer.from("2") },
    ];
    await expect(workspace.files.commit(changes, nothing)).rejects.toEqual(code("IO_ERROR"));
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("1");
    expect(fs.statSync(path.join(root, "a")).mode & 0o7777).toBe(0o751);
    expect(fs.readdirSync(root)).toEqual([".toolgate", "a", "z"]);
    expect(staged()).toEqual([]);
  });

  test("a failure while staging changes nothing and leaves nothing", async () => {
    const workspace = localWorkspace({ root });
    put("a", "1");
    vi.spyOn(fs, "fsync").mockImplementation((_, done) => done(Object.assign(new Error("bad disk"), { code: "EIO" })));
    await expect(write(workspace, "a", "1", "2")).rejects.toEqual(code("IO_ERROR"));
    expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("1");
    expect(staged()).toEqual([]);
  });

  test("many files at once keep few descriptors open and leave none", async () => {
    const workspace = localWorkspace({ root });
    let most = 0;
    const open = fs.openSync;
    vi.spyOn(fs, "openSync").mockImplementation((...given) => {
      most = Math.max(most, descriptorsOpen());
      return open(...given);
    });
    const changes = Array.from({ length: 200 }, (_, i) => ({
      place: at(workspace, `f${i}`),
      before: null,
      after: Buffer.from(`${i}`),
    }));
    await workspace.files.commit(changes, nothing);
    expect(most).toBeLessThan(40);
    expect(descriptorsOpen()).toBe(0);
  });
});

describe("the folder for state", () => {
  test("is made on first need, hidden from git, and swept of what the dead left", async () => {
    const workspace = localWorkspace({ root });
    put("a", "1");
    await workspace.files.read(at(workspace, "a"));
    expect(fs.readdirSync(root)).toEqual(["a"]);
    const space = fs.readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
    const name = (pid: number, itsSpace = space) => `.staged.${pid}.${itsSpace}.${"0".repeat(24)}`;
    const kept = [name(process.pid), name(process.ppid), name(4_194_304, "1"), "notes.txt"];
    fs.mkdirSync(path.join(root, ".toolgate/tmp"), { recursive: true });
    for (const file of [...kept, name(4_194_304)]) put(`.toolgate/tmp/${file}`);
    await write(workspace, "a", "1", "2");
    expect(staged().sort()).toEqual(kept.sort());
    expect(fs.readFileSync(path.join(root, ".toolgate/.gitignore"), "utf8")).toBe("*\n");
  });

  test.each<[string, (file: string) => void]>([
    ["other rules", (file) => fs.writeFileSync(file, "!store.db\n")],
    ["a link to them", (file) => fs.symlinkSync("../rules", file)],
    ["a folder", (file) => fs.mkdirSync(file)],
  ])("is hidden from git also where a repository brought %s", async (_, bring) => {
    put("rules", "!store.db\n");
    fs.mkdirSync(path.join(root, ".toolgate"));
    bring(path.join(root, ".toolgate/.gitignore"));
    await write(localWorkspace({ root }), "a", null, "1");
    expect(fs.readFileSync(path.join(root, ".toolgate/.gitignore"), "utf8")).toBe("*\n");
    expect(fs.readFileSync(path.join(root, "rules"), "utf8")).toBe("!store.db\n");
  });

  test("can be elsewhere, also on another device", async () => {
    const state = fs.mkdtempSync(path.join(fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "toolgate-state-"));
    try {
      const workspace = localWorkspace({ root, state: path.join(state, "deep") });
      put("a", "1");
      await write(workspace, "a", "1", "2");
      await write(workspace, "n/b", null, "3");
      expect(fs.readFileSync(path.join(root, "a"), "utf8")).toBe("2");
      expect(fs.readdirSync(root).sort()).toEqual(["a", "n"]);
      expect(fs.readdirSync(path.join(state, "deep/tmp"))).toEqual([]);
      expect(descriptorsOpen()).toBe(0);
    } finally {
      fs.rmSync(state, { recursive: true });
    }
  });

  test.each([".toolgate", ".toolgate/tmp"])(
    "a link at %s is refused and nothing is written behind it",
    async (link) => {
      const workspace = localWorkspace({ root });
      const outside = path.join(top, "outside");
      fs.mkdirSync(outside);
      if (link !== ".toolgate") fs.mkdirSync(path.join(root, ".toolgate"));
      fs.symlinkSync(outside, path.join(root, link));
      await expect(write(workspace, "a", null, "1")).rejects.toEqual(code("PERMISSION_DENIED"));
      expect(fs.readdirSync(outside)).toEqual([]);
    },
  );
});

test("chunks close what they opened, also when they are left early", async () => {
  const workspace = localWorkspace({ root });
  put("big", "x".repeat(1_000_000));
  for await (const _ of workspace.files.chunks(at(workspace, "big"))) break;
  for await (const _ of workspace.files.chunks(at(workspace, "big")));
  expect(descriptorsOpen()).toBe(0);
});

test("a root must be a folder", () => {
  put("file");
  for (const wrong of ["missing", "file"]) {
    expect(() => localWorkspace({ root: path.join(root, wrong) })).toThrow(code("CONFIG_ERROR"));
    expect(() => localWorkspace({ root, roots: [path.join(root, wrong)] })).toThrow(code("CONFIG_ERROR"));
  }
});

test("a root that is gone is not made again", async () => {
  const workspace = localWorkspace({ root });
  const place = at(workspace, "a");
  fs.rmdirSync(root);
  await expect(workspace.files.commit([{ place, before: null, after: Buffer.from("x") }], nothing)).rejects.toEqual(
    code("NOT_FOUND"),
  );
  expect(fs.existsSync(root)).toBe(false);
});

test("a place made by hand opens nothing outside", async () => {
  const workspace = localWorkspace({ root });
  for (const real of ["/etc/passwd", `${root}/${"../".repeat(20)}etc/passwd`, `${root}-evil/x`]) {
    const forged = { shown: "x", real, root, exists: true };
    await expect((async () => workspace.files.stat(forged))()).rejects.toBeDefined();
    await expect(workspace.files.read(forged)).rejects.toBeDefined();
    await expect(
      workspace.files.commit([{ place: forged, before: null, after: Buffer.from("x") }], nothing),
    ).rejects.toBeDefined();
  }
});
