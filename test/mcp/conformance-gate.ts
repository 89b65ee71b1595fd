import { serveHttp } from "../../src/doors/mcp/http/serve.ts";
import type { Prompts, Resources } from "../../src/doors/mcp/lib/offering.ts";
import { mcp } from "../../src/doors/mcp/server.ts";
import { type Definition, type Gate, open, Tool, z } from "../../src/index.ts";
import { folder } from "../journeys/harness.ts";

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const PAPER = { mime: "application/pdf", data: "JVBERi0=", name: "paper.pdf" };

const tool = (name: string, execute: Definition["execute"], more: Partial<Definition> = {}): Tool =>
  Tool.define(name, {
    description: `The tool ${name} that the conformance suite expects.`,
    permissions: { required: ["read"] },
    input: z.object({}),
    touches: () => [],
    execute,
    ...more,
  });

const asking = (name: string, questions = ["What is your name?"]): Tool =>
  tool(
    name,
    async (_, { people }) => {
      const answers: string[] = [];
      // the suite fills in other fields than ours: then the person has not answered
      for (const question of questions) answers.push(await people.ask({ question }).catch(() => "nothing"));
      return `The person said ${answers.join(", ")}.`;
    },
    { touches: () => [{ action: "ask", target: "person" }] },
  );

/** The suite's own tools, as tools of a gate. What a tool of ours cannot do has none here. */
const TOOLS: readonly Tool[] = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_image_content", () => ({ output: "A dot.", attachments: [{ mime: "image/png", data: PICTURE }] })),
  tool("test_audio_content", () => ({ output: "Silence.", attachments: [{ mime: "audio/wav", data: SOUND }] })),
  tool("test_embedded_resource", () => ({ output: "A paper.", attachments: [PAPER] })),
  tool("test_multiple_content_types", () => ({
    output: "Several.",
    attachments: [{ mime: "image/png", data: PICTURE }, PAPER],
  })),
  tool("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  tool("test_tool_with_progress", async (_, { metadata }) => {
    for (const title of ["a third", "two thirds", "all"]) {
      metadata({ title });
      // a client may drop what comes with the result
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return "done";
  }),
  asking("test_elicitation"),
  asking("test_input_required_result_elicitation"),
  asking("test_input_required_result_tampered_state"),
  asking("test_input_required_result_request_state"),
  asking("test_input_required_result_multi_round", ["What is your name?", "Which colour?"]),
  asking("test_streaming_elicitation"),
  tool("test_trigger_tool_change", async (_, { gate }) => {
    const { registry } = gate as Gate;
    await registry.register(tool("test_come_and_gone", () => "here"));
    registry.unregister("test_come_and_gone");
    return "changed";
  }),
  tool("test_logging_tool", () => "nothing is logged"),
];

const content = (uri: string) =>
  uri === "test://static-binary"
    ? { uri, mimeType: "image/png", blob: PICTURE }
    : { uri, mimeType: "text/plain", text: `The content of ${uri}.` };

const RESOURCES: Resources = {
  templates: [{ name: "data", uriTemplate: "test://template/{id}/data", mimeType: "text/plain" }],
  list: async () => ["test://static-text", "test://static-binary"].map((uri) => ({ uri, name: uri.slice(7) })),
  read: async (uri) =>
    /^test:\/\/(?:static-text|static-binary|template\/\w+\/data)$/.test(uri) ? [content(uri)] : undefined,
};

const message = (block: object) => ({ messages: [{ role: "user" as const, content: block as never }] });
const PROMPTS: Readonly<Record<string, (args: Readonly<Record<string, string>>) => ReturnType<typeof message>>> = {
  test_simple_prompt: () => message({ type: "text", text: "This is a simple prompt for testing." }),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    message({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) =>
    message({ type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded." } }),
  test_prompt_with_image: () => message({ type: "image", data: PICTURE, mimeType: "image/png" }),
};

const prompts: Prompts = {
  list: async () => Object.keys(PROMPTS).map((name) => ({ name, description: `The prompt ${name}.` })),
  get: async (name, args) => PROMPTS[name]?.(args),
};

/** A gate with nothing but the suite's tools, served over HTTP. */
export async function conformanceServer() {
  const dir = folder();
  const door = mcp();
  const { approve, ask } = door;
  const gate = await open({ workspace: dir, toolset: [], tools: TOOLS, approve, ask, store: "memory" });
  const serving = await serveHttp(door, gate, { port: 0, resources: RESOURCES, prompts });
  return {
    url: serving.url,
    async close() {
      await serving.close();
      door.close();
      await gate.close();
    },
  };
}
