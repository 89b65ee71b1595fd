import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Place } from "../../core/words/touch.ts";
import { localWorkspace } from "../local.ts";

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

test("in another root the paths are whole", async () => {
  expect(await near(path.join(top, "more/want.ts"))).toEqual([path.join(top, "more/wanted.ts")]);
});

test("a huge folder is looked at in part, and little of it is told", async () => {
  const many = path.join(top, "ws/many");
  fs.mkdirSync(many);
  for (let i = 0; i < 2500; i += 1) fs.writeFileSync(path.join(many, `f${i}`), "");
  expect(await near("many/missing")).toHaveLength(50);
});
