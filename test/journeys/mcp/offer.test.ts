import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { bench, folder } from "../harness.ts";
import { plainServer } from "./serving.ts";

const OBJECT = { type: "object", properties: { query: { type: "string", description: "What to look for." } } };
const tools = (server: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `operation_${n}`,
    description: `Performs operation ${n} on the records of service ${server}, and tells what became of them.`,
    inputSchema: OBJECT,
  }));

test("20 servers with 400 tools: with a warm cache nothing is started, and a model is told little", async () => {
  const all = Array.from({ length: 20 }, (_, n) => plainServer({ tools: tools(n, 20) }));
  const dir = folder();
  const config = { mcp_servers: Object.fromEntries(all.map(({ setting }, n) => [`service${n}`, setting])) };
  const cold = await bench({}, { dir, config });
  // on a busy machine some of them are late, and found then
  const known = async () => (await cold.gate.servers?.offer())?.names.length;
  await expect.poll(known, { timeout: 60_000 }).toBe(400);
  const first = await cold.gate.servers?.offer();
  await cold.gate.close();
  const started = all.map(({ log }) => log().length);

  const warm = await bench({}, { dir, config });
  const told = await warm.gate.servers?.offer();
  expect(told).toEqual(first);
  const [search] = warm.gate.schemas({ names: ["tool_search"] });
  const cost = countTokens(told?.text ?? "") + countTokens(JSON.stringify(search));
  expect(cost).toBeLessThanOrEqual(1_500);
  expect(told?.text).toContain("- service7: 20 tools");
  expect(warm.gate.schemas().some((schema) => JSON.stringify(schema).includes("mcp_service"))).toBe(false);
  expect(all.map(({ log }) => log().length)).toEqual(started);

  await warm.call("mcp_service7_operation_3", { query: "x" });
  const after = all.map(({ log }) => log().length);
  expect(after.filter((length, n) => length !== started[n])).toHaveLength(1);
  const shown = JSON.stringify(warm.gate.schemas()).match(/mcp_service\w+/g);
  expect([...new Set(shown)]).toEqual(["mcp_service7_operation_3"]);
});

test.each([
  [3, /- mcp_fake_operation_2: Performs operation 2 on the records of service 0, and tells what became of them\./],
  [60, /mcp_fake_operation_0, mcp_fake_operation_1, /],
  [300, /- fake: 300 tools/],
])("of %i tools a model is told what fits", async (count, said) => {
  const fake = plainServer({ tools: tools(0, count) });
  const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
  const { text } = (await it.gate.servers?.offer()) ?? { text: "" };
  expect(text).toMatch(said);
  expect(countTokens(text)).toBeLessThanOrEqual(1_400);
});

test("a search finds exact names first, then by words of names, descriptions and parameters", async () => {
  const tool = (name: string, description: string, argument = "x") => ({
    ...{ name, description, inputSchema: { type: "object", properties: { [argument]: { type: "string" } } } },
  });
  const fake = plainServer({
    tools: [
      tool("issue", "About something else entirely."),
      tool("create_issue", "Open an issue in a repository."),
      tool("weather", "The forecast of a place.", "latitude"),
      tool("merge", "Merge one pull request."),
    ],
  });
  const it = await bench({}, { config: { mcp_servers: { fake: fake.setting } } });
  const found = async (query: string) =>
    ((await it.call("tool_search", { query })).metadata.tools as string[]).map((name) => name.slice(9));
  expect((await found("issue"))[0]).toBe("issue");
  expect((await found("mcp_fake_merge"))[0]).toBe("merge");
  expect((await found("open an issue"))[0]).toBe("create_issue");
  expect(await found("latitude")).toEqual(["weather"]);
  expect(await found("quantum chromodynamics")).toEqual([]);
  const below = it.gate.child({ tools: ["tool_search", "mcp_fake_merge"] });
  const { metadata } = await below.call({ name: "tool_search", args: { query: "issue repository pull request" } });
  expect(metadata.tools).toEqual(["mcp_fake_merge"]);
});

const published = (name: string): string => {
  const file = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`);
  return path.join(path.dirname(file), "dist/index.js");
};

test("the published servers work through the gate", async () => {
  const dir = folder({ "f.txt": "in the file\n" });
  const node = (name: string, ...args: string[]) => ({ command: process.execPath, args: [published(name), ...args] });
  const mcp_servers = {
    everything: node("server-everything"),
    files: node("server-filesystem", dir),
    memory: { ...node("server-memory"), env: { MEMORY_FILE_PATH: path.join(dir, "memory.jsonl") } },
    thinking: node("server-sequential-thinking"),
  };
  const it = await bench({}, { dir, config: { mcp_servers } });
  const { names } = (await it.gate.servers?.offer()) ?? { names: [] };
  expect(new Set(names.map((name) => name.split("_")[1]))).toEqual(
    new Set(["everything", "files", "memory", "thinking"]),
  );
  const said = async (name: string, args: object) => (await it.call(name, args)).output;

  expect(await said("mcp_everything_echo", { message: "hello" })).toContain("hello");
  expect(await said("mcp_everything_get-sum", { a: 2, b: "3" })).toContain("5");
  const picture = await it.call("mcp_everything_get-tiny-image", {});
  expect(picture.attachments?.[0]?.mime).toBe("image/png");
  const titles: unknown[] = [];
  it.gate.on("event", (event) => event.type === "progress" && titles.push(event.metadata?.progress));
  await it.call("mcp_everything_trigger-long-running-operation", { duration: 0.4, steps: 2 });
  expect(titles.length).toBeGreaterThan(0);

  expect(await said("mcp_files_read_text_file", { path: path.join(dir, "f.txt") })).toContain("in the file");
  expect(await it.call("mcp_files_read_text_file", { path: "/etc/hostname" })).toMatchObject({ success: false });
  expect(await it.call("mcp_files_read_text_file", {})).toMatchObject({ status: "invalid" });

  const entities = [{ name: "Toolgate", entityType: "project", observations: ["judges calls"] }];
  await it.call("mcp_memory_create_entities", { entities });
  expect(await said("mcp_memory_search_nodes", { query: "judges" })).toContain("Toolgate");
  expect(existsSync(path.join(dir, "memory.jsonl"))).toBe(true);

  const thought = { thought: "First.", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  expect(await said("mcp_thinking_sequentialthinking", thought)).toContain("totalThoughts");
});
