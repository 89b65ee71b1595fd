import { beforeAll, describe, expect, test } from "vitest";
import { claude } from "./clients/claude.ts";
import { type Client, type Understood, understanding } from "./clients/client.ts";
import { cline, copilot, cursor, opencode, others } from "./clients/editors.ts";
import { gemini } from "./clients/gemini.ts";
import { codex } from "./clients/openai.ts";
import { bench } from "./harness.ts";

const clients: Record<string, Client> = { claude, codex, gemini, opencode, copilot, cursor, cline, others };

const files = { "a.txt": "one\ntwo\nthree\n", "sub/b.ts": "one\n" };

let understood: (name: string, args: unknown) => Promise<Understood>;
let close: () => Promise<void>;
beforeAll(async () => {
  const { mkdtempSync, mkdirSync, writeFileSync } = await import("node:fs");
  const dir = mkdtempSync(`${(await import("node:os")).tmpdir()}/toolgate-clients-`);
  mkdirSync(`${dir}/sub`);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${dir}/${name}`, text);
  const made = await understanding(dir);
  understood = made.understood;
  close = async () => {
    await made.gate.close();
    (await import("node:fs")).rmSync(dir, { recursive: true });
  };
  return () => close();
});

describe.each(Object.entries(clients))("the tools of %s", (_, { tools, rows, refused }) => {
  test.each(rows.map((row) => [row[0], JSON.stringify(row[1]), row] as const))("%s %s", async (_name, _args, row) => {
    const [name, args, tool, input] = row;
    expect(await understood(name, args)).toEqual({ tool, input, notes: [] });
  });

  test.each(refused.map((row) => [row[0], JSON.stringify(row[1]), row] as const))(
    "%s %s is refused by name",
    async (_name, _args, [name, args, says]) => {
      const answer = await understood(name, args);
      expect(answer).toEqual({ refused: expect.stringMatching(says) });
    },
  );

  test.each(tools.map((tool) => [tool.name, JSON.stringify(tool.least), tool] as const))(
    "each argument of %s %s counts, or is refused by its name",
    async (_name, _least, { name, tool, least, optional = {}, comments = {} }) => {
      const base = await understood(name, least);
      expect(base).toMatchObject({ tool, notes: [] });
      for (const [argument, value] of Object.entries(optional)) {
        const answer = await understood(name, { ...least, [argument]: value });
        if ("refused" in answer)
          expect([argument, answer.refused]).toEqual([argument, expect.stringContaining(argument)]);
        else {
          expect([argument, answer.notes]).toEqual([argument, []]);
          expect([argument, answer]).not.toEqual([argument, base]);
        }
      }
      expect(await understood(name, { ...least, ...comments })).toEqual(base);
      expect(await understood(name, { ...least, nobody_knows_this: 1 })).toMatchObject({
        notes: [expect.stringContaining("nobody_knows_this")],
      });
    },
  );
});

describe("names that are not there", () => {
  test.each([
    "move_file",
    "rename_file",
    "copy_file",
    "mv",
    "move",
    "erase",
    "delete_folder",
    "remove_directory",
    "unlink_file",
    "clear_file",
    "memory_store",
    "memory_forget",
    "web_fetch",
    "file_remover",
    "remote_file",
    "removefiles",
  ])("%s: no tool that destroys, and none that does something else, is suggested", async (name) => {
    const { call } = await bench(
      {},
      { store: "memory", sandbox: "off", config: { workspace: { allow_delete: true } } },
    );
    const { status, error } = await call(name);
    expect(status).toBe("unknown");
    const why = /^(?:memory|web)_/.test(name) ? " here: it is not in the toolset that is in use (default)" : "";
    expect(error?.message).toBe(`There is no tool named ${name}${why}.`);
    expect(error?.hint).not.toMatch(/^Did you mean/);
  });

  test.each([
    ["reed_file", "read_file"],
    ["raed_file", "read_file"],
    ["open_file", "read_file"],
    ["show_file", "read_file"],
    ["write_flie", "write_file"],
    ["modify_file", "edit_file"],
    ["update_file", "edit_file"],
    ["gerp", "grep"],
    ["list_fils", "list_files"],
    ["runcomand", "run_command"],
    ["exec_comand", "run_command"],
    ["find_file", "find_files"],
    ["view_files", "read_file"],
    ["save_file", "write_file"],
    ["file_editor", "edit_file"],
  ])("%s: %s is suggested", async (name, meant) => {
    const { call } = await bench({}, { store: "memory", sandbox: "off" });
    const { error } = await call(name);
    expect(error?.hint).toMatch(new RegExp(`^Did you mean .*\\b${meant}\\b`));
    expect(error?.hint).not.toMatch(/delete|remove/);
  });
});

test.each([
  ["execute_bash", { command: "echo hi" }, "hi"],
  ["container.exec", { cmd: ["bash", "-lc", "echo hi"] }, "hi"],
  ["exec_command", { cmd: ["echo", "hi there"] }, "hi there"],
  ["terminal", { command: "echo hi" }, "hi"],
  ["rg", { pattern: "two" }, "a.txt"],
  ["ripgrep", { pattern: "two", path: "." }, "a.txt"],
  ["file_search", { query: "a.t" }, "a.txt"],
  ["file_search", { query: "./a.txt" }, "a.txt"],
  ["file_search", { query: "*.txt" }, "a.txt"],
  ["file_search", { query: "A.TX" }, "a.txt"],
  ["edit_file", { path: "a.txt", edits: { old_string: "two", new_string: "2" } }, "+2"],
])("%s %j is understood", async (name, args, says) => {
  const { call } = await bench(files, { store: "memory", sandbox: "off" });
  expect((await call(name, args)).output).toContain(says);
});

test("a path with the other slash: the right one is named", async () => {
  const { call } = await bench({ "src/lib/a.ts": "" }, { store: "memory", sandbox: "off" });
  expect((await call("read_file", { path: "src\\lib\\a.ts" })).error?.hint).toBe(
    "Paths are written with slashes: src/lib/a.ts",
  );
});

test("a name of several tools does what the call says", async () => {
  const { call, text } = await bench(files, { store: "memory", sandbox: "off" });
  const edit = (args: object) => call("str_replace_based_edit_tool", args);
  expect((await edit({ command: "view", path: "a.txt", view_range: [2, 2] })).output).toContain("2\ttwo");
  expect((await edit({ command: "create", path: "new.txt", file_text: "x\n" })).success).toBe(true);
  expect(text("new.txt")).toBe("x\n");
  expect((await edit({ command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" })).success).toBe(true);
  expect((await edit({ command: "insert", path: "a.txt", insert_line: 0, insert_text: "zero\n" })).success).toBe(true);
  expect((await edit({ command: "insert", path: "a.txt", insert_line: 4, insert_text: "four" })).success).toBe(true);
  expect(text("a.txt")).toBe("zero\none\n2\nthree\nfour\n");
  expect((await edit({ command: "undo_edit", path: "a.txt" })).success).toBe(true);
  expect(text("a.txt")).toBe("zero\none\n2\nthree\n");
  const far = await edit({ command: "insert", path: "a.txt", insert_line: 9, insert_text: "x" });
  const both = await call("write_file", { path: "a.txt", content: "x", insert_line: 1, mode: "append" });
  expect(both.error?.message).toBe("The call has both mode and insert_line.");
  expect(far.error).toMatchObject({ code: "VALIDATION_ERROR", hint: "Use an insert_line from 0 to 4." });
});

describe("a patch that is sent as a command", () => {
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+$HOME `id`\n*** End Patch";
  const moved = patch.replace("File: ", "File: sub/");
  test.each<[name: string, args: unknown, patch: string]>([
    ["shell", { command: `apply_patch <<'EOF'\n${patch}\nEOF` }, patch],
    ["shell", { command: `apply_patch <<EOF\n${patch}\nEOF\n` }, patch],
    ["shell", { command: ["bash", "-lc", `apply_patch <<"PATCH"\n${patch}\nPATCH`] }, patch],
    ["shell", { command: ["apply_patch", patch] }, patch],
    ["exec_command", { cmd: `applypatch << 'EOF'\n${patch}\nEOF` }, patch],
    ["shell", { command: `cd sub && apply_patch <<'EOF'\n${patch}\nEOF` }, moved],
    ["shell", { command: `apply_patch <<'EOF'\n${patch}\nEOF`, workdir: "sub" }, moved],
    ...["cwd", "working_directory", "workingDirectory", "dir_path", "directory"].map(
      (folder) =>
        ["shell", { command: `apply_patch <<'EOF'\n${patch}\nEOF`, [folder]: "sub" }, moved] as [
          string,
          unknown,
          string,
        ],
    ),
    ["shell", { script: `apply_patch <<'EOF'\n${patch}\nEOF`, timeout_ms: 1, workdir: null, login: true }, patch],
  ])("%s %j", async (name, args, patched) => {
    const answer = await understood(name, args);
    expect(answer).toMatchObject({ tool: "apply_patch", input: { patch: patched } });
  });

  test.each<[command: string]>([
    [`apply_patch <<'EOF'\n${patch}\nEOF\nrm -rf /`],
    [`apply_patch <<'EOF'\n${patch}\nEOF\nls\nEOF`],
    [`apply_patch <<'EOF' && rm x\n${patch}\nEOF`],
    [`ls; apply_patch <<'EOF'\n${patch}\nEOF`],
    [`cd $X && apply_patch <<'EOF'\n${patch}\nEOF`],
    ["echo apply_patch"],
    ["cat <<'EOF'\nx\nEOF"],
  ])("%j stays a command, and is judged as one", async (command) => {
    expect(await understood("shell", { command })).toMatchObject({ tool: "run_command", input: { command } });
  });

  test.each<[args: Record<string, unknown>]>([
    [{ chdir: "sub" }],
    [{ cwd: "sub", workdir: "other" }],
    [{ cwd: ["sub"] }],
    [{ shell: "zsh" }],
    [{ with_escalated_permissions: true }],
  ])("with %j it stays a command: the patch would be applied somewhere else", async (args) => {
    const command = `apply_patch <<'EOF'\n${patch}\nEOF`;
    const answer = await understood("shell", { command, ...args });
    expect(answer).not.toMatchObject({ tool: "apply_patch" });
  });

  test("it changes the file, and undo takes it back", async () => {
    const { call, text } = await bench(files, { store: "memory", sandbox: "off" });
    expect((await call("shell", { command: ["bash", "-lc", `apply_patch <<'EOF'\n${patch}\nEOF`] })).success).toBe(
      true,
    );
    expect(text("a.txt")).toBe("$HOME `id`\ntwo\nthree\n");
    expect((await call("undo_file", { path: "a.txt" })).success).toBe(true);
    expect(text("a.txt")).toBe(files["a.txt"]);
  });

  test("without the tool for patches it stays a command", async () => {
    const { call } = await bench(files, { store: "memory", sandbox: "off", toolset: ["run_command"] });
    expect((await call("run_command", { command: `apply_patch <<'EOF'\n${patch}\nEOF` })).error?.code).toBe(
      "COMMAND_FAILED",
    );
  });
});

test("a tool of one's own keeps the name that clients have for something else", async () => {
  const { Tool, z } = await import("../../src/index.ts");
  const editor = Tool.define("editor", {
    description: "Draws.",
    permissions: { required: ["read"] },
    input: z.object({ path: z.string() }),
    touches: () => [],
    execute: async ({ path }) => `drew ${path}`,
  });
  const { call } = await bench({}, { store: "memory", sandbox: "off", tools: [editor] });
  expect((await call("editor", { path: "x" })).output).toBe("drew x");
});
