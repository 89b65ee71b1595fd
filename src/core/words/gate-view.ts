import type { IncomingCall } from "./call.ts";
import type { Limits, Narrowing } from "./ceiling.ts";
import type { GateEvent } from "./event.ts";
import type { Explanation } from "./explanation.ts";
import type { Format, ToolSchema } from "./json-schema.ts";
import type { Result } from "./result.ts";

export type CallOptions = { signal?: AbortSignal };
export type BatchOptions = CallOptions & { concurrency?: number };
export type SchemaChoice<F extends Format = Format> = { format?: F; dialect?: string; names?: readonly string[] };

/** The ceiling of a child gate, and its agent. Fields that are left out impose nothing. */
export type ChildOptions = Narrowing & { agent?: string; sessionID?: string; budget?: Limits };

/** What a gate offers to its callers: builders of agents, tools that call tools, and child gates. */
export interface GateView {
  readonly sessionID: string;
  readonly agent: string;
  call(call: IncomingCall, options?: CallOptions): Promise<Result>;
  callAll(calls: readonly IncomingCall[], options?: BatchOptions): Promise<Result[]>;
  explain(call: IncomingCall): Promise<Explanation>;
  schemas<F extends Format = "openai">(options?: SchemaChoice<F>): ToolSchema<F>[];
  child(options?: ChildOptions): GateView;
  on(event: "event", listener: (event: GateEvent) => void): () => void;
  close(): Promise<void>;
}
