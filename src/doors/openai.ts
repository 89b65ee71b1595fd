import type { GateView } from "../core/words/gate-view.ts";
import type { ObjectSchema, ToolSchema } from "../core/words/json-schema.ts";
import { type Result, render } from "../core/words/result.ts";
import { type Asked, dataUrl, imagesOf, runTurn, type Shown, type Turn } from "./lib/turn.ts";

/** A call in Chat Completions; `arguments` is whatever the model wrote. */
export type ToolCall = { id: string; type?: string; function?: { name: string; arguments: string } };

export type ToolMessage = { role: "tool"; tool_call_id: string; content: string };
type ImagePart = { type: "image_url"; image_url: { url: string } };
/** A tool message holds only text, so pictures follow as a separate message. */
export type ImageMessage = { role: "user"; content: ({ type: "text"; text: string } | ImagePart)[] };

/** What to send as `tools` of a Chat Completions request. */
export const tools = (gate: GateView, shown: Shown = {}): ToolSchema<"openai">[] =>
  gate.schemas({ ...shown, format: "openai" });

/** Runs the tool calls of an assistant's message and returns the messages to append after it. */
export async function answer(
  gate: GateView,
  message: { tool_calls?: readonly ToolCall[] | null },
  turn?: Turn,
): Promise<(ToolMessage | ImageMessage)[]> {
  const calls = message.tool_calls ?? [];
  const asked = calls.map(({ id, function: told }): Asked => ({ id, name: told?.name ?? "", args: told?.arguments }));
  const results = await runTurn(gate, asked, turn);
  return [...results.map((result, index) => toolMessage(calls[index]?.id ?? "", result)), ...pictures(asked, results)];
}

const toolMessage = (id: string, result: Result): ToolMessage => ({
  role: "tool",
  tool_call_id: id,
  content: render(result),
});

const pictures = (calls: readonly Asked[], results: readonly Result[]): ImageMessage[] =>
  results.flatMap((result, index) => {
    const images = imagesOf(result).map(
      (each): ImagePart => ({ type: "image_url", image_url: { url: dataUrl(each) } }),
    );
    const text = `The picture that ${calls[index]?.name} (${calls[index]?.id}) gave:`;
    return images.length > 0 ? [{ role: "user" as const, content: [{ type: "text" as const, text }, ...images] }] : [];
  });

export type ResponseTool = {
  type: "function";
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: false;
};

/** What to send as `tools` of a request to the Responses API. */
export const responseTools = (gate: GateView, shown: Shown = {}): ResponseTool[] =>
  tools(gate, shown).map(({ function: told }) => ({ type: "function", ...told, strict: false }));

/** An item of a response's `output`; items that call no function are ignored. */
export type ResponseItem = { type: string; call_id?: string; name?: string; arguments?: string };
type OutputPart = { type: "input_text"; text: string } | { type: "input_image"; image_url: string; detail: "auto" };
export type CallOutput = { type: "function_call_output"; call_id: string; output: string | OutputPart[] };

/** Runs the function calls of a response and returns the items to send as the next input. */
export async function answerResponse(
  gate: GateView,
  output: readonly ResponseItem[],
  turn?: Turn,
): Promise<CallOutput[]> {
  const calls = output.filter(({ type }) => type === "function_call");
  const asked = calls.map(({ call_id = "", name = "", arguments: args }): Asked => ({ id: call_id, name, args }));
  const results = await runTurn(gate, asked, turn);
  return results.map((result, index) => ({
    type: "function_call_output",
    call_id: asked[index]?.id ?? "",
    output: outputOf(result),
  }));
}

function outputOf(result: Result): CallOutput["output"] {
  const images = imagesOf(result);
  if (images.length === 0) return render(result);
  return [
    { type: "input_text", text: render(result) },
    ...images.map((each) => ({ type: "input_image" as const, image_url: dataUrl(each), detail: "auto" as const })),
  ];
}
