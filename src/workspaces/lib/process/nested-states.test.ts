import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { disk } from "../../../../test/contracts/disk.ts";
import { NestedStates } from "./nested-states.ts";

const stage = () => {
  const one = disk();
  const states = new NestedStates([one.root]);
  const found = () => states.folders.map((folder) => path.relative(one.root, folder)).sort();
  return { ...one, found };
};

test("records of workspaces inside of this one are found, as deep as is looked", () => {
  const { put, found } = stage();
  for (const folder of ["", "a/", "a/b/", "a/b/c/d/", "a/b/c/d/e/", "node_modules/p/", ".git/x/", ".toolgate/y/"])
    put(`${folder}.toolgate/store.db`, "");
  put("empty/.toolgate/other", "");
  put("file", "");
  expect(found()).toEqual(["a/.toolgate", "a/b/.toolgate", "a/b/c/d/.toolgate"]);
});

test("they are looked for once a minute, and those that went are left out at once", () => {
  const { put, found, on } = stage();
  const now = vi.spyOn(performance, "now").mockReturnValue(1000);
  put("a/.toolgate/store.db", "");
  expect(found()).toEqual(["a/.toolgate"]);
  put("b/.toolgate/store.db", "");
  now.mockReturnValue(61_000);
  expect(found()).toEqual(["a/.toolgate"]);
  fs.rmSync(on("a"), { recursive: true });
  expect(found()).toEqual([]);
  now.mockReturnValue(61_001);
  expect(found()).toEqual(["b/.toolgate"]);
  now.mockRestore();
});

/** Lets the root hold so many more folders, or files, before those that it holds. */
function crowded(root: string, count: number, isFolder: boolean): void {
  const list = fs.readdirSync as (...given: unknown[]) => unknown[];
  const more = Array.from({ length: count }, (_, n) => ({ name: `f${n}`, isDirectory: () => isFolder }));
  const spied = vi
    .spyOn(fs, "readdirSync")
    .mockImplementation(((...given: unknown[]) =>
      given[0] === root ? [...more, ...list(...given)] : list(...given)) as never);
  onTestFinished(() => spied.mockRestore());
}

test.each<[folders: number, found: string[]]>([
  [1_997, ["last/.toolgate", "last/deep/.toolgate"]],
  [1_998, ["last/.toolgate"]],
])("beside %i other folders the nearest are found: %j", (folders, due) => {
  const { put, root, found } = stage();
  put("last/deep/.toolgate/store.db", "");
  put("last/.toolgate/store.db", "");
  crowded(root, folders, true);
  expect(found()).toEqual(due);
});

test("files are no folders to look at", () => {
  const { put, root, found } = stage();
  put("last/.toolgate/store.db", "");
  crowded(root, 2_000, false);
  expect(found()).toEqual(["last/.toolgate"]);
});
