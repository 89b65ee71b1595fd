import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk, failure, systemError, targetOf } from "../../test/contracts/disk.ts";
import { forgetMounts } from "./lib/opened.ts";
import { localWorkspace } from "./local.ts";

afterEach(() => void vi.restoreAllMocks());

/** What may happen to `f` while the intent of a change is being kept. */
const meanwhile: Record<string, (on: Disk["on"]) => void> = {
  "gets another content of the same length": (on) => fs.writeFileSync(on("f"), "two"),
  "gets longer": (on) => fs.appendFileSync(on("f"), "!"),
  "gets shorter": (on) => fs.truncateSync(on("f"), 1),
  "becomes empty": (on) => fs.truncateSync(on("f"), 0),
  "is removed": (on) => fs.rmSync(on("f")),
  "is replaced by a folder": (on) => {
    fs.rmSync(on("f"));
    fs.mkdirSync(on("f"));
  },
  "is replaced by a pipe": (on) => {
    fs.rmSync(on("f"));
    execFileSync("mkfifo", [on("f")]);
  },
  "is replaced by a link to its like": (on) => {
    fs.renameSync(on("f"), on("moved"));
    fs.symlinkSync("moved", on("f"));
  },
};
const dueCode = (what: string) =>
  /folder|pipe/.test(what) ? "VALIDATION_ERROR" : /link/.test(what) ? "PERMISSION_DENIED" : "CONFLICT";

describe.each(Object.keys(meanwhile))("a file that %s between the look and the change", (what) => {
  test.each([
    ["replaced", "new"],
    ["removed", null],
  ] as const)("is not %s, nor is anything else", async (_, after) => {
    const { put, change, commit, text, on, staged, leaks } = disk();
    put("a", "1");
    put("f", "one");
    let untouched: string | undefined;
    const attempt = commit([change("a", "1", "2"), change("d/n", null, "n"), change("f", "one", after)], () => {
      meanwhile[what]?.(on);
      untouched = lookOf(on("f"));
    });
    await expect(attempt).rejects.toMatchObject(failure(dueCode(what)));
    expect([lookOf(on("f")), text("a"), fs.existsSync(on("d"))]).toEqual([untouched, "1", false]);
    expect([staged(), leaks()]).toEqual([[], []]);
  });
});

