import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, expect, test } from "vitest";
import { engineNamed } from "../src/workspaces/lib/search/engines.ts";
import { searchIn } from "../src/workspaces/lib/search/search.ts";
import type { Engine } from "../src/workspaces/lib/search/task.ts";
import { localWorkspace } from "../src/workspaces/local.ts";
import { searchContract } from "./contracts/search.ts";

const ENGINES = ["ripgrep", "rg", "walk"];

// one of the PATH is tested on every machine, whether a person has installed one or not
const bin = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-rg-"));
afterAll(() => fs.rmSync(bin, { recursive: true }));
fs.symlinkSync(rgPath, path.join(bin, "rg"));
process.env.PATH = `${bin}:${process.env.PATH}`;

for (const name of ENGINES)
  searchContract(name, async (root) => {
    const engine = (await engineNamed(name, [])) as Engine;
    const workspace = localWorkspace({ root });
    return { workspace, search: searchIn({ files: workspace.files, roots: [root], engine }) };
  });

test("the engines that every machine must have are here", async () => {
  for (const name of ENGINES) expect(await engineNamed(name, [])).toMatchObject({ name });
});
