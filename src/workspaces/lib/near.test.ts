import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { targetOf } from "../../../test/contracts/disk.ts";
import type { Place } from "../../core/words/touch.ts";
import { localWorkspace } from "../local.ts";
import { nearPaths } from "./near.ts";

let top: string;
let near: (file: string) => Promise<string[]>;
beforeEach(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-near-")));
  const root = path.join(top, "ws");
  const workspaceFiles = [
    "src/main.ts",
    "src/other.ts",
    "lib/deep/Wanted.ts",
    ".git/wanted.ts",
    "node_modules/p/wanted.ts",
  ];
  for (const file of [...workspaceFiles.map((name) => `ws/${name}`), "outside/wanted.ts", "more/wanted.ts"]) {
    fs.mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
    fs.writeFileSync(path.join(top, file), "x");
  }
  fs.symlinkSync(path.join(top, "outside"), path.join(root, "out"));
  const workspace = localWorkspace({ root, roots: [path.join(top, "more")] });
  near = (file) => workspace.files.near(workspace.locate(file) as Place);
});
afterEach(() => fs.rmSync(top, { recursive: true }));

test("the same name elsewhere comes first, then the likest neighbours; nothing outside or in the skipped folders", async () => {
  expect(await near("src/wanted.ts")).toEqual(["lib/deep/Wanted.ts", "src/main.ts", "src/other.ts"]);
  expect((await near("src/mian.ts"))[0]).toBe("src/main.ts");
});

test("a folder that is missing itself is looked for where it would be", async () => {
  expect((await near("scr/main.ts")).slice(0, 2)).toEqual(["src/main.ts", "src"]);
});

test("a root that is gone suggests nothing from around it, and a link on the way is no folder", () => {
  const root = path.join(top, "ws");
  const place = { shown: "out/x", real: path.join(root, "out/x"), root, exists: false };
  expect(nearPaths(place)[0]).toBe(path.join(root, "out"));
  fs.rmSync(root, { recursive: true });
  expect(nearPaths({ ...place, shown: "x", real: path.join(root, "x") })).toEqual([]);
});

test("in another root the paths are whole", async () => {
  expect(await near(path.join(top, "more/want.ts"))).toEqual([path.join(top, "more/wanted.ts")]);
});

test("the likest come first, by how names begin and end, and of equals the first by name", async () => {
  const put = (name: string) => fs.writeFileSync(path.join(top, "ws/src", name), "");
  for (const name of ["mail.ts", "mbin.ts", "m.ts", "zzz"]) put(name);
  expect(await near("src/Main.t")).toEqual(
    ["main.ts", "mail.ts", "m.ts", "mbin.ts", "other.ts", "zzz"].map((name) => `src/${name}`),
  );
});

test("what is asked for is not told, though it is there; nor is anything twice", async () => {
  expect(await near("src/main.ts")).toEqual(["src/other.ts"]);
  fs.writeFileSync(path.join(top, "ws/src/Wanted.ts"), "");
  expect(await near("src/wanted.ts")).toEqual(["src/Wanted.ts", "lib/deep/Wanted.ts", "src/main.ts", "src/other.ts"]);
});

test("what is missing with all its folders is looked for in the root", async () => {
  expect(await near("libs/no/such/file")).toEqual(["lib", "node_modules", ".git", "out", "src"]);
});

test("of many of the same name half are told, so that neighbours have a place", async () => {
  for (let i = 0; i < 40; i += 1) {
    fs.mkdirSync(path.join(top, `ws/many/d${i}`), { recursive: true });
    fs.writeFileSync(path.join(top, `ws/many/d${i}/same.txt`), "");
  }
  const told = await near("src/same.txt");
  expect([told.filter((name) => name.endsWith("same.txt")).length, told.at(-1)]).toEqual([25, "src/other.ts"]);
});

test("a look that fails finds nothing, and keeps nothing open", async () => {
  const closed = fs.opendirSync;
  const spy = vi.spyOn(fs, "opendirSync").mockImplementation((...given) => {
    if (fs.readlinkSync(String(given[0])).endsWith("/src")) throw new Error("not ours");
    return closed(...given);
  });
  expect(await near("src/wanted.ts")).toEqual(["lib/deep/Wanted.ts"]);
  spy.mockRestore();
  const open = fs.readdirSync("/proc/self/fd").map(targetOf);
  expect(open.filter((target) => target.startsWith(top))).toEqual([]);
});

test("letters count once, though a name begins and ends with them", async () => {
  const put = (name: string) => fs.writeFileSync(path.join(top, "ws/src", name), "");
  for (const name of ["aa", "aXa"]) put(name);
  expect((await near("src/aaa")).slice(0, 2)).toEqual(["src/aXa", "src/aa"]);
});

test("of very many folders no more are opened than entries may be looked at", async () => {
  for (let i = 0; i < 2100; i += 1) fs.mkdirSync(path.join(top, `ws/src/d${i}`));
  const opened = vi.spyOn(fs, "opendirSync");
  await near("src/missing");
  const folders = opened.mock.calls.length;
  opened.mockRestore();
  // those of the workspace above it, the full one, and the full one again for what is beside
  expect(folders).toBeLessThan(12);
});

test("a huge folder is looked at in part, and little of it is told", async () => {
  const many = path.join(top, "ws/many");
  fs.mkdirSync(many);
  for (let i = 0; i < 2500; i += 1) fs.writeFileSync(path.join(many, `f${i}`), "");
  let read = 0;
  const open = fs.opendirSync;
  const spy = vi.spyOn(fs, "opendirSync").mockImplementation((...given) => {
    const folder = open(...given);
    const next = folder.readSync.bind(folder);
    folder.readSync = () => {
      read += 1;
      return next();
    };
    return folder;
  });
  expect(await near("many/missing")).toHaveLength(50);
  spy.mockRestore();
  // as many for the name elsewhere as for its neighbours, and one for the end of each of few folders
  expect(read).toBeLessThan(4010);
});
