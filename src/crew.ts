import { type Crew, crew, type Model, type SdkLanguageModel, sdkModel } from "./agents/crew.ts";
import type { Registry } from "./core/registry.ts";
import { agentFiles, instructionsOf } from "./sources/agent-files.ts";

export type * from "./agents/crew.ts";
export { scriptLine } from "./agents/crew.ts";
export { modelNamed } from "./agents/models.ts";

/** A model of the AI SDK, or one of your own. */
export type GivenModel = Model | SdkLanguageModel;

/** The model in the loop, and the agents of a workspace. */
export async function crewAt(folder: string, given: GivenModel, registry: Pick<Registry, "has">): Promise<Crew> {
  const model = "turn" in given ? given : sdkModel(given);
  const { definitions } = await agentFiles(folder);
  const instructions = await instructionsOf(folder);
  return crew({ model, definitions, isTool: (name) => registry.has(name), ...(instructions && { instructions }) });
}
