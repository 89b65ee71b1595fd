import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, failure, systemError, targetOf } from "../../test/contracts/disk.ts";

afterEach(() => void vi.restoreAllMocks());

/** Calls the real function, after a look at what it is given. */
const watched = <K extends "renameSync" | "fsync" | "openSync" | "writeSync" | "unlinkSync" | "fchmodSync">(
  name: K,
  look: (...given: never[]) => void,
) => {
  const real = fs[name] as (...given: unknown[]) => unknown;
  return vi.spyOn(fs, name).mockImplementation(((...given: unknown[]) => {
    look(...(given as never[]));
    return real(...given);
  }) as never);
};

describe("what is on the disk, and when", () => {
  test("every file is synced after its last byte and its mode, and renamed only then", async () => {
    const { put, change, commit, text } = disk();
    put("a", "1", 0o600);
    const order: string[] = [];
    watched("writeSync", (fd: number) => order.push(`write ${path.basename(targetOf(fd))}`));
    watched("fchmodSync", (fd: number) => order.push(`mode ${path.basename(targetOf(fd))}`));
    vi.spyOn(fs, "fsync").mockImplementation(((fd: number, done: (error: null) => void) => {
      const name = path.basename(targetOf(fd));
      // the disk takes its time
      setTimeout(() => {
        order.push(`synced ${name}`);
        done(null);
      }, 5);
    }) as never);
    watched("renameSync", (from: string) => order.push(`rename ${path.basename(from)}`));
    await commit([change("a", "1", "22"), change("b", null, "3", 0o640)], () => order.push("intended"));
    expect([text("a"), text("b")]).toEqual(["22", "3"]);
    const names = [...new Set(order.flatMap((each) => /\.staged\S+/.exec(each) ?? []))];
    expect(names).toHaveLength(2);
    for (const name of names) {
      const own = order.filter((each) => each.endsWith(name)).map((each) => each.split(" ")[0]);
      expect(own).toEqual(["write", "mode", "synced", "rename"]);
    }
    const firstRename = order.findIndex((each) => each.startsWith("rename"));
    expect(order.slice(0, firstRename).filter((each) => each.startsWith("synced"))).toHaveLength(2);
    expect(order.indexOf("intended")).toBeLessThan(firstRename);
  });

  test("a slow intent is waited for, and until then nothing is renamed or removed", async () => {
    const { put, change, commit, text } = disk();
    put("a", "1");
    put("gone", "1");
    const touched: string[] = [];
    watched("renameSync", () => touched.push("rename"));
    watched("unlinkSync", () => touched.push("unlink"));
    let before = -1;
    await commit([change("a", "1", "2"), change("gone", "1", null)], async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      before = touched.length;
    });
    expect([before, touched.sort(), text("a"), text("gone")]).toEqual([0, ["rename", "unlink"], "2", undefined]);
  });

  test.each([10, 9 << 20])("a disk that takes little at a time gets all %i bytes", async (size) => {
    const { change, commit, on, at } = disk();
    const content = Buffer.alloc(size, "0123456789abcdef");
    const [atOnce, later] = [fs.writeSync, fs.write] as ((...given: unknown[]) => number)[];
    const part = (length: number) => Math.max(1, Math.ceil(length / 3));
    vi.spyOn(fs, "writeSync").mockImplementation(((fd: number, from: Buffer, at: number, length: number, to: number) =>
      atOnce!(fd, from, at, part(length), to)) as never);
    vi.spyOn(fs, "write").mockImplementation(((
      fd: number,
      from: Buffer,
      at: number,
      length: number,
      to: number,
      done: unknown,
    ) => later!(fd, from, at, part(length), to, done)) as never);
    await commit([{ ...change("a", null, ""), place: at("a"), after: content }]);
    expect(fs.readFileSync(on("a")).equals(content)).toBe(true);
  });

  test.each([1, 17])("of %i files, the stamps are told of a few, as they are in their place", async (count) => {
    const { change, commit, at, workspace, leaks } = disk();
    await commit([change("d/there", null, "")]);
    const changes = Array.from({ length: count }, (_, index) => change(`d/f${index}`, null, "new"));
    const stamps = await commit(changes);
    const isFew = count === 1;
    for (const [index, stamp] of (stamps ?? []).entries())
      expect(stamp).toEqual(isFew ? (await workspace.files.stat(at(`d/f${index}`)))?.stamp : undefined);
    expect([stamps?.length, leaks()]).toEqual([count, []]);
  });

  test("a large file that cannot be written whole is not put in place", async () => {
    const { put, change, commit, text, staged, leaks } = disk();
    put("a", "1");
    vi.spyOn(fs, "write").mockImplementation(((...given: unknown[]) =>
      (given.at(-1) as (error: Error) => void)(systemError("ENOSPC"))) as never);
    const large = { ...change("a", "1", ""), after: Buffer.alloc(9 << 20) };
    await expect(commit([large])).rejects.toMatchObject(failure("IO_ERROR"));
    expect([text("a"), staged(), leaks()]).toEqual(["1", [], []]);
  });
});

