import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { targetOf } from "../../../../test/contracts/disk.ts";
import { Leases } from "./leases.ts";

let base = "";
let folder = "";
const opened: Leases[] = [];
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-leases-")));
  folder = path.join(base, "sandbox");
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const each of opened.splice(0)) each.close();
  fs.rmSync(base, { recursive: true, force: true });
});
const open = (id: string): Leases => {
  const leases = new Leases(folder, id);
  opened.push(leases);
  return leases;
};
const lock = () => path.join(folder, "lock");
const leaseOf = (id: string) => path.join(folder, `${id}.lease`);
/** What a process of that number would have noted. */
const note = (id: string, lease: object | string) =>
  fs.writeFileSync(leaseOf(id), typeof lease === "string" ? lease : JSON.stringify(lease));

describe("one process at a time", () => {
  test("holds the lock while it acts, and gives it back whatever happens", () => {
    const leases = open("one");
    expect(leases.alone(() => fs.existsSync(lock()))).toBe(true);
    expect(fs.existsSync(lock())).toBe(false);
    expect(() =>
      leases.alone(() => {
        throw new Error("act");
      }),
    ).toThrow("act");
    expect(fs.existsSync(lock())).toBe(false);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(fs.statSync(leaseOf("one")).mode & 0o777).toBe(0o600);
  });

  test("one that was left by a process that was killed is taken over once it is old, not before", () => {
    const leases = open("one");
    leases.alone(() => {});
    fs.writeFileSync(lock(), "");
    const since = fs.lstatSync(lock()).ctimeMs;
    let now = since + 1990;
    const looks: number[] = [];
    vi.spyOn(Date, "now").mockImplementation(() => {
      looks.push(now);
      now += 1;
      return now;
    });
    expect(leases.alone(() => "done")).toBe("done");
    expect(Math.max(...looks) - since).toBeGreaterThanOrEqual(2000);
  });

  test("one that stays is told, after some patience", () => {
    const leases = open("one");
    leases.alone(() => {});
    fs.mkdirSync(lock());
    let now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => {
      now += 500;
      return now;
    });
    // as if somebody made it anew again and again
    const { lstatSync } = fs;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: never[]) =>
      file === lock() ? { ctimeMs: now } : lstatSync(file, ...more)) as typeof fs.lstatSync);
    const acted = vi.fn();
    expect(() => leases.alone(acted)).toThrow(/lock is in the way/);
    expect(acted).not.toHaveBeenCalled();
  });

  test("a folder that was cleared meanwhile is made again, with what is held in it", () => {
    const leases = open("one");
    leases.alone(() => leases.note(["/a"]));
    fs.rmSync(folder, { recursive: true });
    expect(leases.alone(() => fs.readdirSync(folder).sort())).toEqual(["lock", "one.lease"]);
  });

  test("a link in the folder's stead is not followed", () => {
    fs.mkdirSync(path.join(base, "elsewhere"));
    fs.symlinkSync("elsewhere", folder);
    expect(() => open("one").alone(() => {})).toThrow();
    expect(fs.readdirSync(path.join(base, "elsewhere"))).toEqual([]);
  });

  test("where a file cannot have two names, a lock is made; what else goes wrong is told", () => {
    const failing = (code: string) => () => {
      throw Object.assign(new Error(code), { code });
    };
    const leases = open("one");
    vi.spyOn(fs, "linkSync").mockImplementation(failing("EPERM"));
    expect(leases.alone(() => fs.existsSync(lock()))).toBe(true);
    expect(fs.existsSync(lock())).toBe(false);
    vi.spyOn(fs, "openSync").mockImplementation(failing("ENOSPC"));
    expect(() => leases.alone(() => {})).toThrow("ENOSPC");
  });
});

describe("where a file cannot have two names", () => {
  const refuse = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };

  test("what is held is told all the same", () => {
    vi.spyOn(fs, "linkSync").mockImplementation(refuse("EPERM"));
    const [one, two] = [open("one"), open("two")];
    one.alone(() => one.note(["/a"]));
    expect(two.alone(() => two.others())).toEqual({ living: ["/a"], dead: [] });
  });

  test("a lock that somebody has is waited for", () => {
    vi.spyOn(fs, "linkSync").mockImplementation(refuse("EPERM"));
    const leases = open("one");
    leases.alone(() => {});
    fs.writeFileSync(lock(), "theirs");
    let now = fs.lstatSync(lock()).ctimeMs;
    vi.spyOn(Date, "now").mockImplementation(() => {
      now += 100;
      if (now > 1500 + fs.lstatSync(leaseOf("one")).ctimeMs) fs.rmSync(lock(), { force: true });
      return now;
    });
    const seen: boolean[] = [];
    leases.alone(() => seen.push(fs.readFileSync(lock(), "utf8") === "theirs"));
    expect(seen).toEqual([false]);
  });

  test("a lock that cannot be made is no lock, and nothing is done", () => {
    const leases = open("one");
    leases.alone(() => {});
    vi.spyOn(fs, "linkSync").mockImplementation(refuse("EPERM"));
    const { openSync } = fs;
    vi.spyOn(fs, "openSync").mockImplementation((file, ...more) =>
      file === lock() ? refuse("ENOSPC")() : openSync(file, ...more),
    );
    const acted = vi.fn();
    expect(() => leases.alone(acted)).toThrow("ENOSPC");
    expect(acted).not.toHaveBeenCalled();
  });
});

