import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { mcp } from "../../src/doors/mcp/server.ts";
import { serveStdio } from "../../src/doors/mcp/stdio.ts";
import { open } from "../../src/index.ts";
import { folder, plain } from "../journeys/harness.ts";

type Message = {
  id?: number;
  method?: string;
  result?: Record<string, never>;
  error?: { code: number; message: string };
};

/** A server in this process, and somebody at the other end who writes whatever they like. */
async function wire() {
  const dir = folder();
  const door = mcp();
  const waiting = plain("waiting", {
    execute: (_, { abort }) => new Promise((stop) => abort.addEventListener("abort", () => stop("stopped"))),
  });
  const { approve, ask } = door;
  const gate = await open({ workspace: dir, approve, ask, store: "memory", tools: [waiting] });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = await serveStdio(door, await door.factory(gate), { input, output });
  onTestFinished(async () => {
    await serving.close();
    door.close();
    await gate.close();
  });
  const said: Message[] = [];
  const listeners = new Set<() => void>();
  let rest = "";
  output.on("data", (piece: Buffer) => {
    const lines = (rest + piece.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) said.push(JSON.parse(line) as Message);
    for (const each of listeners) each();
  });
  const heard = (wanted: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      const look = () => {
        const found = said.find(wanted);
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const send = (message: unknown) =>
    input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  const request = (id: number, method: string, params: object = {}) => {
    send({ jsonrpc: "2.0", id, method, params });
    return heard((message) => message.id === id && message.method === undefined);
  };
  return { dir, door, gate, input, serving, send, request, said };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const write = (content = "x", more: object = {}) => ({
  name: "write_file",
  arguments: { path: "a.txt", content },
  _meta: META,
  ...more,
});
const yes = (result: Record<string, never> | undefined) => {
  const { inputRequests, requestState } = result as unknown as { inputRequests: object; requestState: string };
  const accepted = { action: "accept", content: { decision: "once" } };
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, accepted]));
  return { inputResponses, requestState };
};

describe("who answers a question of 2026-07-28", () => {
  test("with what was handed out, once: the call is made; again: nothing waits for it", async () => {
    const { request, dir } = await wire();
    const { result } = await request(1, "tools/call", write());
    expect(result).toMatchObject({ resultType: "input_required" });
    expect((await request(2, "tools/call", write("x", yes(result)))).result).not.toHaveProperty("isError");
    expect(existsSync(join(dir, "a.txt"))).toBe(true);
    expect((await request(3, "tools/call", write("x", yes(result)))).result).toMatchObject({ isError: true });
  });

  test.each<[string, (given: ReturnType<typeof yes>) => object]>([
    ["for other arguments", (given) => write("y", given)],
    ["for another tool", (given) => ({ ...write("x", given), name: "delete_file" })],
    ["with a state that was changed", (given) => write("x", { ...given, requestState: `${given.requestState}A` })],
    ["with a state of its own", (given) => write("x", { ...given, requestState: "e30.e30" })],
    ["without the state", ({ inputResponses }) => write("x", { inputResponses })],
    ["with no answer", ({ requestState }) => write("x", { requestState, inputResponses: {} })],
    [
      "with an answer of another shape",
      ({ requestState }) => write("x", { requestState, inputResponses: { "question-1": 7 } }),
    ],
  ])("%s: nothing is written", async (_, forged) => {
    const { request, dir, gate } = await wire();
    const { result } = await request(1, "tools/call", write());
    const { result: told, error } = await request(2, "tools/call", forged(yes(result)));
    expect(error !== undefined || told?.isError || told?.resultType === "input_required").toBeTruthy();
    expect(existsSync(join(dir, "a.txt"))).toBe(false);
    expect((await gate.grants.list()).length).toBe(0);
  });

  test("and never comes back: the question ends with the connection", async () => {
    const { request, gate, input, serving, door } = await wire();
    await request(1, "tools/call", write());
    expect((await gate.approvals.pending()).length).toBe(1);
    input.end();
    await serving.ended;
    door.close();
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(0);
  });
});

describe("whatever is written, the next request is answered", () => {
  const initialize = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };

  test.each<[string, unknown]>([
    ["no JSON", "}{"],
    ["an empty line", ""],
    ["a text", '"text"'],
    ["null", "null"],
    ["a batch", '[{"jsonrpc":"2.0","id":7,"method":"ping"}]'],
    ["an old version", '{"id":7,"method":"ping"}'],
    ["a method that is not there", { jsonrpc: "2.0", id: 7, method: "tools/destroy" }],
    ["an answer that nobody asked for", { jsonrpc: "2.0", id: 99, result: {} }],
    [
      "the end of a call that never was",
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
    ],
    ["a call without a name", { jsonrpc: "2.0", id: 7, method: "tools/call", params: {} }],
    [
      "arguments that are a list",
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "x", arguments: [] } },
    ],
    ["a name that every object has", { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "constructor" } }],
    [
      "deep nesting",
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}}`,
    ],
    ["bytes that are no text", "\u0000\ufffd\u001b[2J"],
  ])("%s", async (_, message) => {
    const { send, request } = await wire();
    await request(1, "initialize", initialize);
    send(message);
    const { result } = await request(2, "tools/list");
    expect((result as unknown as { tools: object[] }).tools.length).toBeGreaterThan(5);
  });

  test("more calls at once than are made: those beyond are told so, and ending them makes room", async () => {
    const { request, send, said, gate } = await wire();
    await request(1, "initialize", initialize);
    const count = 300;
    for (let id = 10; id < 10 + count; id++)
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "waiting", arguments: {} } });
    const last = await request(9, "tools/call", { name: "waiting", arguments: {} });
    expect(last.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/Too many calls/) }] });
    expect(said.filter(({ result }) => result?.isError).length).toBe(count + 1 - 256);
    for (let id = 10; id < 10 + count; id++)
      send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    await expect.poll(async () => (await gate.underWay()).length).toBe(0);
    expect((await request(2, "tools/call", { name: "list_files", arguments: {} })).result).not.toHaveProperty(
      "isError",
    );
  });

  test("a message without an end closes the connection, and what it ran is stopped", async () => {
    const { request, send, input, serving, gate } = await wire();
    await request(1, "initialize", initialize);
    send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "waiting", arguments: {} } });
    const piece = "x".repeat(1 << 20);
    for (let index = 0; index < 34; index++) input.write(piece);
    await serving.ended;
    await expect.poll(async () => (await gate.underWay()).length).toBe(0);
  });
});
