import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chosenModel, modelNamed, type SaidModel, type WrittenModel, writtenModel } from "../../src/agents/models.ts";
import { trust } from "../../src/config/trust.ts";
import { open } from "../../src/index.ts";
import { openAgent } from "../../src/open-agent.ts";
import { dialectFor, dialects } from "../../src/tools/lib/dialects.ts";
import { bench, folder } from "../journeys/harness.ts";
import { ownFolder } from "../journeys/skills/shelf.ts";

type Env = Record<string, string>;
const LOCAL = { provider: "openai-compatible", name: "qwen3", baseUrl: "http://localhost:1/v1", keyVariable: "MINE" };

describe("which model, where and with which key", () => {
  test.each<[what: string, said: SaidModel, env: Env, written: WrittenModel, expected: object | undefined]>([
    ["nobody names one", {}, {}, {}, undefined],
    [
      "what is written down",
      {},
      {},
      LOCAL,
      { named: "openai-compatible/qwen3", baseUrl: LOCAL.baseUrl, keyVariable: "MINE" },
    ],
    ["a name alone", {}, {}, { name: "qwen3" }, { named: "openai-compatible/qwen3" }],
    [
      "the environment before it",
      {},
      { TOOLGATE_MODEL: "openai-compatible/b" },
      LOCAL,
      { named: "openai-compatible/b", baseUrl: LOCAL.baseUrl, keyVariable: "MINE" },
    ],
    [
      "options before both",
      { model: "c/d" },
      { TOOLGATE_MODEL: "b" },
      LOCAL,
      { named: "c/d", baseUrl: LOCAL.baseUrl, keyVariable: "MINE" },
    ],
    [
      "an address from the environment before the file",
      {},
      { OPENAI_BASE_URL: "http://e/" },
      LOCAL,
      { named: "openai-compatible/qwen3", baseUrl: "http://e/", keyVariable: "MINE" },
    ],
    [
      "an address by option before both",
      { baseUrl: "http://o/" },
      { OPENAI_BASE_URL: "http://e/" },
      LOCAL,
      { named: "openai-compatible/qwen3", baseUrl: "http://o/", keyVariable: "MINE" },
    ],
    [
      "another key by option",
      { keyVariable: "OTHER" },
      {},
      LOCAL,
      { named: "openai-compatible/qwen3", baseUrl: LOCAL.baseUrl, keyVariable: "OTHER" },
    ],
    [
      "another provider has neither the address nor the key",
      { model: "anthropic/claude-x" },
      {},
      LOCAL,
      { named: "anthropic/claude-x" },
    ],
    ["nor has OpenAI the address of another", { model: "openai/gpt-5" }, {}, LOCAL, { named: "openai/gpt-5" }],
    [
      "nor has Anthropic the address of OpenAI's kind",
      {},
      { OPENAI_BASE_URL: "http://e/" },
      { provider: "anthropic", name: "claude-x" },
      { named: "anthropic/claude-x" },
    ],
  ])("%s", (_what, said, env, written, expected) => {
    const chosen = chosenModel(said, env, written);
    const { env: _, ...settings } = chosen?.settings ?? { env };
    expect(chosen && { named: chosen.named, ...settings }).toEqual(expected);
  });

  test("a provider whose package is not installed says which to install", async () => {
    for (const [named, name] of [
      ["anthropic/claude-x", "@ai-sdk/anthropic"],
      ["google/gemini-x", "@ai-sdk/google"],
    ] as const)
      await expect(modelNamed(named, { env: {} })).rejects.toThrow(`npm install ${name}`);
  });

  test("what is written down is made when it is asked first, and says what is missing", async () => {
    const model = writtenModel({ name: "qwen3" }, {});
    expect(model?.name).toBe("openai-compatible/qwen3");
    const request = { system: "", messages: [], tools: [], signal: new AbortController().signal };
    await expect(model?.turn(request)).rejects.toThrow("--base-url URL");
    expect(writtenModel({ provider: "openai" }, {})).toBeUndefined();
  });
});

