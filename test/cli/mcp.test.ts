import { resolve } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
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
  ["a word that is no command", ["serve"], {}, /no command serve/],
  ["a command that an agent runs", [], { TOOLGATE_PROCESS: "1" }, /an agent runs cannot serve/],
])("%s ends with 3, and nothing on standard output", async (_, args, env, told) => {
  const { run } = await workspace();
  const ended = await run(["mcp", ...args], { env });
  expect([ended.status, ended.out]).toEqual([3, ""]);
  expect(ended.err).toMatch(told);
});
