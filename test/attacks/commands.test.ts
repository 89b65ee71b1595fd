import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../journeys/harness.ts";

const asking = { mode: "confirm-sensitive", store: "memory" } as const;

describe("a folder that looks like a repository", () => {
  test.each([
    { command: "cd evil && git status" },
    { command: "git status", cwd: "evil" },
    { command: "cd evil && git diff" },
  ])("%j runs nothing that the folder says", async (args) => {
    const { dir, call } = await bench({}, asking);
    const evil = path.join(dir, "evil");
    execFileSync("git", ["init", "-q", "--bare", evil]);
    mkdirSync(path.join(evil, "tree"));
    const made = path.join(dir, "made");
    appendFileSync(
      path.join(evil, "config"),
      `[core]\n\tbare = false\n\tworktree = tree\n\tfsmonitor = "touch ${made}; false"\n`,
    );
    await call("run_command", args);
    expect(existsSync(made)).toBe(false);
  });
});

describe("forbidden paths", () => {
  const config = { workspace: { forbidden_paths: ["secrets"] } };
  test.each([
    ["grep -r . .", "ask"],
    ["cat */key", "ask"],
    ["git grep TOP", "ask"],
    ["cat secrets/key", "deny"],
    ["cd secrets && cat key", "deny"],
    ["cat a.txt", "allow"],
    ["ls", "allow"],
  ])("%s: %s", async (command, verdict) => {
    const { gate } = await bench({ "secrets/key": "TOP", "a.txt": "" }, { ...asking, config });
    expect(await gate.explain({ name: "run_command", args: { command } })).toMatchObject({ verdict });
  });
});

describe("what governs calls, in yolo", () => {
  const files = [
    "toolgate.yaml",
    "Toolgate.YAML",
    "sub/toolgate.yml",
    ".mcp.json",
    ".toolgate/store.db",
    ".TOOLGATE/x",
    "sub/.toolgate/agents/a.md",
    "./sub/../toolgate.yaml",
    ".git/hooks/pre-commit",
    ".git/config",
    ".GIT/config",
    "sub/.git/config",
    ".git",
    "sub/.git",
    ".git/modules/x/config",
    ".git/config.worktree",
    ".git/commondir",
    "linked",
  ];
  test.each(files)("%s is changed by nobody without a person's word", async (file) => {
    const { gate, dir, call } = await bench(
      { "a.txt": "a\n" },
      { store: "memory", config: { workspace: { allow_delete: true } } },
    );
    execFileSync("ln", ["-s", "toolgate.yaml", path.join(dir, "linked")]);
    const before = file === "linked" ? [] : existsSync(path.join(dir, file));
    const calls: [string, object][] = [
      ["write_file", { path: file, content: "x" }],
      ["apply_patch", { patch: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch` }],
      [
        "apply_patch",
        { patch: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${file}\n@@\n-a\n+b\n*** End Patch` },
      ],
      ["run_command", { command: `echo x > ${file}` }],
      ["run_command", { command: `tee ${file} < a.txt` }],
    ];
    for (const [name, args] of calls) {
      expect(await gate.explain({ name, args }), name).toMatchObject({ verdict: "ask", by: "protection" });
      expect((await call(name, args)).status, name).toBe("refused");
    }
    if (file !== "linked") expect(existsSync(path.join(dir, file))).toBe(before);
  });

  test.each([
    ".gitignore",
    ".github/workflows/a.yml",
    "toolgate.yaml.md",
    "my-toolgate.yaml",
    "git/hooks/x",
    ".git/info/exclude",
  ])("%s is an ordinary file", async (file) => {
    const { gate } = await bench({}, { store: "memory" });
    expect(await gate.explain({ name: "write_file", args: { path: file, content: "x" } })).toMatchObject({
      verdict: "allow",
    });
  });
});

describe("a plan leaves nothing behind", () => {
  test.each([{ plan: true }, { dryRun: true }])("%j", async (switches) => {
    const { call, dir, text, gate } = await bench(
      { "a.txt": "a\n" },
      { ...switches, store: "memory", config: { workspace: { allow_delete: true } } },
    );
    const calls: [string, object][] = [
      ["write_file", { path: "b.txt", content: "x" }],
      ["edit_file", { path: "a.txt", old_str: "a", new_str: "b" }],
      ["delete_file", { path: "a.txt" }],
      ["undo_turn", { turn: "last" }],
      ["run_command", { command: "touch c" }],
      ["run_command", { command: "ls" }],
      ["execute_code", { language: "python", code: "open('d','w')" }],
      ["process", { action: "input", id: "p1", text: "x" }],
    ];
    for (const [name, args] of calls) {
      await call(name, args);
      await gate.child({ plan: false, dryRun: false, mode: "yolo" }).call({ name, args });
    }
    expect(text("a.txt")).toBe("a\n");
    expect(["b.txt", "c", "d"].filter((name) => existsSync(path.join(dir, name)))).toEqual([]);
  });
});
