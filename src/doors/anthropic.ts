import type { GateView } from "../core/words/gate-view.ts";
import type { ToolSchema } from "../core/words/json-schema.ts";
import { type Attachment, type Result, render } from "../core/words/result.ts";
import { type Asked, imagesOf, runTurn, type Shown, type Turn } from "./lib/turn.ts";

/** A block of an assistant's message; blocks that use no tool are ignored. */
export type ContentBlock = { type: string; id?: string; name?: string; input?: unknown };

type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
type TextBlock = { type: "text"; text: string };
type ImageBlock = { type: "image"; source: { type: "base64"; media_type: ImageType; data: string } };
export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content: string | (TextBlock | ImageBlock)[];
  is_error?: true;
};
export type ResultMessage = { role: "user"; content: ToolResultBlock[] };

/** What to send as `tools` of a Messages request. */
export const tools = (gate: GateView, shown: Shown = {}): ToolSchema<"anthropic">[] =>
  gate.schemas({ ...shown, format: "anthropic" });

/** Runs the tool uses of an assistant's message. Returns the message to append; undefined if it used no tool. */
export async function answer(
  gate: GateView,
  message: { content: string | readonly ContentBlock[] },
  turn?: Turn,
): Promise<ResultMessage | undefined> {
  const blocks = typeof message.content === "string" ? [] : message.content;
  const calls = blocks
    .filter(({ type }) => type === "tool_use")
    .map(({ id = "", name = "", input }): Asked => ({ id, name, args: input }));
  if (calls.length === 0) return undefined;
  const results = await runTurn(gate, calls, turn);
  return { role: "user", content: results.map((result, index) => resultBlock(calls[index]?.id ?? "", result)) };
}

function resultBlock(id: string, result: Result): ToolResultBlock {
  const images = imagesOf(result).flatMap(imageBlock);
  const text = render(result);
  return {
    type: "tool_result",
    tool_use_id: id,
    content: images.length > 0 ? [{ type: "text", text }, ...images] : text,
    ...(!result.success && { is_error: true }),
  };
}

const TAKEN: readonly string[] = ["image/jpeg", "image/png", "image/gif", "image/webp"] satisfies ImageType[];

/** A picture of another type would make the service refuse the whole message. */
const imageBlock = ({ mime, data }: Attachment): ImageBlock[] =>
  TAKEN.includes(mime) ? [{ type: "image", source: { type: "base64", media_type: mime as ImageType, data } }] : [];