describe("the names of tools that a model is shown", () => {
  test.each([
    ["anthropic/claude-sonnet-4-5", "claude"],
    ["openai-compatible/anthropic/claude-3.5-haiku", "claude"],
    ["google.generative-ai/gemini-2.5-pro", "gemini"],
    ["openai/gpt-5-codex", "codex"],
    ["openai.chat/gpt-5.2", "codex"],
    ["openai-compatible/codex-mini-latest", "codex"],
    ["openai/gpt-4o", "default"],
    ["openai-compatible/qwen3", "default"],
    ["openai-compatible/not-claudette", "default"],
    ["sessions/claude-1.jsonl", "default"],
    [undefined, "default"],
  ])("%s: %s", (model, dialect) => {
    expect(dialectFor(model)).toBe(dialect);
    expect(dialects).toHaveProperty(dialect);
  });

  test.each([
    ["claude-x", undefined, "Bash"],
    ["claude-x", "gemini", "run_shell_command"],
    ["claude-x", "default", "run_command"],
    ["qwen3", undefined, "run_command"],
  ])("a gate for %s with the dialect %s shows %s, in the prompt too", async (name, dialect, shown) => {
    const turn = async () => ({ text: "done", calls: [] });
    const config = dialect ? { dialect } : {};
    const { gate, dir } = await bench(
      { "a.txt": "" },
      { store: "memory", sandbox: "off", model: { name, turn }, config },
    );
    expect(gate.schemas({ format: "mcp" }).map((each) => each.name)).toContain(shown);
    const agent = await openAgent({ workspace: dir, store: "memory", sandbox: "off", config, model: { name, turn } });
    const prompt = await agent.crew.prompt("build", agent.gate);
    await agent.gate.close();
    const edits = agent.gate.registry.get("edit_file")?.name;
    expect(edits).toBe("edit_file");
    expect(prompt).toContain(
      shown === "Bash" ? "Edit for a piece" : shown === "run_command" ? "edit_file for a piece" : "replace for a piece",
    );
  });
});

describe("a workspace's own file", () => {
  /** A service that answers every request with an error, and what it was sent. */
  async function service(): Promise<{ url: string; keys: (string | undefined)[] }> {
    const keys: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(400).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys };
  }
  const written = (url: string) => `mode: yolo\nmodel: { name: m, base_url: "${url}", api_key_env: THEIR_KEY }\n`;
  const handOn = { name: "spawn_agent", args: { agent: "explore", task: "look" } };

  test("sends no key anywhere before it is trusted, and then the one that it names", async () => {
    ownFolder();
    vi.stubEnv("OPENAI_API_KEY", "sk-mine");
    vi.stubEnv("THEIR_KEY", "sk-theirs");
    const { url, keys } = await service();
    const dir = folder({ "toolgate.yaml": written(url) });
    const call = async () => {
      const gate = await open({ workspace: dir, store: "memory", sandbox: "off", mode: "yolo" });
      const { error } = await gate.call(handOn);
      await gate.close();
      return { error, notes: gate.notes.join("\n") };
    };
    const before = await call();
    expect(before.error?.code).toBe("CONFIG_ERROR");
    expect(before.notes).toContain("model.base_url");
    expect(keys).toEqual([]);
    await trust(path.join(dir, "toolgate.yaml"));
    await call();
    expect(new Set(keys)).toEqual(new Set(["Bearer sk-theirs"]));
  });

  test("adds agents, and changes none of the person's own", async () => {
    ownFolder({ "toolgate.yaml": "agents: { docs: { tools: [read_file] } }\n" });
    const dir = folder({
      "toolgate.yaml": "agents: { docs: { tools: ['*'] }, other: { prompt: Theirs. } }\n",
      ".toolgate/agents/docs.md": "---\nname: docs\n---\nTheirs.\n",
    });
    const model = { name: "none", turn: async () => ({ text: "", calls: [] }) };
    const { gate, crew } = await openAgent({ workspace: dir, store: "memory", sandbox: "off", mode: "yolo", model });
    const write = { name: "write_file", args: { path: "x", content: "x" } };
    expect(await gate.call({ ...write, agent: "docs" })).toMatchObject({ status: "refused" });
    await gate.close();
    expect(crew.definitions.find(({ name }) => name === "docs")).toMatchObject({ tools: ["read_file"], prompt: "" });
    expect(crew.definitions.find(({ name }) => name === "other")).toMatchObject({ prompt: "Theirs." });
  });
});
