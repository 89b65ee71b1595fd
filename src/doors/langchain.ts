import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { GateView } from "../core/words/gate-view.ts";
import type { ObjectSchema } from "../core/words/json-schema.ts";
import { type Result, render } from "../core/words/result.ts";
import { dataUrl, imagesOf, type Shown } from "./lib/turn.ts";

/** Whose call it is; what is missing is taken from the gate. */
export type CallContext = { sessionID?: string; messageID?: string; agent?: string };

export type LangChainOptions = Shown & {
  /** Called before each call. */
  createContext?: (toolID: string, callID: string) => CallContext | Promise<CallContext>;
  /** Called with each result, including its metadata. */
  onToolResult?: (result: Result, call: { toolID: string; callID: string }) => void;
};

/** The tools, and the latest results by call id. */
export type LangChainTools = DynamicStructuredTool[] & { readonly lastResults: ReadonlyMap<string, Result> };

const MOST_RESULTS = 100;
/** The gate parses arguments: it knows other spellings and says what is wrong, where LangChain would throw. */
const ANYTHING = { type: "object", additionalProperties: true };

/** A gate's tools for LangChain. A failure is an answer for the model to read; nothing is thrown. */
export function tools(gate: GateView, options: LangChainOptions = {}): LangChainTools {
  const { createContext, onToolResult, ...shown } = options;
  const lastResults = new Map<string, Result>();
  let unnamed = 0;

  const toolFor = (name: string, description: string, schema: ObjectSchema): DynamicStructuredTool =>
    new GateTool({
      name,
      description,
      schema,
      responseFormat: "content_and_artifact",
      func: async (args, _, config) => {
        const { toolCall, signal } = (config ?? {}) as { toolCall?: { id?: string }; signal?: AbortSignal };
        const callID = toolCall?.id ?? `langchain_${++unnamed}`;
        const context = await createContext?.(name, callID);
        const call = { ...context, id: callID, name, args };
        const result = await gate.call(call, signal ? { signal } : {});
        remember(lastResults, callID, result);
        onToolResult?.(result, { toolID: name, callID });
        const content = contentOf(result);
        if (result.success || !toolCall?.id) return [content, result];
        const failed = { content, artifact: result, tool_call_id: toolCall.id, name, status: "error" as const };
        return [new ToolMessage(failed), result];
      },
    });

  const made = gate
    .schemas({ ...shown, format: "mcp" })
    .map(({ name, description, inputSchema }) => toolFor(name, description, inputSchema));
  return Object.assign(made, { lastResults });
}

class GateTool extends DynamicStructuredTool {
  /** The model is shown the schema, but LangChain does not validate against it. */
  override call(...given: Parameters<DynamicStructuredTool["call"]>): ReturnType<DynamicStructuredTool["call"]> {
    return super.call.apply(Object.create(this, { schema: { value: ANYTHING } }), given);
  }
}

function remember(results: Map<string, Result>, id: string, result: Result): void {
  results.delete(id);
  results.set(id, result);
  const [oldest] = results.keys();
  if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest);
}

function contentOf(result: Result) {
  const images = imagesOf(result).map((each) => ({
    type: "image_url" as const,
    image_url: { url: dataUrl(each) },
  }));
  return images.length > 0 ? [{ type: "text" as const, text: render(result) }, ...images] : render(result);
}
