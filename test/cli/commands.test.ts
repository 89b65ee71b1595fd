import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workspace } from "./cli.ts";

const FILES = { "a.txt": "one\ntwo\n" };
const YOLO = ["--mode", "yolo"];

describe("exit status", () => {
  test.each<[string[], number, RegExp]>([
    [["call", "read_file", "a.txt"], 0, /one/],
    [["call", "write_file", "path=b.txt", "content=x", ...YOLO], 0, /b\.txt/],
    [["call", "write_file", "path=b.txt", "content=x", "--dry-run"], 0, /nothing was changed/],
    [["call", "read_file", "missing.txt"], 1, /Error \(NOT_FOUND\): .+\n.+/],
    [["call", "edit_file", "path=a.txt", "old_str=nine", "new_str=x", ...YOLO], 1, /Error/],
    [["call", "write_file", "path=b.txt", "content=x"], 2, /approval.+nobody to ask[\s\S]+--mode yolo/],
    [["call", "read_file", "../outside.txt"], 2, /outside/],
    [["call", "read_file"], 3, /path/],
    [["call", "read_file", "{bad"], 3, /JSON/],
    [["call", "read_file", "a", "b"], 3, /key=value/],
    [["call"], 3, /name of a tool/],
    [["call", "read_file", "--path", "a.txt"], 3, /key=value/],
    [["call", "read_file", "a.txt", "--sesion", "x"], 3, /Did you mean --session/],
    [["lgo"], 3, /Did you mean log/],
    [["--bogus"], 3, /no option --bogus/],
    [["tools", "--mode", "yol"], 3, /Did you mean yolo/],
    [["tools", "--workspace", "nowhere"], 3, /no folder/],
    [["tools", "--workspace", "a.txt"], 3, /not a folder/],
    [["tools", "--workspace", "x".repeat(300)], 3, /cannot be opened \(ENAMETOOLONG\)/],
    [["tools", "--toolset", "reed_file"], 3, /did you mean read_file/],
    [["tools", "--toolset", "bogus"], 3, /the toolsets are files[\s\S]+Correct the option/],
    [["tools", "--format", "xml"], 3, /not one of openai[\s\S]+for example --format openai/],
    [["undo"], 1, /Nothing to undo: no change that can be undone/],
    [["redo"], 1, /Nothing to redo: nothing on record was undone/],
    [["tools", "--dialect", "nope"], 3, /no dialect nope/],
    [["call", "read_file", "a.txt", "--config", "none.yaml"], 3, /Error \(CONFIG_ERROR\)[\s\S]+no such file/],
    [["log", "--limit", "0"], 3, /whole number/],
    [["undo", "a", "b"], 3, /one path/],
    [["tools", "--toolset", "undo_turn"], 0, /^undo_turn\(\)\n {4}\w.+\n$/],
    [["call", "process", "action=output"], 1, /id is required[\s\S]+None was started/],
    [["config"], 3, /check, schema, trust/],
    [["config", "chek"], 3, /Did you mean check/],
    [["call", "reed_file", "a.txt"], 4, /Did you mean read_file/],
    [["explain", "read_file", "a.txt"], 0, /^allow/],
    [["explain", "write_file", "path=b.txt", "content=x"], 0, /^ask/],
    [["explain", "read_file", "../outside.txt"], 2, /^deny/],
    [["explain", "read_file"], 3, /VALIDATION_ERROR/],
    [["explain", "nope"], 4, /UNKNOWN_TOOL/],
    [["--help"], 0, /Commands[\s\S]+Exit status/],
    [["help", "call"], 0, /--dry-run[\s\S]+Examples/],
    [["undo", "--help"], 0, /Examples/],
    [["--version"], 0, /^\d+\.\d+\.\d+\n$/],
    [["call", "--version"], 0, /^\d+\.\d+\.\d+\n$/],
  ])("%j ends with %i", async (args, status, says) => {
    const { run } = await workspace(FILES);
    const ended = await run(args);
    expect(ended.out + ended.err).toMatch(says);
    expect(ended.status).toBe(status);
    expect(ended.out + ended.err).not.toContain("\x1b");
  });

  test("where no record can be kept nothing is called, and it says how to go on", async () => {
    const { run } = await workspace({ ".toolgate": "a file in its place" });
    const { status, err } = await run(["call", "read_file", ".toolgate"]);
    expect(err).toMatch(
      /Error \(CONFIG_ERROR\): The record cannot be kept .+\nMake the folder writable.+store: memory/,
    );
    expect(status).toBe(3);
  });

  test("errors go to standard error, and nothing else does", async () => {
    const { run } = await workspace(FILES);
    const refused = await run(["call", "write_file", "path=b.txt", "content=x"]);
    expect(refused.out).toBe("");
    const done = await run(["call", "read_file", "a.txt"]);
    expect([done.out, done.err]).toEqual(["1\tone\n2\ttwo\n", ""]);
  });
});

