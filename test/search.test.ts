import { describe, expect, test } from "vitest";
import { engineNamed } from "../src/workspaces/lib/search/engines.ts";
import { searchIn } from "../src/workspaces/lib/search/search.ts";
import { localWorkspace } from "../src/workspaces/local.ts";
import { searchContract } from "./contracts/search.ts";

const ENGINES = ["ripgrep", "rg", "grep", "walk"];

for (const name of ENGINES) {
  const engine = await engineNamed(name, []);
  if (engine) {
    searchContract(name, async (root) => {
      const workspace = localWorkspace({ root });
      return { workspace, search: searchIn({ files: workspace.files, roots: [root], engine }) };
    });
  } else {
    describe(`search contract: ${name}`, () => {
      test.skip(`${name} is not on this machine: nothing of it was tested`, () => {});
    });
  }
}

test("the engines that every machine must have are here", async () => {
  for (const name of ["ripgrep", "walk"]) expect(await engineNamed(name, [])).toMatchObject({ name });
});
