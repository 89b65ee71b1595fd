import { jsonSchema, type ModelMessage, type Tool, type ToolSet } from "ai";
import type { Approver } from "../core/contracts/approval.ts";
import type { GateView } from "../core/words/gate-view.ts";
import { type Result, render } from "../core/words/result.ts";
import { AskedElsewhere } from "./lib/asked-elsewhere.ts";
import { imagesOf, type Shown, type Turn } from "./lib/turn.ts";

/** A gate's tools for the AI SDK, and the approver that hands questions to the SDK's own approval flow. */
export type AiSdkDoor = {
  /** For `open({ approve })`: approves only calls that the SDK reports as approved. */
  approve: Approver;
  tools(gate: GateView, options?: Shown & Omit<Turn, "signal">): ToolSet;
};

/**
 * The SDK asks about a call (`tool-approval-request`) if the gate would ask. Its answer is a yes for that call, as long
 * as the call would still do the same as when it was asked about.
 */
export function aiSdk(): AiSdkDoor {
  const asked = new AskedElsewhere("AI SDK");

  return {
    approve: asked.approve,

    tools(gate, { dialect, names, ...about } = {}) {
      const shown = { ...(dialect !== undefined && { dialect }), ...(names && { names }) };
      const toolFor = (name: string): Pick<Tool, "needsApproval" | "execute" | "toModelOutput"> => ({
        needsApproval: (args, { toolCallId }) => asked.wouldAsk(gate, { ...about, id: toolCallId, name, args }),
        execute: (args, { toolCallId, messages, abortSignal }) => {
          const call = { ...about, id: toolCallId, name, args };
          return asked.run(gate, call, wasApproved(messages, toolCallId, args), abortSignal);
        },
        toModelOutput: ({ output }) => modelOutput(output as Result),
      });
      return Object.fromEntries(
        gate
          .schemas({ ...shown, format: "mcp" })
          .map(({ name, description, inputSchema }) => [
            name,
            { description, inputSchema: jsonSchema(inputSchema), ...toolFor(name) },
          ]),
      );
    },
  };
}

/** Whether the last answer about this call, with these arguments, is a yes in the application's messages. */
function wasApproved(messages: readonly ModelMessage[], callID: string, args: unknown): boolean {
  const wanted = JSON.stringify(args);
  let [isThisCall, request, answer] = [false, "", false];
  for (const { role, content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content)
      if (role === "assistant" && part.type === "tool-call" && part.toolCallId === callID)
        [isThisCall, request, answer] = [JSON.stringify(part.input) === wanted, "", false];
      else if (role === "assistant" && part.type === "tool-approval-request" && part.toolCallId === callID)
        [request, answer] = [part.approvalId, false];
      else if (role === "tool" && part.type === "tool-approval-response" && part.approvalId === request)
        answer = part.approved;
  }
  return isThisCall && request !== "" && answer;
}

function modelOutput(result: Result): Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>> {
  const text = render(result);
  if (!result.success) return { type: "error-text", value: text };
  const images = imagesOf(result);
  if (images.length === 0) return { type: "text", value: text };
  return {
    type: "content",
    value: [
      { type: "text", text },
      ...images.map(({ data, mime }) => ({ type: "image-data" as const, data, mediaType: mime })),
    ],
  };
}
