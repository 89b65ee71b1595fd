import { addsAgents, agents as agentKind } from "../agent-kind.ts";
import { leads } from "../restrictions.ts";
import { row } from "../row.ts";
import { type Kind, name, oneOf } from "../value-kinds.ts";

const PROVIDERS = ["openai-compatible", "openai", "anthropic", "google"] as const;

const ADDRESS = "a URL that starts with http:// or https://";
const isAddress = (written: string): boolean => /^https?:\/\//i.test(written) && URL.canParse(written);
const address: Kind<string> = {
  accepts: ADDRESS,
  schema: (z) => z.string({ error: ADDRESS }).refine(isAddress, { error: ADDRESS }),
  read: (written) => written,
};

const VARIABLE = "the name of an environment variable, never the key itself";
const variable: Kind<string> = {
  accepts: VARIABLE,
  schema: (z) => z.string({ error: VARIABLE }).regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: VARIABLE }),
  read: (written) => written,
};

type WrittenEmbeddings = { name: string; base_url: string; api_key_env?: string };
const EMBEDDINGS =
  "a mapping with name, base_url and api_key_env, such as { name: nomic-embed-text, base_url: http://localhost:11434/v1 }";
const embeddings: Kind<WrittenEmbeddings, { name: string; baseUrl: string; keyVariable?: string }> = {
  accepts: EMBEDDINGS,
  schema: (z) =>
    z.strictObject(
      {
        name: name("the name of a model").schema(z),
        base_url: address.schema(z),
        api_key_env: variable.schema(z).optional(),
      },
      { error: EMBEDDINGS },
    ),
  read: ({ name, base_url: baseUrl, api_key_env: keyVariable }) => ({
    ...{ name, baseUrl },
    ...(keyVariable !== undefined && { keyVariable }),
  }),
  write: ({ name, baseUrl, keyVariable }) => ({
    ...{ name, base_url: baseUrl },
    ...(keyVariable !== undefined && { api_key_env: keyVariable }),
  }),
};

export const agents = {
  "model.provider": row({
    says: "Who serves the model of [agents](agents.md#models); `openai-compatible` if there is only a name.",
    kind: oneOf(PROVIDERS),
    default: undefined,
    rule: leads,
    to: "model.provider",
  }),
  "model.name": row({
    says: "The model, by the name that its provider has for it.",
    kind: name("the name of a model"),
    default: undefined,
    rule: leads,
    to: "model.name",
  }),
  "model.base_url": row({
    says: "Where it is served.",
    kind: address,
    default: undefined,
    rule: leads,
    to: "model.baseUrl",
  }),
  "model.api_key_env": row({
    says: "The environment variable that holds its key.",
    kind: variable,
    default: undefined,
    rule: leads,
    to: "model.keyVariable",
  }),
  "memory.embeddings": row({
    says: "The model for searching [memories](together.md#memory) by meaning, from any service with OpenAI's embeddings API; `api_key_env` names the variable that holds its key.",
    kind: embeddings,
    default: undefined,
    rule: leads,
    to: "memory.embeddings",
  }),
  agents: row({
    says: "[Agents](agents.md#agents-and-handing-work-on), as a file in `.toolgate/agents` would say them.",
    kind: agentKind,
    default: {},
    rule: addsAgents,
    to: "agents",
  }),
};
