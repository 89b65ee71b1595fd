import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { folder } from "../../test/journeys/harness.ts";
import { initialConfig, PRESETS } from "../config/presets.ts";
import { ruleProblems } from "../rules/examples.ts";
import { commandsOfProject } from "./project.ts";

const commandsIn = async (files: Record<string, string>) =>
  (await commandsOfProject(folder(files))).map(({ command }) => command);

describe("how a project tests and builds itself", () => {
  test.each<[what: string, files: Record<string, string>, commands: string[]]>([
    [
      "scripts that check or build, by the project's own runner",
      { "package.json": '{"scripts": {"test": "x", "lint:css": "x", "deploy": "x", "start": "x"}}', "yarn.lock": "x" },
      ["yarn test", "yarn run lint:css"],
    ],
    [
      "names that would be something else to a shell or to YAML",
      { "package.json": '{"scripts": {"test;rm": "x", "test $(x)": "x", "build:\\n- x": "x", "check: x": "x"}}' },
      [],
    ],
    [
      "what is no package",
      { "package.json": "[1]", "Cargo.toml": "" },
      "build test check clippy".split(" ").map((each) => `cargo ${each}`),
    ],
    ["what is broken", { "package.json": "{", "go.mod": "module x" }, ["go build", "go test", "go vet"]],
    [
      "targets, and variables that look like some",
      { Makefile: "test: x\nbuild:=1\nclean:\nlint:\n" },
      ["make test", "make lint"],
    ],
    ["nothing", {}, []],
    ["a very large file", { "package.json": `{"scripts": {"test": "${"x".repeat(1_000_000)}"}}` }, []],
  ])("%s", async (_, files, commands) => {
    expect(await commandsIn(files)).toEqual(commands);
    const found = commands.map((command) => ({ command, from: "there" }));
    for (const preset of PRESETS) expect(ruleProblems(parse(initialConfig(preset, found)).rules)).toEqual([]);
  });

  test("a pipe in place of a file is not waited for", async () => {
    const dir = folder({ "Cargo.toml": "" });
    execFileSync("mkfifo", [path.join(dir, "package.json")]);
    expect(await commandsOfProject(dir)).toHaveLength(4);
  });
});
