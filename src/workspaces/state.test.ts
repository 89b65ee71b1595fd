import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, failure } from "../../test/contracts/disk.ts";
import { keptOutputs, stateFolder } from "./state.ts";

afterEach(() => void vi.restoreAllMocks());

const DAY = 86_400_000;

describe("a long output", () => {
  test("is kept as a file of its own that nobody else may read, under a path that can be given back", async () => {
    const { root, text, mode, at, leaks } = disk();
    const shown = await keptOutputs(root)("call-1", "long\n");
    expect([shown, text(shown), mode(shown), mode(path.dirname(shown))]).toEqual([
      ".toolgate/output/call-1.txt",
      "long\n",
      0o600,
      0o700,
    ]);
    expect([at(shown).exists, leaks()]).toEqual([true, []]);
  });

  test.each([
    ["../../escaped", "______escaped.txt"],
    ["a/b", "a_b.txt"],
    ["a\0b c.d", "a_b_c_d.txt"],
  ])("of the call %j stays in its folder", async (id, name) => {
    const { root, on } = disk();
    await keptOutputs(root)(id, "x");
    expect(fs.readdirSync(on(".toolgate/output"))).toEqual([name]);
  });

  test("is never written over another, or through a link", async () => {
    const { root, outside, put, text, on, leaks } = disk();
    put(".toolgate/output/a.txt", "theirs");
    fs.writeFileSync(path.join(outside, "victim"), "theirs");
    fs.symlinkSync(path.join(outside, "victim"), on(".toolgate/output/b.txt"));
    for (const id of ["a", "b"]) await expect(keptOutputs(root)(id, "mine")).rejects.toMatchObject({ code: "EEXIST" });
    expect([text(".toolgate/output/a.txt"), fs.readFileSync(path.join(outside, "victim"), "utf8")]).toEqual([
      "theirs",
      "theirs",
    ]);
    expect(leaks()).toEqual([]);
  });

  test.each([".toolgate", ".toolgate/output"])("is not kept behind a link at %s", async (link) => {
    const { root, outside, on } = disk();
    if (link !== ".toolgate") fs.mkdirSync(on(".toolgate"));
    fs.symlinkSync(outside, on(link));
    await expect(keptOutputs(root)("a", "x")).rejects.toMatchObject(failure("PERMISSION_DENIED"));
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  test("goes after a week, with the first that is kept by a process, and not again with each", async () => {
    const { root, put, on } = disk();
    const age = (name: string, days: number) => {
      put(`.toolgate/output/${name}`, "x");
      const then = new Date(Date.now() - days * DAY);
      fs.utimesSync(on(`.toolgate/output/${name}`), then, then);
    };
    age("young.txt", 6.9);
    age("old.txt", 7.1);
    const keep = keptOutputs(root);
    await keep("first", "x");
    expect(fs.readdirSync(on(".toolgate/output")).sort()).toEqual(["first.txt", "young.txt"]);
    age("later.txt", 8);
    await keep("second", "x");
    expect(fs.readdirSync(on(".toolgate/output"))).toContain("later.txt");
  });

  test("goes where all together are too much, the oldest first", async () => {
    const { root, put, on } = disk();
    for (const [name, seconds, megabytes] of [
      ["new.txt", 10, 120],
      ["middle.txt", 20, 80],
      ["old.txt", 30, 0.000_001],
    ] as const) {
      put(`.toolgate/output/${name}`, "");
      // takes no room on the disk
      fs.truncateSync(on(`.toolgate/output/${name}`), megabytes * 1_000_000);
      const then = new Date(Date.now() - seconds * 1000);
      fs.utimesSync(on(`.toolgate/output/${name}`), then, then);
    }
    await keptOutputs(root)("a", "x");
    expect(fs.readdirSync(on(".toolgate/output")).sort()).toEqual(["a.txt", "middle.txt", "new.txt"]);
  });
});

test("the folder for state is nobody else's, and none of git's", () => {
  const { root, mode, text } = disk();
  expect(stateFolder(root)).toBe(path.join(root, ".toolgate"));
  expect([mode(".toolgate"), text(".toolgate/.gitignore")]).toEqual([0o700, "*\n"]);
});
