import { jsonSchema, type ModelMessage, type Tool, type ToolSet } from "ai";
import type { Approver } from "../core/contracts/approval.ts";
import type { GateView } from "../core/words/gate.ts";
import { type Result, render } from "../core/words/result.ts";
import { imagesOf, type Shown, type Turn } from "./lib/turn.ts";

/** A gate's tools for the AI SDK, and the approver that hands questions to the SDK's own approval flow. */
export type AiSdkDoor = {
  /** For `open({ approve })`: a yes is what the SDK was told about that very call. */
  approve: Approver;
  tools(gate: GateView, options?: Shown & Omit<Turn, "signal">): ToolSet;
};

/** What a call would have done when the person was asked. */
type Seen = { touches: string; diff: string };
const MOST_SEEN = 1000;

/**
 * The SDK asks about a call (`tool-approval-request`) if the gate would ask. Its answer is a yes for that call, as long
 * as the call would still do what it would have done when it was asked about.
 */
export function aiSdk(): AiSdkDoor {
  const seen = new Map<string, Seen>();
  const approved = new Set<string>();

  return {
    approve({ id, args, touches, diff }) {
      if (!approved.has(id)) return { decision: "deny", message: "the AI SDK did not ask about this call" };
      const before = seen.get(keyOf(id, args));
      if (before && (before.touches !== JSON.stringify(touches) || before.diff !== diff))
        return { decision: "deny", message: "what it would do has changed since it was approved; call it again" };
      return "once";
    },

    tools(gate, { dialect, names, ...about } = {}) {
      const shown = { ...(dialect !== undefined && { dialect }), ...(names && { names }) };
      const toolFor = (name: string): Pick<Tool, "needsApproval" | "execute" | "toModelOutput"> => ({
        async needsApproval(args, { toolCallId }) {
          const told = await gate.explain({ ...about, id: toolCallId, name, args });
          if (told.verdict !== "ask") return false;
          keep(seen, keyOf(toolCallId, args), { touches: JSON.stringify(told.touches), diff: told.diff ?? "" });
          return true;
        },
        async execute(args, { toolCallId, messages, abortSignal }) {
          if (wasApproved(messages, toolCallId, args)) approved.add(toolCallId);
          const call = { ...about, id: toolCallId, name, args };
          try {
            return await gate.call(call, abortSignal ? { signal: abortSignal } : {});
          } finally {
            approved.delete(toolCallId);
            seen.delete(keyOf(toolCallId, args));
          }
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

const keyOf = (id: string, args: unknown): string => JSON.stringify([id, args]);

/** The first look counts: the SDK looks again when it goes on after the answer. */
function keep(seen: Map<string, Seen>, key: string, what: Seen): void {
  if (seen.has(key)) return;
  seen.set(key, what);
  const [oldest] = seen.keys();
  if (seen.size > MOST_SEEN && oldest !== undefined) seen.delete(oldest);
}

/** Whether the last word on this call, with these arguments, is a yes in the messages that the application keeps. */
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
