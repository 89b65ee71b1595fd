import { addsAgents, agents as agentKind } from "../agent-kind.ts";
import { type Kind, name, oneOf } from "../kinds.ts";
import { row } from "../row.ts";
import { leads } from "../rules.ts";

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
    says: "The environment variable that holds the key for it.",
    kind: variable,
    default: undefined,
    rule: leads,
    to: "model.keyVariable",
  }),
  agents: row({
    says: "[Agents](agents.md#agents-and-handing-work-on), as a file in `.toolgate/agents` would say them.",
    kind: agentKind,
    default: {},
    rule: addsAgents,
    to: "agents",
  }),
};
