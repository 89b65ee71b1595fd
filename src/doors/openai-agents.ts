import { randomUUID } from "node:crypto";
import type { Approver } from "../core/contracts/approval.ts";
import type { GateView } from "../core/words/gate-view.ts";
import { type Result, render } from "../core/words/result.ts";
import { AskedElsewhere } from "./lib/asked-elsewhere.ts";
import { dataUrl, imagesOf, type Shown, type Turn } from "./lib/turn.ts";

/** The parts of the SDK's run context that we use: its own types differ between versions. */
export type Approvals = { isToolApproved(approval: { toolName: string; callId: string }): boolean | undefined };

/** What the SDK's `tool()` takes. */
export type AgentsTool = {
  name: string;
  description: string;
  parameters: Parameters;
  strict: false;
  needsApproval(context: Approvals, args: unknown, callId?: string): Promise<boolean>;
  execute(args: unknown, context?: Approvals, details?: Details): Promise<Output>;
};
type Parameters = {
  type: "object";
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a property is not exported
  properties: Record<string, any>;
  required: string[];
  additionalProperties: true;
};
type Details = { toolCall?: { callId: string }; signal?: AbortSignal };
type Output = string | ({ type: "text"; text: string } | { type: "image"; image: string })[];

/** A gate's tools for the OpenAI Agents SDK, and the approver that hands questions to the SDK's interruptions. */
export type AgentsDoor = {
  /** For `open({ approve })`: approves only calls that the SDK reports as approved. */
  approve: Approver;
  tools(gate: GateView, options?: Shown & Omit<Turn, "signal">): AgentsTool[];
};

/**
 * The SDK interrupts a run where the gate would ask. `state.approve(interruption)` is a yes for that call; a yes for
 * all calls of a tool does not count, because nobody saw their arguments.
 */
export function openaiAgents(): AgentsDoor {
  const asked = new AskedElsewhere("OpenAI Agents SDK");
  const used = new Set<string>();
  /** Only once: the SDK remembers a yes by the call id alone. */
  const takeYes = (context: Approvals | undefined, name: string, id: string): boolean => {
    if (used.has(id) || !wasApproved(context, name, id)) return false;
    used.add(id);
    return true;
  };
  return {
    approve: asked.approve,
    tools(gate, { dialect, names, ...about } = {}) {
      const shown = { ...(dialect !== undefined && { dialect }), ...(names && { names }) };
      return gate.schemas({ ...shown, format: "mcp" }).map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: { required: [], ...inputSchema, type: "object", additionalProperties: true },
        strict: false,
        needsApproval: (_, args, callId = "") => asked.wouldAsk(gate, { ...about, id: callId, name, args }),
        async execute(args, context, { toolCall, signal } = {}) {
          const id = toolCall?.callId ?? randomUUID();
          return output(await asked.run(gate, { ...about, id, name, args }, takeYes(context, name, id), signal));
        },
      }));
    },
  };
}

function wasApproved(context: Approvals | undefined, toolName: string, callId: string): boolean {
  const isApproved = (id: string) => context?.isToolApproved({ toolName, callId: id }) === true;
  const isForAll = isApproved(randomUUID());
  return !isForAll && isApproved(callId);
}

function output(result: Result): Output {
  const text = render(result);
  const images = imagesOf(result);
  if (images.length === 0) return text;
  return [{ type: "text", text }, ...images.map((each) => ({ type: "image" as const, image: dataUrl(each) }))];
}
