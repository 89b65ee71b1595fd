import { type Crew, crew, type Kept, type Model, priced, type SdkLanguageModel, sdkModel } from "./agents/crew.ts";
import type { AgentDefinition } from "./core/contracts/agents.ts";
import type { Parts } from "./core/journey/journey-parts.ts";
import { type Dialect, type Registry, translated } from "./core/registry.ts";
import type { Price } from "./core/words/model-spending.ts";
import { agentFiles, instructionsOf } from "./sources/agent-files.ts";

export type * from "./agents/crew.ts";
export { conversations, EXPORTS, exported, scriptLine, scriptModel, taskIn } from "./agents/crew.ts";
export { chosenModel, modelNamed, writtenModel } from "./agents/models.ts";

/** A model of the AI SDK, or one of your own. */
export type GivenModel = Model | SdkLanguageModel;

const asModel = (given: GivenModel): Model => ("turn" in given ? given : sdkModel(given));

/** A model's own name, or its id in the AI SDK. */
export const nameOfModel = (given: GivenModel): string => ("turn" in given ? given.name : given.modelId);

/** `crewAt`, with conversations kept in the store. */
export const crewFor = (
  folder: string,
  given: GivenModel,
  { registry, store, recorder }: Pick<Parts, "registry" | "store" | "recorder">,
  { prices, ...more }: Pick<CrewPlace, "configured" | "dialect"> & { prices: readonly Price[] },
): Promise<Crew> =>
  crewAt(folder, priced(asModel(given), prices), registry, {
    kept: {
      table: (name) => store.table(name),
      changes: (query) => store.changes(query),
      reserved: (key) => store.reserved(key),
      records: (query) => recorder.flush().then(() => store.records(query)),
    },
    ...more,
  });

/** `kept`: where conversations are; absent: nowhere. `configured`: agents of the configuration, which precede files. */
type CrewPlace = { kept?: Kept; configured?: readonly AgentDefinition[]; dialect?: Dialect | undefined };

/** The model in the loop, and the agents of a workspace. */
export async function crewAt(
  folder: string,
  given: GivenModel,
  registry: Pick<Registry, "get" | "has" | "list" | "filter">,
  { kept, configured = [], dialect }: CrewPlace = {},
): Promise<Crew> {
  const model = asModel(given);
  const files = await agentFiles(folder);
  const isConfigured = (name: string): boolean => configured.some((each) => each.name === name);
  const definitions = [...configured, ...files.definitions.filter(({ name }) => !isConfigured(name))];
  const broken = files.broken.filter((name) => !isConfigured(name));
  const instructions = await instructionsOf(folder);
  return crew({
    ...{ model, definitions, broken, isTool: (name: string) => registry.has(name) },
    canonical: (name) => registry.get(name)?.name ?? name,
    ...(instructions && { instructions }),
    ...(kept && { kept }),
    ...(dialect && { spoken: (text: string) => translated(text, dialect) }),
    briefing: (tools) =>
      (tools ? registry.filter(tools) : registry.list())
        .filter(({ hidden }) => !hidden)
        .flatMap(({ definition }) => definition?.briefing ?? []),
  });
}

/** The agents of a workspace, including the built-in ones. */
export async function agentsAt(folder: string): Promise<readonly AgentDefinition[]> {
  const { definitions, broken } = await agentFiles(folder);
  return crew({ model: NO_MODEL, definitions, broken, isTool: () => true }).definitions;
}

const NO_MODEL: Model = { name: "none", turn: () => Promise.reject(new Error("There is no model.")) };
