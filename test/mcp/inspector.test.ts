import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { when } from "../capabilities.ts";
import { folder } from "../journeys/harness.ts";

const INSTALLED = join(process.env.TOOLGATE_INSPECTOR ?? "", "node_modules");
const INSPECTOR = join(INSTALLED, ".bin/mcp-inspector");
const BIN = resolve("dist/cli/toolgate.js");

const inspector = when(
  process.env.TOOLGATE_INSPECTOR !== undefined && existsSync(INSPECTOR),
  "the MCP Inspector is large: TOOLGATE_INSPECTOR names a folder in which `npm install @modelcontextprotocol/inspector@2.12.0 node@22` was run",
);

type Told = { code: number; result?: Record<string, unknown>; text: string };

/** What its command line tells of a server: the exit status, and the result. */
const inspected = (cwd: string, ...args: string[]): Promise<Told> =>
  new Promise((done) => {
    // it needs Node 22, and is a script that looks for it on the PATH
    const PATH = [join(INSTALLED, ".bin"), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH, HOME: cwd, MCP_INSPECTOR_SECRET_STORE: "memory" };
    const all = ["--cli", ...args, "--format", "json", "--quiet"];
    execFile(INSPECTOR, all, { cwd, env, timeout: 60_000, maxBuffer: 1 << 24 }, (error, out, err) => {
      const result = out.trim() === "" ? undefined : (JSON.parse(out) as { result: Record<string, unknown> }).result;
      done({ code: Number(error?.code ?? 0), text: out + err, ...(result && { result }) });
    });
  });

/** The same workspace over standard input and output, and over HTTP. */
const WAYS = {
  stdio: async () => [process.execPath, BIN, "mcp"],
  http: async (cwd: string) => {
    const serving = spawn(process.execPath, [BIN, "mcp", "--http", "0"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void serving.kill());
    return [
      await new Promise<string>((up) => serving.stdout.once("data", (said) => up(/http\S+/.exec(said)?.[0] ?? ""))),
    ];
  },
};

describe.each(["stdio", "http"] as const)("MCP Inspector over %s", inspector, (way) => {
  test.each(["legacy", "modern"])(
    "%s: lists our tools without a complaint, and calls them",
    { timeout: 180_000 },
    async (era) => {
      const dir = folder({ "a.txt": "hello\n" });
      const target = await WAYS[way](dir);
      const asked = (...args: string[]) => inspected(dir, ...target, "--protocol-era", era, "--method", ...args);

      const { result, ...listed } = await asked("tools/list", "--strict");
      const { tools = [] } = (result ?? {}) as { tools?: { name: string }[] };
      const names = tools.map(({ name }) => name);
      expect(listed.code, listed.text).toBe(0);
      expect(names).toEqual(expect.arrayContaining(["read_file", "run_command", "write_file"]));
      expect(names).not.toContain("ask_user");

      const read = await asked("tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt");
      expect(read, read.text).toMatchObject({
        code: 0,
        result: { content: [{ text: expect.stringContaining("hello") }] },
      });
      const write = ["--tool-name", "write_file", "--tool-args-json", '{"path":"a.txt","content":"x"}'];
      const refused = await asked("tools/call", ...write);
      expect(refused, refused.text).toMatchObject({ code: 5, result: { isError: true } });
      expect(refused.text).toContain("cannot put questions to a person");

      const prompt = await asked("prompts/get", "--prompt-name", "explore", "--prompt-args", "task=Look");
      expect(prompt, prompt.text).toMatchObject({ code: 0, result: { messages: [{ role: "user" }] } });
      const templates = await asked("resources/templates/list");
      expect(templates.result?.resourceTemplates).toHaveLength(3);
    },
  );
});