describe("modes and owners", () => {
  test("what is staged can be read by no more people than the file it will be", async () => {
    const { put, change, commit, mode } = disk();
    put("secret", "1", 0o600);
    const seen: number[] = [];
    watched("writeSync", (fd: number) => {
      if (targetOf(fd).includes(".staged")) seen.push(fs.fstatSync(fd).mode & 0o077);
    });
    await commit([change("secret", "1", "2"), change("new", null, "3", 0o600)]);
    expect([seen, mode("secret"), mode("new")]).toEqual([[0, 0], 0o600, 0o600]);
  });

  test("bits beyond a mode are not taken from a change", async () => {
    const { change, commit, mode } = disk();
    await commit([change("a", null, "1", 0o100755)]);
    expect(mode("a")).toBe(0o755);
  });

  test("a new file has nobody's group but its folder's, and that only where the folder hands it down", async () => {
    const { put, change, commit, on } = disk();
    for (const [folder, mode] of [
      ["shared", 0o2775],
      ["plain", 0o775],
    ] as const) {
      put(`${folder}/old`, "1");
      fs.chownSync(on(folder), process.getuid?.() ?? 0, process.getuid?.() === 0 ? 1235 : (process.getgid?.() ?? 0));
      fs.chmodSync(on(folder), mode);
      await commit([change(`${folder}/new`, null, "1")]);
    }
    expect(fs.statSync(on("shared/new")).gid).toBe(fs.statSync(on("shared")).gid);
    expect(fs.statSync(on("plain/new")).gid).toBe(process.getgid?.());
  });

  test("whoever may not give a file away keeps it, and the change is made", async () => {
    const { put, change, commit, text } = disk();
    put("a", "1");
    vi.spyOn(process, "getuid").mockReturnValue(0);
    const chown = vi.spyOn(fs, "fchownSync").mockImplementation(() => {
      throw systemError("EPERM");
    });
    await commit([change("a", "1", "2")]);
    expect([text("a"), chown.mock.calls.length]).toEqual(["2", 1]);
    chown.mockClear();
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    await commit([change("a", "2", "3"), change("new", null, "1")]);
    expect([text("a"), chown.mock.calls.length]).toEqual(["3", 0]);
  });
});

