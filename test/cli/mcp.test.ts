import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import { memberAt } from "../../src/doors/hook/install/settings-text.ts";
import { clientOn, ERAS } from "../mcp/served.ts";
import { workspace } from "./cli.ts";

const BIN = resolve("dist/cli/toolgate.js");

describe.each(ERAS)("toolgate mcp and a client of %s", (era) => {
  test("a file is read, a write is asked about by the client, and the record says who called", async () => {
    const { dir, read, run } = await workspace({ "a.txt": "one\n" });
    const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"], cwd: dir });
    const client: Client = await clientOn(transport, era, () => ({ action: "accept", content: { decision: "once" } }));
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({
      content: [{ text: expect.stringContaining("one") }],
    });
    expect((await call("write_file", { path: "a.txt", content: "two\n" })).isError).toBeUndefined();
    await client.close();
    expect(await read("a.txt")).toBe("two\n");
    const { out } = await run(["log", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      { tool: "write_file", agent: "test-client", answered: { decision: "once" } },
      { tool: "read_file", agent: "test-client" },
    ]);
  });
});

test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
  ["a dialect that is not there", ["--dialect", "none"], {}, /no dialect none/],
  ["a tool that is not there", ["--tools", "none"], {}, /no tool named none/],
  ["two ways to name tools", ["--tools", "files", "--toolset", "all"], {}, /mean the same/],
  ["a word that is no command", ["serve"], {}, /no subcommand serve/],
  ["a command that an agent runs", [], { TOOLGATE_PROCESS: "1" }, /an agent runs cannot serve/],
])("%s ends with 3, and nothing on standard output", async (_, args, env, told) => {
  const { run } = await workspace();
  const ended = await run(["mcp", ...args], { env });
  expect([ended.status, ended.out]).toEqual([3, ""]);
  expect(ended.err).toMatch(told);
});

describe("install and uninstall", () => {
  const FILES: readonly (readonly [client: string, file: string, before: string, way: readonly string[]])[] = [
    ["claude", ".mcp.json", '{\n  "mcpServers": {\n    "x": { "command": "x" }\n  }\n}\n', ["mcpServers", "toolgate"]],
    ["opencode", "opencode.json", '{\n  // mine\n  "theme": "dark"\n}\n', ["mcp", "toolgate"]],
    ["gemini", ".gemini/settings.json", '{ "theme": "dark" }\n', ["mcpServers", "toolgate"]],
    ["vscode", ".vscode/mcp.json", '{\n  "inputs": []\n}\n', ["servers", "toolgate"]],
    ["cursor", ".cursor/mcp.json", '{\n  "mcpServers": { "x": {} }\n}\n', ["mcpServers", "toolgate"]],
  ];

  test.each(FILES)("%s: the diff is shown, what was there stays, and comes back", async (client, file, before, way) => {
    const { run, read, has } = await workspace({ [file]: before });
    const installed = await run(["mcp", "install", client, "--tools", "files", "--yes"]);
    expect([installed.status, installed.err]).toEqual([0, ""]);
    expect(installed.out).toMatch(/^\+.*toolgate/m);
    expect(installed.out).toContain(`Installed the MCP server for ${client}.`);
    const entry = memberAt(await read(file), way) as { command: string | string[]; args?: string[] };
    const words = [entry.command, entry.args ?? []].flat(2);
    expect(words.join(" ")).toMatch(/toolgate(?:\.js)? mcp --tools files/);
    expect((await run(["mcp", "install", client, "--tools", "files", "--yes"])).out).toContain("is there already");
    expect((await run(["mcp", "uninstall", client, "--yes"])).out).toContain("Removed the MCP server");
    expect(await read(file)).toBe(before);
    expect((await run(["mcp", "uninstall", client, "--yes"])).out).toContain("There is no MCP server of ours");
    expect(has(file)).toBe(true);
  });

  test("codex: into the settings of the user, which is all that it has", async () => {
    const { run, dir } = await workspace();
    const home = join(dir, "..", ".codex");
    const env = { CODEX_HOME: home };
    expect((await run(["mcp", "install", "codex", "--yes"], { env })).status).toBe(0);
    expect(await readFile(join(home, "config.toml"), "utf8")).toMatch(
      /^\[mcp_servers\.toolgate\]\ncommand = ".*"\nargs = \[/,
    );
    expect(await run(["mcp", "install", "codex", "--project", "--yes"], { env })).toMatchObject({ status: 3 });
    expect((await run(["mcp", "uninstall", "codex", "--yes"], { env })).status).toBe(0);
    expect(existsSync(join(home, "config.toml"))).toBe(false);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ["nobody to confirm it", ["install", "claude"], {}, /not a terminal/],
    ["an unknown client", ["install", "cloude", "--yes"], {}, /claude/],
    ["no client", ["install", "--yes"], {}, /needs a client/],
    [
      "settings that are no JSON",
      ["install", "claude", "--yes"],
      { ".mcp.json": "{" },
      /\.mcp\.json cannot be changed/,
    ],
    [
      "a server of that name that is another's",
      ["install", "claude", "--yes"],
      { ".mcp.json": '{ "mcpServers": { "toolgate": { "command": "evil" } } }' },
      /not ours/,
    ],
  ])("nothing is written with %s", async (_, args, files, told) => {
    const { run, read, has } = await workspace(files);
    const { status, err } = await run(["mcp", ...args]);
    expect([status, err]).toEqual([3, expect.stringMatching(told)]);
    if (files[".mcp.json"]) expect(await read(".mcp.json")).toBe(files[".mcp.json"]);
    else expect(has(".mcp.json")).toBe(false);
  });
});

describe("over HTTP", () => {
  const TOKEN = "a-token-of-the-tests";

  test("says where it serves, needs the token, and tells it to nobody", async () => {
    const { run } = await workspace();
    let url = "";
    let statuses: number[] = [];
    const ended = await run(["mcp", "--http", "0"], {
      env: { TOOLGATE_MCP_TOKEN: TOKEN },
      during: (child, out) => {
        child.stdout?.once("data", async () => {
          url = /http:\S+/.exec(out())?.[0] ?? "";
          const ask = (headers: Record<string, string>) => fetch(url, { method: "POST", headers, body: "{}" });
          const answers = [await ask({}), await ask({ authorization: `Bearer ${TOKEN}` })];
          statuses = answers.map(({ status }) => status);
          child.kill("SIGTERM");
        });
      },
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(statuses).toEqual([401, 415]);
    expect(`${ended.out}${ended.err}`).not.toContain(TOKEN);
    expect(ended.status).toBe(130);
  });

  test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
    ["no port", ["--http", "port"], {}, /not a port/],
    ["a port that is too large", ["--http", "70000"], {}, /not a port/],
    ["an address off loopback without a token", ["--http", "0", "--host", "0.0.0.0"], {}, /token is required/],
    ["a token that is too short", ["--http", "0"], { TOOLGATE_MCP_TOKEN: "short" }, /at least 16 characters/],
    ["a file of a token that is not there", ["--http", "0", "--token-file", "none"], {}, /none cannot be read/],
    ["an address without a port", ["--host", "::1"], {}, /--host is for serving over HTTP/],
  ])("%s ends with 3", async (_, args, env, told) => {
    const { run } = await workspace();
    const ended = await run(["mcp", ...args], { env });
    expect([ended.status, ended.out, ended.err]).toEqual([3, "", expect.stringMatching(told)]);
  });
});
