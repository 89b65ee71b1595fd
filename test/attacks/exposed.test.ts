import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Tool, z } from "../../src/index.ts";
import { needs } from "../capabilities.ts";
import { bench, folder } from "../journeys/harness.ts";

const PLAIN = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/x\n[user]\n\texternal = me\n';

/** A folder that looks like a repository to whoever reads its configuration. */
function repository(config: string, more: Record<string, string> = {}): string {
  return folder({ ".git/HEAD": "ref: refs/heads/main\n", ".git/config": `${PLAIN}${config}`, a: "a\n", ...more });
}

const asks: [what: string, config: string, says: RegExp][] = [
  ["an external diff", "[diff]\n\texternal = ./evil\n", /diff\.external/],
  ["on the line of its section", "[diff] external = ./evil\n", /diff\.external/],
  ["in other letters", "[DIFF]\n\tExternal=./evil\n", /DIFF\.External/],
  ["a text conversion", '[diff "x"]\n\ttextconv = ./evil\n', /diff\.x\.textconv/],
  ["in the old way of writing it", "[diff.x]\n\ttextconv = ./evil\n", /diff\.x\.textconv/],
  ["a command for one kind", '[diff "x"]\n\tcommand = ./evil\n', /diff\.x\.command/],
  ["a filter", '[filter "x"]\n\tclean = ./evil\n', /filter\.x\.clean/],
  ["a filter that stays", '[filter "x"]\n\tprocess = ./evil\n', /filter\.x\.process/],
  ["its value on the next line", '[filter "x"]\n\tprocess = \\\n./evil\n', /filter\.x\.process/],
  ["another file", "[include]\n\tpath = ../evil\n", /include\.path/],
  ["another file at times", '[includeIf "gitdir:/"]\n\tpath = ../evil\n', /includeIf\.gitdir\?\?\.path|includeIf/],
  ["what only calls itself git-lfs", '[filter "lfs"]\n\tclean = "git-lfs clean -- %f; ./evil"\n', /filter\.lfs\.clean/],
];
const silent: [what: string, config: string][] = [
  ["nothing", ""],
  ["what the environment switches off", "[core]\n\tpager = ./evil\n\tfsmonitor = ./evil\n\thooksPath = evil\n"],
  ["names that only look alike", '[diff]\n\trenames = true\n[diff "x"]\n\txfuncname = "^f"\n'],
  ["a comment behind git-lfs", '[filter "lfs"]\n\tclean = git-lfs clean -- %f; ./evil\n'],
  ["git-lfs", '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n'],
];

describe("without a sandbox, a repository that makes git run something", () => {
  const explained = async (dir: string, command: string, mode: "confirm-sensitive" | "yolo" = "confirm-sensitive") => {
    const { gate } = await bench({}, { dir, mode, sandbox: "off" });
    return gate.explain({ name: "run_command", args: { command } });
  };

  test.each(asks)("asks: %s", async (_, config, says) => {
    const { verdict, by, reason, class: kind } = await explained(repository(config), "git diff");
    expect([verdict, by, kind]).toEqual(["ask", "commands", "safe"]);
    expect(reason).toMatch(says);
    expect(reason).not.toMatch(/evil/);
  });

  test.each(silent)("is silent: %s", async (_, config) => {
    expect((await explained(repository(config), "git diff")).verdict).toBe("allow");
  });

  test("asks for each way to look, however it is written, and for nothing else", async () => {
    const dir = repository("[diff]\n\texternal = ./evil\n");
    for (const command of ["git status", "git log -p", "git show", "git blame a", "g'i't diff", "ls; git diff --stat"])
      expect([command, (await explained(dir, command)).verdict]).toEqual([command, "ask"]);
    for (const command of ["ls", "cat a", "grep -rn foo ."])
      expect([command, (await explained(dir, command)).verdict]).toEqual([command, "allow"]);
    expect((await explained(dir, "git diff", "yolo")).verdict).toBe("allow");
  });

  test("counts where the line goes, in submodules and in what cannot be read", async () => {
    const nested = repository("", { "sub/.git/HEAD": "ref\n", "sub/.git/config": "[diff]\nexternal = ./evil\n" });
    expect((await explained(nested, "git diff")).verdict).toBe("allow");
    expect((await explained(nested, "cd sub && git diff")).verdict).toBe("ask");
    const module = ".git/modules/lib/deep";
    const submodules = { [`${module}/HEAD`]: "ref\n", [`${module}/config`]: '[filter "x"]\nclean = ./evil\n' };
    expect((await explained(repository("", submodules), "git status")).verdict).toBe("ask");
    const odd = folder({ ".git/HEAD": "ref\n" });
    mkdirSync(path.join(odd, ".git/config"));
    expect((await explained(odd, "git status")).reason).toMatch(/cannot be read/);
  });

  test("in a plan such a line is not run but kept", async () => {
    const dir = repository("[diff]\n\texternal = ./evil\n");
    const { call } = await bench({}, { dir, mode: "yolo", plan: true, sandbox: "off" });
    expect((await call("run_command", { command: "git diff" })).status).toBe("planned");
    expect((await call("run_command", { command: "ls" })).status).toBe("done");
  });

  test("what loads files of the project before it prints its version asks, and what does not is silent", async () => {
    const dir = folder({ "conftest.py": "", ".rspec": "" });
    for (const name of ["pytest", "rspec", "rubocop", "mocha", "tox", "jest", "webpack", "nx", "turbo"])
      expect(await explained(dir, `${name} --version`), name).toMatchObject({ verdict: "ask", class: "safe" });
    for (const name of ["node", "python3", "tsc", "eslint", "make", "gcc"])
      expect((await explained(dir, `${name} --version`)).verdict, name).toBe("allow");
  });

  test("cargo check runs code of the project: it asks, and is silent where a sandbox holds it", async () => {
    const dir = folder({ "Cargo.toml": "" });
    expect(await explained(dir, "cargo check")).toMatchObject({ verdict: "ask", by: "commands", class: "safe" });
    expect((await explained(dir, "ls -la")).verdict).toBe("allow");
  });
});