describe("a change that fails half way", () => {
  const failing = (ends: string) => {
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (String(to).endsWith(ends)) throw systemError("ENOSPC");
      rename(from, to);
    });
  };

  test("removed files come back with content, mode and owner; made ones and their folders go", async () => {
    const { put, change, commit, text, mode, on, root, staged, leaks } = disk();
    put("gone", "was here", 0o4711);
    if (process.getuid?.() === 0) fs.chownSync(on("gone"), 1234, 1235);
    fs.chmodSync(on("gone"), 0o4711);
    const { uid, gid } = fs.statSync(on("gone"));
    put("z", "1");
    failing("/z");
    await expect(
      commit([change("gone", "was here", null), change("d/e/new", null, "n"), change("z", "1", "2")]),
    ).rejects.toMatchObject(failure("IO_ERROR"));
    expect([text("gone"), mode("gone"), text("z")]).toEqual(["was here", 0o4711, "1"]);
    expect(fs.statSync(on("gone"))).toMatchObject({ uid, gid });
    expect([fs.readdirSync(root).sort(), staged(), leaks()]).toEqual([[".toolgate", "gone", "z"], [], []]);
  });

  test("a folder that somebody else uses by now stays, with what is theirs", async () => {
    const { put, change, commit, text, on, leaks } = disk();
    put("z", "1");
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (!String(to).endsWith("/z")) return rename(from, to);
      fs.writeFileSync(on("d/theirs"), "theirs");
      throw systemError("EIO");
    });
    await expect(commit([change("d/new", null, "n"), change("z", "1", "2")])).rejects.toMatchObject(
      failure("IO_ERROR"),
    );
    expect([text("d/theirs"), text("d/new"), leaks()]).toEqual(["theirs", undefined, []]);
  });

  test("what cannot be put back is named, and the rest is put back all the same", async () => {
    const { put, change, commit, text, on, leaks } = disk();
    for (const file of ["a", "b", "c", "z"]) put(file, "1");
    const rename = fs.renameSync;
    let failed = false;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      const name = path.basename(String(to));
      failed ||= name === "z";
      if (name === "z" || (failed && name === "b")) throw systemError("EIO");
      rename(from, to);
    });
    const told = await commit(["a", "b", "c", "z"].map((file) => change(file, "1", "2"))).catch((error) => error);
    expect(told).toMatchObject(failure("IO_ERROR"));
    expect(told.message).toMatch(/^z: the disk says EIO.* could not be reverted: b\.$/);
    expect(["a", "b", "c", "z"].map(text)).toEqual(["1", "2", "1", "1"]);
    expect(fs.readdirSync(on(".")).filter((name) => name.startsWith(".staged"))).toEqual([]);
    expect(leaks()).toEqual([]);
  });

  test("the last change is taken back first", async () => {
    const { put, change, commit } = disk();
    for (const file of ["a", "b", "z"]) put(file, "1");
    const back: string[] = [];
    const rename = fs.renameSync;
    let failed = false;
    vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (failed) back.push(path.basename(String(to)));
      failed ||= String(to).endsWith("/z");
      if (String(to).endsWith("/z")) throw systemError("EIO");
      rename(from, to);
    });
    await commit(["a", "b", "z"].map((file) => change(file, "1", "2"))).catch(() => {});
    expect(back).toEqual(["b", "a"]);
  });

  test("a file that cannot be staged leaves no other's beside, even if those take longer", async () => {
    const { change, commit, staged, root, leaks } = disk();
    let calls = 0;
    vi.spyOn(fs, "fsync").mockImplementation(((_: number, done: (error: Error | null) => void) => {
      calls += 1;
      if (calls === 1) done(systemError("EIO"));
      else setTimeout(() => done(null), 20);
    }) as never);
    const changes = Array.from({ length: 40 }, (_, i) => change(`f${i}`, null, "x"));
    await expect(commit(changes)).rejects.toMatchObject(failure("IO_ERROR"));
    expect([staged(), fs.readdirSync(root), leaks()]).toEqual([[], [".toolgate"], []]);
  });

  test("an intent that fails is the reason that is told, after all staging has ended", async () => {
    const { put, change, commit, text, staged, leaks } = disk();
    put("a", "1");
    vi.spyOn(fs, "fsync").mockImplementation(((_: number, done: (error: Error | null) => void) =>
      setTimeout(() => done(systemError("EIO")), 20)) as never);
    const attempt = commit([change("a", "1", "2")], () => {
      throw new Error("not kept");
    });
    await expect(attempt).rejects.toThrow("not kept");
    expect([text("a"), staged(), leaks()]).toEqual(["1", [], []]);
  });

  test("nothing that was not there and shall not be there is no change, and no harm to what is made with it", async () => {
    const { put, change, commit, text } = disk();
    put("z", "1");
    await commit([change("n/none", null, null), change("a", null, "1")]);
    expect([text("a"), text("n")]).toEqual(["1", undefined]);
    failing("/z");
    await expect(commit([change("n/none", null, null), change("z", "1", "2")])).rejects.toMatchObject({
      ...failure("IO_ERROR"),
      message: expect.not.stringContaining("could not be reverted"),
    });
  });
});