const lookOf = (file: string): string => {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mode} ${stats.isFile() ? fs.readFileSync(file, "utf8") : ""}` : "none";
};

describe("a file that is to be made", () => {
  test.each<[what: string, appear: (file: string) => void, code: string]>([
    ["a file", (file) => fs.writeFileSync(file, "theirs"), "CONFLICT"],
    ["an empty file", (file) => fs.writeFileSync(file, ""), "CONFLICT"],
    ["a folder", (file) => fs.mkdirSync(file), "VALIDATION_ERROR"],
    ["a link", (file) => fs.symlinkSync("elsewhere", file), "PERMISSION_DENIED"],
  ])("is not made over %s that came into being meanwhile", async (_, appear, code) => {
    const { put, change, commit, text, on, staged } = disk();
    put("a", "1");
    let there = "";
    const attempt = commit([change("a", "1", "2"), change("n", null, "mine")], () => {
      appear(on("n"));
      there = lookOf(on("n"));
    });
    await expect(attempt).rejects.toMatchObject(failure(code));
    expect([lookOf(on("n")), text("a"), staged()]).toEqual([there, "1", []]);
  });

  test("in a folder that became a file meanwhile is refused", async () => {
    const { put, change, commit, text, on } = disk();
    put("d/old", "1");
    const attempt = commit([change("d/n", null, "mine")], () => {
      fs.rmSync(on("d"), { recursive: true });
      fs.writeFileSync(on("d"), "a file");
    });
    await expect(attempt).rejects.toMatchObject(failure("VALIDATION_ERROR"));
    expect(text("d")).toBe("a file");
  });

  test("in a folder that somebody else makes at the same moment is made there", async () => {
    const { change, commit, text } = disk();
    const mkdir = fs.mkdirSync as (...given: unknown[]) => unknown;
    await commit([change("first", null, "1")]);
    vi.spyOn(fs, "mkdirSync").mockImplementation(((...given: unknown[]) => {
      mkdir(...given);
      return mkdir(...given);
    }) as never);
    await commit([change("d/e/n", null, "mine")]);
    expect(text("d/e/n")).toBe("mine");
  });

  test("in a folder that cannot be made fails by the system's word, and leaves what it made", async () => {
    const { put, change, commit, root, text, leaks } = disk();
    put("a", "1");
    await commit([change("first", null, "1")]);
    const mkdir = fs.mkdirSync as (...given: unknown[]) => unknown;
    vi.spyOn(fs, "mkdirSync").mockImplementation(((at: string, ...more: unknown[]) => {
      if (at.endsWith("/e")) throw systemError("ENOSPC");
      return mkdir(at, ...more);
    }) as never);
    await expect(commit([change("a", "1", "2"), change("d/e/n", null, "mine")])).rejects.toMatchObject(
      failure("IO_ERROR"),
    );
    expect([text("a"), fs.readdirSync(root), leaks()]).toEqual(["1", [".toolgate", "a", "first"], []]);
  });
});

describe("what is hopeless from the beginning is not even intended", () => {
  test.each<[what: string, there: string | null, before: string | null, after: string | null]>([
    ["a file that is longer", "one more", "one", "new"],
    ["a file that is shorter", "o", "one", "new"],
    ["a file that is there", "one", null, "new"],
    ["an empty file that is there", "", null, "new"],
    ["a file that is gone", null, "one", "new"],
    ["an empty file that is gone", null, "", "new"],
    ["a file to be removed that is gone", null, "one", null],
  ])("%s", async (_, there, before, after) => {
    const { put, change, commit, text, leaks } = disk();
    put("a", "1");
    if (there !== null) put("f", there);
    let intended = 0;
    const attempt = commit([change("a", "1", "2"), change("f", before, after)], () => {
      intended += 1;
    });
    const message = expect.stringMatching(
      there === null ? /was removed/ : before === null ? /was created/ : /has changed/,
    );
    await expect(attempt).rejects.toMatchObject({ ...failure("CONFLICT"), message });
    expect([intended, text("a"), text("f") ?? null, leaks()]).toEqual([0, "1", there, []]);
  });

  test("a folder in the place of a file, a file in the place of a folder, one file twice", async () => {
    const { put, change, commit, at, leaks } = disk();
    put("d/f", "1");
    const made = { ...at("d/f"), shown: "d/f/x", real: `${at("d/f").real}/x`, exists: false };
    const wrong = [
      [{ ...change("d", null, "x"), before: Buffer.alloc(0) }],
      [{ place: made, before: null, after: Buffer.from("x") }],
      [change("d/f", "1", "2"), change("d/f", "1", "3")],
    ];
    const says = [/is a folder/, /cannot exist: a part of its path/, /twice/];
    for (const [index, changes] of wrong.entries()) {
      let intended = 0;
      const attempt = commit(changes, () => {
        intended += 1;
      });
      const message = expect.stringMatching(says[index] as RegExp);
      await expect(attempt).rejects.toMatchObject({ ...failure("VALIDATION_ERROR"), message });
      expect([intended, leaks()]).toEqual([0, []]);
    }
  });
});

describe("a link that is put in the way", () => {
  const uses: Record<string, (one: Disk, file: ReturnType<Disk["at"]>) => unknown> = {
    stat: ({ workspace }, file) => workspace.files.stat(file),
    read: ({ workspace }, file) => workspace.files.read(file),
    chunks: async ({ workspace }, file) => {
      for await (const _ of workspace.files.chunks(file));
    },
    list: ({ workspace, at }) => workspace.files.list(at("d")),
    write: ({ commit }, file) => commit([{ place: file, before: Buffer.from("secret"), after: Buffer.from("x") }]),
    make: ({ commit }, file) => commit([{ place: file, before: null, after: Buffer.from("x") }]),
  };
  test.each(["stat", "read", "chunks", "write", "make"])(
    "before %s: what it leads to is not even opened",
    async (use) => {
      const one = disk();
      one.put("f", "inside");
      fs.writeFileSync(path.join(one.outside, "f"), "secret");
      const place = one.at("f");
      fs.rmSync(one.on("f"));
      fs.symlinkSync(path.join(one.outside, "f"), one.on("f"));
      const opened: string[] = [];
      const open = fs.openSync;
      vi.spyOn(fs, "openSync").mockImplementation((...given) => {
        const fd = open(...given);
        opened.push(targetOf(fd));
        return fd;
      });
      await expect((async () => uses[use]?.(one, place))()).rejects.toMatchObject(failure("PERMISSION_DENIED"));
      expect(opened.filter((target) => target.startsWith(one.outside))).toEqual([]);
      expect(one.leaks()).toEqual([]);
    },
  );

  test.each(["stat", "read", "chunks", "write", "make"])(
    "as a folder above, before %s: refused as such, and nothing stays open",
    async (use) => {
      const one = disk();
      one.put("d/f", "inside");
      fs.writeFileSync(path.join(one.outside, "f"), "secret");
      const place = one.at("d/f");
      fs.rmSync(one.on("d"), { recursive: true });
      fs.symlinkSync(one.outside, one.on("d"));
      await expect((async () => uses[use]?.(one, place))()).rejects.toMatchObject(failure("PERMISSION_DENIED"));
      expect(one.leaks()).toEqual([]);
    },
  );

  test("as the folder itself, before a listing", async () => {
    const one = disk();
    one.put("d/f", "inside");
    const place = one.at("d");
    fs.rmSync(one.on("d"), { recursive: true });
    fs.symlinkSync(one.outside, one.on("d"));
    await expect(one.workspace.files.list(place)).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect(one.leaks()).toEqual([]);
  });
});

test("a folder that may not be looked into is not passed over on the way up", async () => {
  const { put, change, commit, leaks } = disk();
  put("d/e/f", "1");
  const made = change("d/e/n", null, "new");
  const open = fs.openSync;
  vi.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
    if (String(file).endsWith("/d/e")) throw systemError("EACCES");
    return open(file, ...more);
  });
  let intended = 0;
  const attempt = commit([made], () => {
    intended += 1;
  });
  await expect(attempt).rejects.toMatchObject(failure("PERMISSION_DENIED"));
  expect([intended, leaks()]).toEqual([0, []]);
});

test("a root that is gone is missed, not made again in the folder above", async () => {
  const { root, outside, top } = disk();
  const workspace = localWorkspace({ root, state: outside });
  const place = await workspace.locate("d/n");
  fs.rmSync(root, { recursive: true });
  let intended = 0;
  const attempt = workspace.files.commit([{ place, before: null, after: Buffer.from("x") }], async () => {
    intended += 1;
  });
  await expect(attempt).rejects.toMatchObject(failure("NOT_FOUND"));
  expect([intended, fs.readdirSync(top)]).toEqual([0, ["outside"]]);
});

test("what fails while a change is planned keeps nothing open and changes nothing", async () => {
  const { put, change, commit, text, leaks } = disk();
  for (const file of ["a", "d/f"]) put(file, "1");
  forgetMounts();
  const open = fs.openSync;
  let count = 0;
  vi.spyOn(fs, "openSync").mockImplementation((file, ...more) => {
    if (/fdinfo/.test(String(file)) && ++count === 4) throw systemError("EMFILE");
    return open(file, ...more);
  });
  await expect(commit([change("a", "1", "2"), change("d/f", "1", "2")])).rejects.toMatchObject(failure("IO_ERROR"));
  expect([count, text("a"), text("d/f"), leaks()]).toEqual([4, "1", "1", []]);
});

test("a look at what is gone, or below a file, finds nothing and keeps nothing open", async () => {
  const { put, at, workspace, on, leaks } = disk();
  put("d/f", "1");
  const [gone, below] = [at("d/f"), at("d/n")];
  expect(await workspace.files.stat(gone)).toMatchObject({ kind: "file" });
  fs.rmSync(on("d"), { recursive: true });
  expect([await workspace.files.stat(gone), await workspace.files.stat(below)]).toEqual([undefined, undefined]);
  fs.writeFileSync(on("d"), "a file");
  expect([await workspace.files.stat(gone), leaks()]).toEqual([undefined, []]);
});
