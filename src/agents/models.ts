import { readFile } from "node:fs/promises";
import type { Model } from "./lib/model.ts";
import { scriptModel } from "./lib/script-model.ts";
import { type SdkLanguageModel, sdkModel } from "./lib/sdk-model.ts";

/** Settings of a model besides its name. The key is named by its variable, so that it is never written down. */
export type ModelSettings = {
  baseUrl?: string;
  keyVariable?: string;
  env: Readonly<Record<string, string | undefined>>;
};

/** What the configuration says about the model. */
export type WrittenModel = {
  readonly provider?: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
};

/** What options say for this run. */
export type SaidModel = { readonly model?: string; readonly baseUrl?: string; readonly keyVariable?: string };

/** Options win over the environment, which wins over the configuration; undefined if none of them names a model. */
export function chosenModel(
  said: SaidModel,
  env: ModelSettings["env"],
  written: WrittenModel = {},
): { named: string; settings: ModelSettings } | undefined {
  const { provider = COMPATIBLE, name } = written;
  const own = name === undefined ? undefined : `${provider}/${name}`;
  const named = said.model ?? env.TOOLGATE_MODEL ?? own;
  if (named === undefined) return undefined;
  // an address and a key belong to one provider: no other provider's key may be sent to that address
  const isSame = providerOf(named) === provider;
  const baseUrl =
    said.baseUrl ??
    (isSame ? ((isOpenAiLike(provider) ? env.OPENAI_BASE_URL : undefined) ?? written.baseUrl) : undefined);
  const keyVariable = said.keyVariable ?? (isSame ? written.keyVariable : undefined);
  return { named, settings: { env, ...(baseUrl && { baseUrl }), ...(keyVariable && { keyVariable }) } };
}

/** The configured model, created on first use. */
export function writtenModel(written: WrittenModel, env: ModelSettings["env"] = process.env): Model | undefined {
  const chosen = chosenModel({}, env, written);
  if (!chosen || written.name === undefined) return undefined;
  let made: Promise<Model> | undefined;
  return {
    name: chosen.named,
    async turn(request) {
      made ??= modelNamed(chosen.named, chosen.settings);
      return (await made).turn(request);
    },
  };
}

const COMPATIBLE = "openai-compatible";
const isOpenAiLike = (provider: string): boolean => provider === COMPATIBLE || provider === "openai";
const OPENAI = "https://api.openai.com/v1";
/** Providers with a package of their own, and the name of its factory function. */
const PACKAGES: Readonly<Record<string, { name: string; make: string; key: string }>> = {
  anthropic: { name: "@ai-sdk/anthropic", make: "createAnthropic", key: "ANTHROPIC_API_KEY" },
  google: { name: "@ai-sdk/google", make: "createGoogleGenerativeAI", key: "GOOGLE_GENERATIVE_AI_API_KEY" },
};
const PROVIDERS = [COMPATIBLE, "openai", ...Object.keys(PACKAGES)];

/** A name without a provider means an OpenAI-compatible one. */
const providerOf = (named: string): string => {
  const [first = ""] = named.split("/", 1);
  return PROVIDERS.includes(first) && named.includes("/") ? first : COMPATIBLE;
};

/**
 * The model for a name such as `openai-compatible/qwen3` or `script:FILE`. Throws with advice if it cannot be created.
 * Sends nothing yet.
 */
export async function modelNamed(named: string, settings: ModelSettings): Promise<Model> {
  if (named.startsWith("script:")) return fromScript(named.slice("script:".length));
  const [, provider = "", name = ""] = /^([\w-]+)\/(.+)$/.exec(named) ?? ["", "", named];
  if (PROVIDERS.includes(provider)) return fromProvider(provider, name, settings);
  // names such as "qwen/qwen3" belong to an OpenAI-compatible service
  if (baseOf(settings)) return compatible(named, settings, baseOf(settings) as string);
  throw new Error(
    `The model ${named} names no provider. Write openai-compatible/${named} with --base-url URL, or one of ${PROVIDERS.slice(1).join("/…, ")}/….`,
  );
}

const baseOf = ({ baseUrl, env }: ModelSettings): string | undefined => baseUrl ?? env.OPENAI_BASE_URL;

async function fromScript(file: string): Promise<Model> {
  const text = await readFile(file, "utf8").catch((error: { code?: string }) => {
    throw new Error(`The script ${file} cannot be read (${error.code}).`);
  });
  return scriptModel(file, text);
}

async function fromProvider(provider: string, name: string, settings: ModelSettings): Promise<Model> {
  const own = PACKAGES[provider];
  if (own) return fromPackage(own, name, settings);
  const base = baseOf(settings) ?? (provider === "openai" ? OPENAI : undefined);
  if (!base)
    throw new Error(
      `Where is ${name} served? Give --base-url URL, or set OPENAI_BASE_URL, for example http://localhost:11434/v1.`,
    );
  return compatible(name, settings, base);
}

async function compatible(
  name: string,
  { env, keyVariable = "OPENAI_API_KEY" }: ModelSettings,
  baseURL: string,
): Promise<Model> {
  if (!URL.canParse(baseURL) || !/^https?:/.test(baseURL))
    throw new Error(`${baseURL} is no address of a model: it must begin with http:// or https://.`);
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const apiKey = env[keyVariable];
  const provider = createOpenAICompatible({
    ...{ name: "openai-compatible", baseURL, includeUsage: true },
    ...(apiKey && { apiKey }),
  });
  return sdkModel(provider(name) as unknown as SdkLanguageModel);
}

type Maker = (settings: object) => (name: string) => SdkLanguageModel;

async function fromPackage(
  own: { name: string; make: string; key: string },
  name: string,
  settings: ModelSettings,
): Promise<Model> {
  const { baseUrl, keyVariable = own.key, env } = settings;
  const found = (await import(own.name).catch(() => undefined)) as Record<string, Maker> | undefined;
  const make = found?.[own.make];
  if (!make) throw new Error(`This provider needs a package that is not installed: npm install ${own.name}`);
  const apiKey = env[keyVariable];
  return sdkModel(make({ ...(apiKey && { apiKey }), ...(baseUrl && { baseURL: baseUrl }) })(name));
}