test("one file stays open while it is in use, also in a folder that was cleared, and none afterwards", () => {
  const openBelow = () =>
    fs
      .readdirSync("/proc/self/fd")
      .map(targetOf)
      .filter((target) => target.startsWith(base)).length;
  const leases = open("one");
  leases.alone(() => {});
  expect(openBelow()).toBe(1);
  fs.rmSync(folder, { recursive: true });
  leases.alone(() => {});
  expect(openBelow()).toBe(1);
  leases.close();
  expect(openBelow()).toBe(0);
});

test("whoever lives and holds nothing is not taken for dead, however long ago it said so", () => {
  const [one, two] = [open("one"), open("two")];
  one.alone(() => {});
  two.alone(() => {});
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  expect(two.others()).toEqual({ living: [], dead: [] });
});

describe("what others hold", () => {
  const living = () => {
    const { pid } = process;
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return { pid, since: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] as string };
  };

  test("is told by those that live, by number and by when they began", () => {
    const [one, two] = [open("one"), open("two")];
    one.alone(() => one.note(["/a", "/b"]));
    two.alone(() => two.note(["/c"]));
    expect(one.others()).toEqual({ living: ["/c"], dead: [] });
    expect(two.others()).toEqual({ living: ["/a", "/b"], dead: [] });
    one.alone(() => one.note([]));
    expect(two.others().living).toEqual([]);
    expect(fs.readFileSync(leaseOf("one"), "utf8"), "written over in place").toMatch(/^\{.*\} +$/);
  });

  test.each([
    ["a number that nobody has", { pid: 2 ** 22 + 1, since: "1" }],
    ["a number that somebody else has by now", { pid: process.pid, since: "1" }],
  ])("%s is dead", (_, who) => {
    const one = open("one");
    one.alone(() => {});
    note("other", { ...who, paths: ["/a"] });
    const { living, dead } = one.others();
    expect([living, dead.map(({ paths }) => paths)]).toEqual([[], [["/a"]]]);
    fs.mkdirSync(path.join(folder, "other-spare-0"));
    fs.mkdirSync(path.join(folder, "other-spare-1/full"), { recursive: true });
    fs.mkdirSync(path.join(folder, "another-spare-0"));
    one.others().dead[0]?.forget();
    expect(fs.readdirSync(folder).sort()).toEqual(["another-spare-0", "one.lease", "other-spare-1"]);
  });

  test("another process is alive as long as it runs", async () => {
    const one = open("one");
    one.alone(() => {});
    const child = spawn("sleep", ["300"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const stat = fs.readFileSync(`/proc/${child.pid}/stat`, "latin1");
    note("other", { pid: child.pid, since: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19], paths: ["/a"] });
    expect(one.others()).toEqual({ living: ["/a"], dead: [] });
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(one.others().dead).toHaveLength(1);
  });

  test.each([
    ["nothing", ""],
    ["half of it", '{"pid":1,"since":"1","pa'],
    ["no paths", { ...{ pid: 1, since: "1" } }],
    ["paths that are none", { pid: 1, since: "1", paths: [1] }],
    ["paths of which one is none", { pid: 1, since: "1", paths: ["/a", 1] }],
    ["no number", { since: "1", paths: ["/a"] }],
  ])("one that says %s counts only once it is old, and holds nothing", (_, lease) => {
    const one = open("one");
    one.alone(() => {});
    note("other", lease);
    expect(one.others()).toEqual({ living: [], dead: [] });
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 5000);
    expect(one.others().dead.map(({ paths }) => paths)).toEqual([[]]);
  });

  test("only leases are read, and never one's own", () => {
    const one = open("one");
    one.alone(() => one.note(["/a"]));
    fs.writeFileSync(path.join(folder, "notes.txt"), JSON.stringify({ ...living(), paths: ["/b"] }));
    expect(one.others()).toEqual({ living: [], dead: [] });
    one.close();
    one.close();
    expect(fs.readdirSync(folder)).toEqual(["notes.txt"]);
  });
});
