import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { CONFIG_FILE, GOVERNING_FILES, OBEYED_BY_GIT, STATE_FOLDER } from "../../src/core/words/governing.ts";
import { Protector } from "../../src/workspaces/lib/process/protector.ts";
import { bench } from "../journeys/harness.ts";
import { useSite, viewOf } from "./sandbox-view.ts";

const HEAD = { "root/.git/HEAD": "ref: refs/heads/main\n" };
const files = { [STATE_FOLDER]: "held", ...GOVERNING_FILES };
const inGit = Object.fromEntries(Object.entries(OBEYED_BY_GIT).map(([name, does]) => [`.git/${name}`, does]));
const rows = Object.entries({ ...files, ...inGit });

test("the tables hold every name that was ever protected", () =>
  expect(rows.map(([name]) => name).sort()).toEqual(
    [
      ".git/commondir .git/config .git/config.worktree .git/gitdir .git/hooks .git/modules .git/worktrees",
      `.mcp.json ${STATE_FOLDER} ${CONFIG_FILE} toolgate.yml`,
    ].flatMap((line) => line.split(" ")),
  ));

describe("what governs a workspace is known to everybody who has to know it", () => {
  test.each(rows)("%s is not written without a question, in the root or below", async (name) => {
    const { call } = await bench({}, { mode: "yolo", store: "memory" });
    const path = name === STATE_FOLDER ? `${name}/x` : name;
    for (const each of [path, `sub/${path}`, path.toUpperCase()])
      expect((await call("write_file", { path: each, content: "x" })).status, each).toBe("refused");
  });

  test.each([".git/info/exclude", ".gitignore", "hooks", "config", "toolgate.yaml.md", ".mcp.jsonc"])(
    "%s is written like any other file",
    async (path) => {
      const { call } = await bench({}, { mode: "yolo", store: "memory" });
      expect((await call("write_file", { path, content: "x" })).status).toBe("done");
    },
  );

  test.each(rows.filter(([, does]) => does !== "shared"))("a command in the sandbox cannot change %s", (name) => {
    const { put, args, at } = useSite();
    put({ ...HEAD, [`root/${name}${name === STATE_FOLDER ? "/" : ""}`]: "" });
    // nothing of the record is shown to commands
    expect(viewOf(args(), at(`root/${name}`))).toBe(name === STATE_FOLDER ? "empty" : "read");
  });

  test.each(rows)("where %s is missing, it is %s", (name, does) => {
    const { put, at, root, state } = useSite();
    put(HEAD);
    const protector = new Protector([root], state, "p");
    const { mounts, release } = protector.protect();
    const file = at(`root/${name}`);
    const isHeld = mounts.some((mount) => mount.path === file && mount.args[0] === "--ro-bind");
    expect(isHeld).toBe(does === "held" && name !== STATE_FOLDER);
    if (does !== "held") put({ [`root/${name}`]: "made by the command" });
    release();
    protector.close();
    expect(fs.existsSync(file)).toBe(does === "left" || does === "shared" || name === STATE_FOLDER);
  });
});
