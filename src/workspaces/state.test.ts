import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, failure } from "../../test/contracts/disk.ts";
import { keptOutputs, keptPictures, stateFolder } from "./state.ts";

afterEach(() => void vi.restoreAllMocks());

const DAY = 86_400_000;

describe("a long output", () => {
  test("is kept as a file of its own that nobody else may read, under a path that can be given back", async () => {
    const { root, text, mode, at, leaks } = disk();
    const shown = (await keptOutputs(root)("session_1", "call-1", "long\n")) ?? "";
    expect([shown, text(shown), mode(shown), mode(path.dirname(shown))]).toEqual([
      ".toolgate/output/session_1/call-1.txt",
      "long\n",
      0o600,
      0o700,
    ]);
    expect([at(shown).exists, leaks()]).toEqual([true, []]);
  });

  test.each([
    ["../../escaped", "~2e~~2e~~2f~~2e~~2e~~2f~escaped", "______escaped.txt"],
    ["a/b", "a~2f~b", "a_b.txt"],
    ["a\0b c.d", "a~0~b~20~c~2e~d", "a_b_c_d.txt"],
  ])("of the call %j stays in its folder", async (id, folder, name) => {
    const { root, on } = disk();
    await keptOutputs(root)(id, id, "x");
    expect(fs.readdirSync(on(".toolgate/output"))).toEqual([folder]);
    expect(fs.readdirSync(on(`.toolgate/output/${folder}`))).toEqual([name]);
  });

  test("is never written over another, or through a link", async () => {
    const { root, outside, put, text, on, leaks } = disk();
    put(".toolgate/output/s/a.txt", "theirs");
    fs.writeFileSync(path.join(outside, "victim"), "theirs");
    fs.symlinkSync(path.join(outside, "victim"), on(".toolgate/output/s/b.txt"));
    for (const id of ["a", "b"])
      await expect(keptOutputs(root)("s", id, "mine")).rejects.toMatchObject({ code: "EEXIST" });
    expect([text(".toolgate/output/s/a.txt"), fs.readFileSync(path.join(outside, "victim"), "utf8")]).toEqual([
      "theirs",
      "theirs",
    ]);
    expect(leaks()).toEqual([]);
  });

  test.each([".toolgate", ".toolgate/output"])("is not kept behind a link at %s", async (link) => {
    const { root, outside, on } = disk();
    if (link !== ".toolgate") fs.mkdirSync(on(".toolgate"));
    fs.symlinkSync(outside, on(link));
    await expect(keptOutputs(root)("s", "a", "x")).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  test.each([
    [undefined, "a.txt"],
    ["json", "a.json"],
    ["../x", "a.x"],
    ["/", "a.bin"],
  ])("that ends in %j is called %s", async (ending, name) => {
    const { root } = disk();
    expect(await keptOutputs(root)("s", "a", "x", ending)).toBe(`.toolgate/output/s/${name}`);
  });

  test("for which there is no room is not kept at all, and what is done with makes room", async () => {
    const { root, put, on, text, leaks } = disk();
    const keep = keptOutputs(root);
    await keep("s", "done", "x");
    expect(text(".toolgate/output/s/done.txt")).toBe("x");
    put(".toolgate/output/other/large.txt", "");
    fs.truncateSync(on(".toolgate/output/other/large.txt"), 200_000_000);
    // enough that others are looked at again
    expect(await keep("s", "late", "x".repeat(17_000_000))).toBeDefined();
    expect(await keep("s", "later", "x")).toBeUndefined();
    expect(fs.readdirSync(on(".toolgate/output/s"))).toEqual([]);
    expect(leaks()).toEqual([]);
  });

  const age = (file: string, seconds: number): void => {
    const then = new Date(Date.now() - seconds * 1000);
    fs.utimesSync(file, then, then);
  };

  test("goes after a week, with its session's folder", async () => {
    const { root, put, on } = disk();
    for (const [name, days] of [
      ["young/a.txt", 6.9],
      ["old/a.txt", 7.1],
    ] as const) {
      put(`.toolgate/output/${name}`, "x");
      age(on(`.toolgate/output/${name}`), days * (DAY / 1000));
    }
    await keptOutputs(root)("new", "first", "x");
    expect(fs.readdirSync(on(".toolgate/output")).sort()).toEqual(["new", "young"]);
  });

  test("goes where all together are too much, the oldest first, whenever one more is kept", async () => {
    const { root, put, on } = disk();
    const keep = keptOutputs(root);
    await keep("s", "first", "x");
    for (const [name, seconds, megabytes] of [
      ["new.txt", 1000, 120],
      ["middle.txt", 2000, 79.99],
      ["old.txt", 3000, 1],
    ] as const) {
      put(`.toolgate/output/other/${name}`, "");
      // takes no room on the disk
      fs.truncateSync(on(`.toolgate/output/other/${name}`), megabytes * 1_000_000);
      age(on(`.toolgate/output/other/${name}`), seconds);
    }
    // what this process kept itself makes it look again
    for (const id of ["a", "b", "c"]) await keep("s", id, "x".repeat(9_000_000));
    const bytes = fs
      .readdirSync(on(".toolgate/output"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(200_000_000);
    expect(fs.readdirSync(on(".toolgate/output/other"))).toEqual(["new.txt"]);
    expect(fs.readdirSync(on(".toolgate/output/s")).sort()).toEqual(["a.txt", "b.txt", "c.txt", "first.txt"]);
  });
});

describe("pictures for another process", () => {
  test("are given once, to whoever knows their name", async () => {
    const { root, mode } = disk();
    const bytes = Buffer.from([1, 2, 3]);
    await keptPictures(root).keep("call-1", bytes);
    expect([mode(".toolgate/handed"), mode(".toolgate/handed/call-1")]).toEqual([0o700, 0o600]);
    expect(await keptPictures(root).take("other")).toBeUndefined();
    expect(Buffer.from((await keptPictures(root).take("call-1")) ?? [])).toEqual(bytes);
    expect(await keptPictures(root).take("call-1")).toBeUndefined();
  });

  test("are never written over another, nor out of their folder, nor through a link", async () => {
    const { root, outside, on } = disk();
    await keptPictures(root).keep("../../x", Buffer.from("1"));
    expect(fs.readdirSync(on(".toolgate/handed"))).toEqual(["______x"]);
    await expect(keptPictures(root).keep("../../x", Buffer.from("2"))).rejects.toMatchObject({ code: "EEXIST" });
    fs.writeFileSync(path.join(outside, "theirs"), "theirs");
    fs.symlinkSync(path.join(outside, "theirs"), on(".toolgate/handed/link"));
    expect(await keptPictures(root).take("link")).toBeUndefined();
    expect(fs.lstatSync(on(".toolgate/handed/link")).isSymbolicLink()).toBe(true);
    fs.rmSync(on(".toolgate/handed"), { recursive: true });
    fs.symlinkSync(outside, on(".toolgate/handed"));
    await expect(keptPictures(root).keep("a", Buffer.from("1"))).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect(fs.readdirSync(outside)).toEqual(["theirs"]);
  });
});

test("the folder for state is nobody else's, and none of git's", () => {
  const { root, mode, text } = disk();
  expect(stateFolder(root)).toBe(path.join(root, ".toolgate"));
  expect([mode(".toolgate"), text(".toolgate/.gitignore")]).toEqual([0o700, "*\n"]);
});