describe("a tool that is left out", () => {
  test.each<[string, string[], string, RegExp | undefined]>([
    [
      "by an option",
      ["run_command", "ls", "--no-commands"],
      "",
      /here: commands are switched off for this run \(--no-c/,
    ],
    ["under another name", ["bash", "ls", "--no-commands"], "", /named bash here: commands are switched off/],
    ["by the configuration", ["run_command", "ls"], "commands: { enabled: false }\n", /off \(commands\.enabled\)/],
    ["by the toolset", ["memory_recall", "x", "--toolset", "files"], "", /not in the toolset that is in use \(files\)/],
    ["by nobody", ["nope", "--no-commands"], "", /There is no tool named nope\.\n/],
    ["and another one", ["read_file", "a.txt", "--no-commands"], "", undefined],
  ])("%s", async (_, words, config, said) => {
    const { run } = await workspace({ ...FILES, "given.yaml": config });
    const { err, status } = await run(["call", ...words, "--config", "given.yaml"]);
    if (said) expect(err).toMatch(said);
    expect(status).toBe(said ? 4 : 0);
  });
});

describe("one JSON document", () => {
  test.each<[string[], number, object]>([
    [["call", "read_file", "a.txt"], 0, { success: true, status: "done", output: "1\tone\n2\ttwo" }],
    [["call", "nope"], 4, { success: false, status: "unknown", error: { code: "UNKNOWN_TOOL" } }],
    [["call", "write_file", "path=b", "content=x"], 2, { status: "refused", error: { code: "PERMISSION_DENIED" } }],
    [["call", "read_file", "{bad"], 3, { success: false, status: "invalid", error: { code: "VALIDATION_ERROR" } }],
    [["tools", "--bogus"], 3, { status: "invalid", error: { code: "VALIDATION_ERROR" } }],
    [["tools", "--config", "none.yaml"], 3, { status: "invalid", error: { code: "CONFIG_ERROR" } }],
    [["tools", "--workspace", "nowhere"], 3, { status: "invalid" }],
    [["explain", "read_file", "a.txt"], 0, { verdict: "allow", by: "mode", touches: [{ action: "read" }] }],
    [["explain", "read_file", "../x"], 2, { verdict: "deny", status: "refused" }],
    [["log"], 0, []],
    [["undo"], 1, { status: "failed", error: { code: "NOT_FOUND" } }],
    [["config", "check"], 0, { valid: true, settings: { mode: "confirm-sensitive" }, sources: [] }],
    [["config", "schema"], 0, { title: "toolgate.yaml", type: "object" }],
    [["config", "trust"], 3, { status: "invalid" }],
    [[], 0, { node: process.version, config: [], mode: "confirm-sensitive", store: { works: true } }],
  ])("%j", async (args, status, shape) => {
    const { run } = await workspace(FILES);
    const ended = await run([...args, "--json"]);
    expect(JSON.parse(ended.out)).toMatchObject(shape);
    expect([ended.status, ended.err]).toEqual([status, ""]);
  });
});

describe("commands that only look", () => {
  test.each([
    [[]],
    [["tools"]],
    [["explain", "write_file", "path=b", "content=x"]],
    [["log"]],
    [["undo"]],
    [["config", "check"]],
  ])("%j leaves nothing behind", async (args) => {
    const ws = await workspace(FILES);
    await ws.run(args);
    expect([ws.has(".toolgate"), ws.has("b")]).toEqual([false, false]);
  });

  test("without a command it says what works and three commands to try", async () => {
    const { run, dir } = await workspace();
    const { out, status } = await run([]);
    expect(status).toBe(0);
    for (const part of [dir, process.version, "SQLite works", "using the defaults", "read_file"])
      expect(out).toContain(part);
    expect(out.match(/^ {2}toolgate \w+/gm)).toHaveLength(3);
    const isOnPath = (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "toolgate")));
    expect(/not on your PATH: use `node .+toolgate\.js`/.test(out)).toBe(!isOnPath);
  });

  test.each([
    ["openai", (tool: { function: { name: string } }) => tool.function.name],
    ["anthropic", (tool: { name: string; input_schema: object }) => tool.input_schema && tool.name],
    ["gemini", (tool: { name: string; parameters: object }) => tool.parameters && tool.name],
    ["mcp", (tool: { name: string; inputSchema: object }) => tool.inputSchema && tool.name],
  ])("tools --format %s", async (format, name) => {
    const { run } = await workspace();
    const tools = JSON.parse((await run(["tools", "--format", format, "--toolset", "read_file,write_file"])).out);
    expect(tools.map(name)).toEqual(["read_file", "write_file"]);
  });

  test("tools speaks a dialect, and lists arguments for people", async () => {
    const { run } = await workspace();
    expect((await run(["tools", "--dialect", "claude"])).out).toMatch(/Read\(file_path, offset\?, limit\?\)/);
  });
});

describe("tasks", () => {
  const LIST = "- [ ] #1 sow\n  early\n- [x] #2 plough\n- [ ] #3 reap (blocked by #1, #9)\n";

  test("are added, begun, finished, exported and imported", async () => {
    const it = await workspace({ "list.md": LIST, "none.md": "no tasks\n" });
    expect(await it.run(["tasks"])).toMatchObject({
      status: 0,
      out: "There are no tasks yet. task_create adds one.\n",
    });
    expect(existsSync(join(it.dir, ".toolgate")), "looking leaves nothing behind").toBe(false);
    expect((await it.run(["tasks", "add", "first", "thing"])).out).toBe("Task #1 is on the list: first thing\n");
    expect((await it.run(["tasks", "start", "1"])).out).toContain("in progress");
    expect(JSON.parse((await it.run(["tasks", "import", "list.md", "--json"])).out)).toEqual({
      added: ["2", "3", "4"],
    });
    expect((await it.run(["tasks", "remove", "1"])).status).toBe(0);
    expect((await it.run(["tasks", "export"])).out).toBe(
      "- [ ] #2 sow\n  early\n- [ ] #4 reap (blocked by #2)\n- [x] #3 plough\n",
    );
    expect(JSON.parse((await it.run(["tasks", "--json"])).out)).toMatchObject([{ id: "2" }, { id: "4" }, { id: "3" }]);
    expect(await it.run(["tasks", "import", "none.md"])).toMatchObject({ status: 3 });
    expect(await it.run(["tasks", "import", "missing.md"])).toMatchObject({ status: 3 });
    expect((await it.run(["tasks", "done", "9"])).err).toContain("There is no task 9.");
    expect(await it.run(["tasks", "paint", "1"])).toMatchObject({ status: 3 });
  });
});
