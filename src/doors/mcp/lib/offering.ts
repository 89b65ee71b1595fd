import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ServedGate } from "./tool-list.ts";

/** What a client may read besides the tools, limited to the calls of its own session. */
export interface Resources {
  readonly templates: readonly ResourceTemplateType[];
  list(gate: ServedGate): Promise<Resource[]>;
  /** Returns undefined if there is no such resource. */
  read(uri: string, gate: ServedGate): Promise<ReadResourceResult["contents"] | undefined>;
}

/** Prompts that a person can start with. */
export interface Prompts {
  list(): Promise<Prompt[]>;
  /** Returns undefined if there is no such prompt. */
  get(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult | undefined>;
}
