import type { ToolSchema } from "../../core/words/json-schema.ts";
import type { Spending } from "../../core/words/model-spending.ts";
import type { Attachment } from "../../core/words/result.ts";

/** A call as a model wrote it; `args` may be any text. */
export type ModelCall = { id: string; name: string; args: unknown };
export type ToolAnswer = { id: string; name: string; text: string; failed: boolean; images?: readonly Attachment[] };

/** The conversation, independent of any provider's format. */
export type Message =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; calls: readonly ModelCall[] }
  | { role: "tool"; answers: readonly ToolAnswer[] };

/** Tokens, and their cost if it is known. */
export type Usage = { input: number; output: number; cost?: number };

export function addUsage(sum: Usage, { input, output, cost }: Usage = { input: 0, output: 0 }): void {
  sum.input += input;
  sum.output += output;
  if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost;
}

export const spendingOf = ({ input, output, cost }: Usage): Spending => ({
  tokens: input + output,
  ...(cost !== undefined && { cost }),
});

/** One answer of a model. `cutOff`: it reached its length limit. */
export type ModelTurn = { text: string; calls: readonly ModelCall[]; usage?: Usage; cutOff?: boolean };

export type ModelRequest = {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSchema<"mcp">[];
  signal: AbortSignal;
  /** The conversation that it belongs to. */
  session?: string;
  /** Receives the text as it arrives. */
  onText?: (text: string) => void;
};

/** A model in the loop. Rejects if it cannot be reached, after a sensible number of retries. */
export interface Model {
  readonly name: string;
  turn(request: ModelRequest): Promise<ModelTurn>;
}

/** One turn. Does not wait for a model that ignores the signal. */
export async function turnOf(model: Model, request: ModelRequest): Promise<ModelTurn> {
  const { signal } = request;
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([model.turn(request), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
