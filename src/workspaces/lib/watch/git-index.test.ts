import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entriesOf, gitIndexOf, trackedAround } from "./git-index.ts";
import { type FileState, stateOf } from "./tree.ts";

const NAMES = ["a", "a.b", "folder/a", "folder/deeper/with a blank", "folder/deeper/ü", "z".repeat(200)];
let root: string;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const stateAt = (name: string): FileState => stateOf(fs.lstatSync(path.join(root, name)));
const idOf = (name: string): string => git("hash-object", "--no-filters", name).trim();

beforeAll(async () => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-index-")));
  for (const name of NAMES) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), `content of ${name}\n`);
  }
  git("init", "-q");
  // entries that are as young as the index itself are no proof
  await new Promise((resolve) => setTimeout(resolve, 30));
  git("add", ".");
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe("git's index", () => {
  test.each([2, 3, 4])("version %i names the object of every clean file", async (version) => {
    git("update-index", "--index-version", String(version));
    const index = await gitIndexOf(root);
    for (const name of NAMES) expect(index?.cleanID(path.join(root, name), stateAt(name)), name).toBe(idOf(name));
    expect(index?.cleanID(path.join(root, "untracked"), stateAt("a"))).toBeUndefined();
  });

  test("is found from a folder below", async () => {
    const index = await gitIndexOf(path.join(root, "folder/deeper"));
    expect(index?.cleanID(path.join(root, "folder/a"), stateAt("folder/a"))).toBe(idOf("folder/a"));
  });

  test.each([
    ["size", { size: 1 }],
    ["time", { mtimeMs: 5 }],
    ["time of change", { ctimeMs: 5 }],
    ["number", { ino: 5 }],
  ])("another %s is a doubt", async (_, other) => {
    const index = await gitIndexOf(root);
    expect(index?.cleanID(path.join(root, "a"), { ...stateAt("a"), ...other })).toBeUndefined();
  });

  test("a file as young as the index is a doubt", async () => {
    fs.utimesSync(path.join(root, "a"), new Date(), new Date(Date.now() + 60_000));
    git("add", "a");
    const index = await gitIndexOf(root);
    expect(index?.cleanID(path.join(root, "a"), stateAt("a"))).toBeUndefined();
    expect(index?.cleanID(path.join(root, "a.b"), stateAt("a.b"))).toBe(idOf("a.b"));
  });

  type Made = {
    name: string;
    flags?: number;
    extended?: boolean;
    dropped?: number[];
    state?: FileState;
    mode?: number;
  };

  /** An index by the book: entries, then extensions, then a checksum that nobody looks at. */
  function index(version: number, entries: readonly Made[], extensions: Buffer[] = [], magic = "DIRC"): Buffer {
    const head = Buffer.alloc(12);
    head.write(magic, "latin1");
    head.writeUInt32BE(version, 4);
    head.writeUInt32BE(entries.length, 8);
    const made = entries.map(({ name, flags = 0, extended = false, dropped = [], state, mode = 0o100644 }) => {
      const fixed = Buffer.alloc(62);
      for (const [at, ms] of [
        [0, state?.ctimeMs ?? 0],
        [8, state?.mtimeMs ?? 0],
      ] as const) {
        fixed.writeUInt32BE(Math.floor(ms / 1000), at);
        fixed.writeUInt32BE(Math.round((ms % 1000) * 1e6), at + 4);
      }
      fixed.writeUInt32BE((state?.ino ?? 0) % 2 ** 32, 20);
      fixed.writeUInt32BE(mode, 24);
      fixed.writeUInt32BE(state?.size ?? 0, 36);
      fixed.fill(0xab, 40, 60);
      fixed.writeUInt16BE(flags | (extended ? 0x4000 : 0), 60);
      const more = Buffer.alloc(extended ? 2 : 0, 0x20);
      const bare = Buffer.concat([fixed, more, Buffer.from(dropped), Buffer.from(name)]);
      return Buffer.concat([bare, Buffer.alloc(version === 4 ? 1 : 8 - (bare.length % 8))]);
    });
    return Buffer.concat([head, ...made, ...extensions, Buffer.alloc(20, 1)]);
  }
  const extension = (name: string, length: number): Buffer => {
    const made = Buffer.alloc(8 + length, 7);
    made.write(name, "latin1");
    made.writeUInt32BE(length, 4);
    return made;
  };
  /** What follows the header could pass for an extension that reaches to the checksum. */
  const withoutEnd = (): Buffer => {
    const made = index(4, [{ name: "n".repeat(40), dropped: [0] }]);
    made.writeUInt32BE(made.length - 40, 16);
    made.write("n", made.length - 21);
    return made;
  };
  const two: Made[] = [{ name: "a" }, { name: "folder/b" }];

  test.each<[what: string, bytes: Buffer, names: string[] | undefined]>([
    ["version 1", index(1, two), undefined],
    ["version 2", index(2, two), ["a", "folder/b"]],
    ["version 3", index(3, two), ["a", "folder/b"]],
    ["version 5", index(5, two), undefined],
    ["another kind of file", index(2, two, [], "PACK"), undefined],
    ["no entries", index(2, []), []],
    ["one with more flags", index(3, [{ name: "a", extended: true }, { name: "b" }]), ["a", "b"]],
    ["a conflict", index(2, [{ name: "a", flags: 0x1000 }, { name: "a", flags: 0x2000 }, { name: "b" }]), ["b"]],
    [
      "names of every length",
      index(
        2,
        ["x", "x".repeat(8), "x".repeat(9)].map((name) => ({ name })),
      ),
      ["x", "x".repeat(8), "x".repeat(9)],
    ],
    ["the longest name", index(2, [{ name: "n".repeat(4096) }]), ["n".repeat(4096)]],
    ["a longer one", index(2, [{ name: "n".repeat(4097) }]), undefined],
    [
      "prefixes",
      index(4, [
        { name: "folder/a", dropped: [0] },
        { name: "b", dropped: [1] },
      ]),
      ["folder/a", "folder/b"],
    ],
    [
      "a name that grows too long",
      index(4, [
        { name: "n".repeat(4000), dropped: [0] },
        { name: "m".repeat(97), dropped: [0] },
      ]),
      undefined,
    ],
    [
      "more dropped than there is",
      index(4, [
        { name: "ab", dropped: [0] },
        { name: "c", dropped: [3] },
      ]),
      undefined,
    ],
    [
      "much dropped, over two bytes",
      index(4, [
        { name: `x${"n".repeat(200)}`, dropped: [0] },
        { name: "y", dropped: [0x80, 200 - 128] },
      ]),
      [`x${"n".repeat(200)}`, "xy"],
    ],
    ["extensions", index(2, two, [extension("TREE", 5), extension("REUC", 0)]), ["a", "folder/b"]],
    ["an index in two parts", index(2, two, [extension("TREE", 5), extension("link", 4)]), undefined],
    ["an extension that is too long", index(2, two, [extension("TREE", 5).subarray(0, 12)]), undefined],
    ["a name without an end", withoutEnd(), undefined],
    ["something behind the end", Buffer.concat([index(2, two), Buffer.from("x")]), undefined],
  ])("%s", (_, bytes, names) => {
    const entries = entriesOf(bytes);
    expect(entries && [...entries.offsets.keys()]).toEqual(names);
  });

  test("only a regular file is clean, in a folder that is a repository itself", async () => {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-index-")));
    try {
      fs.mkdirSync(path.join(folder, "own/.git"), { recursive: true });
      fs.writeFileSync(path.join(folder, "own/a"), "content");
      fs.utimesSync(path.join(folder, "own/a"), 1000, 1000);
      const state = stateOf(fs.lstatSync(path.join(folder, "own/a")));
      const clean = async (tree: string, mode: number) => {
        fs.writeFileSync(path.join(folder, "own/.git/index"), index(2, [{ name: "a", state, mode }]));
        return (await gitIndexOf(path.join(folder, tree)))?.cleanID(path.join(folder, tree, "a"), state);
      };
      expect(await clean("own", 0o100755)).toBe("ab".repeat(20));
      expect(await clean("own", 0o120000)).toBeUndefined();
      expect(await clean("own", 0o160000)).toBeUndefined();
      fs.mkdirSync(path.join(folder, "linked"));
      fs.symlinkSync("../own/.git", path.join(folder, "linked/.git"));
      expect(await clean("linked", 0o100644)).toBeUndefined();
      // as old as the index itself: what changed then may have changed again
      fs.writeFileSync(path.join(folder, "own/.git/index"), index(2, [{ name: "a", state }]));
      const cleanAt = async (seconds: number) => {
        fs.utimesSync(path.join(folder, "own/.git/index"), seconds, seconds);
        return (await gitIndexOf(path.join(folder, "own")))?.cleanID(path.join(folder, "own/a"), state);
      };
      expect([await cleanAt(1000), await cleanAt(1001)]).toEqual([undefined, "ab".repeat(20)]);
      const sized = async (more: number) => {
        const bare = index(2, two, [extension("TREE", 0)]).length;
        fs.writeFileSync(
          path.join(folder, "own/.git/index"),
          index(2, two, [extension("TREE", (32 << 20) - bare + more)]),
        );
        return (await gitIndexOf(path.join(folder, "own"))) !== undefined;
      };
      expect([await sized(0), await sized(1)]).toEqual([true, false]);
      fs.writeFileSync(path.join(folder, "own/.git/index"), "nonsense");
      expect(await gitIndexOf(path.join(folder, "own"))).toBeUndefined();
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test("what is no index, or a broken one, says nothing and takes no time", () => {
    const whole = fs.readFileSync(path.join(root, ".git/index"));
    const attempt = (bytes: Buffer) => {
      try {
        return entriesOf(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return undefined;
      }
    };
    for (let length = 0; length < whole.length; length++)
      expect(attempt(whole.subarray(0, length)), String(length)).toBeUndefined();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(2, 3, 4), (body, version) => {
        attempt(Buffer.concat([Buffer.from("DIRC"), Buffer.from([0, 0, 0, version]), body]));
      }),
    );
    const endless = Buffer.alloc(12, 0xff);
    endless.write("DIRC\0\0\0\x02", "latin1");
    expect(attempt(endless)).toBeUndefined();
  });
});

describe("what git tracks around a folder", () => {
  let top: string;
  const on = (name: string): string => path.join(top, name);
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...args], { cwd: on(folder) });
  beforeAll(() => {
    top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-tracked-")));
    for (const file of ["own/a", "own/deep/b", "own/gone", "own/changed", "none/x"]) {
      fs.mkdirSync(path.dirname(on(file)), { recursive: true });
      fs.writeFileSync(on(file), file);
      fs.utimesSync(on(file), 1000, 1000);
    }
    gitIn("own", "init", "-q");
    gitIn("own", "add", ".");
    gitIn("own", "commit", "-q", "-m", "m");
    gitIn("own", "worktree", "add", "-q", on("linked"));
    fs.rmSync(on("own/gone"));
    fs.writeFileSync(on("own/changed"), "otherwise");
    fs.writeFileSync(on("own/untracked"), "x");
  });
  afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

  test.each(["own", "own/deep"])("is told from %s, with what changed since", async (folder) => {
    const tracked = await trackedAround({ real: on(folder) });
    expect(tracked?.names).toEqual(["a", "changed", "deep/b", "gone"]);
    const asked = ["a", "deep/b", "changed", "gone", "untracked"].map((name) => [name, tracked?.isChanged(name)]);
    expect(Object.fromEntries(asked)).toEqual({
      a: false,
      "deep/b": false,
      changed: true,
      gone: true,
      untracked: true,
    });
  });

  test("is told of a working tree whose repository lies elsewhere", async () => {
    expect((await trackedAround({ real: on("linked/deep") }))?.names).toEqual(["a", "changed", "deep/b", "gone"]);
  });

  test("is told with files that two sides changed, which git keeps in several versions", async () => {
    const own = on("conflict");
    fs.mkdirSync(own);
    const commit = (text: string) => {
      fs.writeFileSync(path.join(own, "both"), text);
      gitIn("conflict", "add", ".");
      gitIn("conflict", "commit", "-q", "-m", text);
    };
    gitIn("conflict", "init", "-q", "-b", "main");
    commit("one");
    gitIn("conflict", "checkout", "-q", "-b", "side");
    commit("two");
    gitIn("conflict", "checkout", "-q", "main");
    commit("three");
    expect(() => gitIn("conflict", "merge", "-q", "side")).toThrow();
    const tracked = await trackedAround({ real: own });
    expect([tracked?.names, tracked?.isChanged("both")]).toEqual([["both"], true]);
  });

  test("is nothing without a repository, and without an index that can be read", async () => {
    expect(await trackedAround({ real: on("none") })).toBeUndefined();
    fs.mkdirSync(on("none/.git"));
    expect(await trackedAround({ real: on("none") })).toBeUndefined();
    fs.writeFileSync(on("none/.git/index"), "nonsense");
    expect(await trackedAround({ real: on("none") })).toBeUndefined();
  });
});