describe("with a sandbox", needs("bubblewrap"), () => {
  test("both are silent, and explain says what holds them", async () => {
    const dir = repository("[diff]\n\texternal = ./evil\n", { "Cargo.toml": "" });
    const { gate } = await bench({}, { dir, mode: "confirm-sensitive" });
    const explained = (command: string) => gate.explain({ name: "run_command", args: { command } });
    const held = { sandbox: "bubblewrap", network: "none" };
    expect(await explained("git diff")).toMatchObject({
      verdict: "allow",
      enforcement: { ...held, workspace: "read-only" },
    });
    expect(await explained("cargo check")).toMatchObject({
      verdict: "allow",
      enforcement: { ...held, workspace: "build" },
    });
    expect((await explained("npm test")).enforcement).toEqual(held);
  });

  test("what runs code of the project writes its build folder and nothing else", async () => {
    const uses = { newline: false, backticks: false, substitution: false };
    const reading = {
      risk: "low" as const,
      reason: "it checks",
      parsed: true,
      runsProject: true as const,
      segments: [],
      uses,
    };
    const check = Tool.define("check", {
      description: "Checks a project as its own code says.",
      permissions: { required: ["execute"] },
      input: z.object({ command: z.string() }),
      touches: ({ command }) => [
        { action: "run", command, class: "safe", reading, inner: [{ action: "unknown", permissions: ["execute"] }] },
      ],
      execute: async ({ command }, { commands }) => {
        const running = await commands.start({ command, cwd: "." });
        await running.exited;
        return JSON.stringify(running.enforcement);
      },
    });
    const files = { "Cargo.toml": "", "Cargo.lock": "old\n", a: "a\n" };
    const { call, text } = await bench(files, { mode: "confirm-sensitive", tools: [check] });
    const command = "echo new > Cargo.lock; mkdir -p target/debug && echo built > target/debug/x; echo b > a; touch y";
    expect((await call("check", { command })).output).toMatch(/"network":"none","workspace":"build"/);
    expect([text("Cargo.lock"), text("target/debug/x"), text("a"), text("y")]).toEqual([
      "new\n",
      "built\n",
      "a\n",
      undefined,
    ]);
  });

  test("a command that the disk refused something is told why, one that only speaks of it is not", async () => {
    const { call } = await bench({ a: "Read-only file system\n" }, { mode: "confirm-sensitive" });
    const told = async (command: string) => (await call("run_command", { command })).output;
    expect(await told("cat 'x: Read-only file system'")).toMatch(
      /the workspace is read-only .* judged to change nothing/,
    );
    expect(await told("cat a")).toBe("Read-only file system");
    expect(await told("cat missing")).not.toMatch(/judged/);
  });
});
