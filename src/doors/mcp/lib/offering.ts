import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { ServedGate } from "./tool-list.ts";

/** What a client may look at beside the tools; for the calls of its own session. */
export interface Resources {
  readonly templates: readonly ResourceTemplateType[];
  list(gate: ServedGate): Promise<Resource[]>;
  /** undefined: there is no such resource. */
  read(uri: string, gate: ServedGate): Promise<ReadResourceResult["contents"] | undefined>;
}

/** Texts that a person can begin with. */
export interface Prompts {
  list(): Promise<Prompt[]>;
  /** undefined: there is no such prompt. */
  get(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult | undefined>;
}
