import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Context, Tool } from "../core/words/tool.ts";
import { textOf } from "../text/charset.ts";
import { withoutInvisible } from "../text/invisible.ts";
import { outsideText } from "../text/outside.ts";
import { brave } from "./lib/search-providers/brave.ts";
import { duckduckgo } from "./lib/search-providers/duckduckgo.ts";
import type { Found, Provider, ProviderSettings } from "./lib/search-providers/provider.ts";
import { searxng } from "./lib/search-providers/searxng.ts";
import { tavily } from "./lib/search-providers/tavily.ts";
import { bodyOf, pauseIn, statusText } from "./lib/web/fetching.ts";

const PROVIDERS = { duckduckgo, searxng, brave, tavily };
const MOST_BYTES = 2 * 1024 * 1024;
const USUAL = 5;
const MOST = 20;
const LONGEST_SNIPPET = 500;

export type SearchSettings = ProviderSettings & { readonly provider: keyof typeof PROVIDERS };

const input = () =>
  z.object({
    query: z.string().min(1),
    max_results: z.int().min(1).describe(`At most ${MOST}`).optional(),
  });

type Secrets = Readonly<Record<string, readonly string[]>>;

/** The secrets that requests may carry, including the search provider's key for its host. */
export function withSearchKey(secrets: Secrets, settings: SearchSettings): Secrets {
  const { key, url } = placed(settings);
  if (!key || !url || !URL.canParse(url)) return secrets;
  return { ...secrets, [key]: [...(secrets[key] ?? []), new URL(url).host] };
}

function placed({ provider, url, keyFrom }: SearchSettings): { provider: Provider; url?: string; key: string } {
  const known: Provider = PROVIDERS[provider];
  const address = url ?? known.url;
  return { provider: known, key: keyFrom ?? known.key ?? "", ...(address !== undefined && { url: address }) };
}

export const webSearch = (settings: SearchSettings): Tool => {
  const { provider, url, key } = placed(settings);
  const requestFor = ({ query, max_results = USUAL }: z.output<ReturnType<typeof input>>) => {
    if (url === undefined)
      throw new ToolFailure(
        "CONFIG_ERROR",
        `${provider.name} has no address here.`,
        `A person can set it: web.search: { provider: ${settings.provider}, base_url: https://search.example.com }.`,
      );
    return provider.request(query.trim(), Math.min(max_results, MOST), { url, key });
  };
  return Tool.define("web_search", {
    description: "Search the web. Gives titles, URLs and snippets; read a page with web_fetch.",
    permissions: { required: ["network"] },
    aliases: {
      names: ["WebSearch", "websearch", "search_web", "google_web_search", "brave_web_search"],
      args: { query: ["q", "search", "search_term"], max_results: ["count", "num_results", "limit"] },
    },
    get input() {
      return input();
    },
    timeLimit: 30_000,
    touches: (request) => {
      const { url: address, method } = requestFor(request);
      return [{ action: "fetch", url: address, method }];
    },
    async execute(request, context) {
      const sent = requestFor(request);
      const response = await context.network.request(sent);
      context.noteOutside();
      const { status, headers } = response;
      const { bytes } = await bodyOf(response, MOST_BYTES);
      if (status < 200 || status > 299 || status === 202) throw refused(provider, status, headers, key);
      const found = provider.read(textOf(bytes, headers["content-type"]).text);
      if (typeof found === "string") throw blocked(provider, found);
      const results = found.slice(0, Math.min(request.max_results ?? USUAL, MOST)).map(cleaned);
      return {
        title: `Searched for ${request.query}`,
        output: shown(request.query, results, provider, context.hash),
        metadata: { query: request.query, provider: provider.name, results },
      };
    },
  });
};

const cleaned = ({ title, url, snippet }: Found): Found => {
  const text = withoutInvisible(snippet);
  return {
    title: withoutInvisible(title),
    url,
    snippet: text.length > LONGEST_SNIPPET ? `${text.slice(0, LONGEST_SNIPPET)}…` : text,
  };
};

function shown(query: string, results: readonly Found[], { name }: Provider, hash: Context["hash"]): string {
  if (results.length === 0) return `${name} found nothing for ${JSON.stringify(query)}. Try other words.`;
  const rows = results.map(
    ({ title, url, snippet }, index) => `${index + 1}. ${title}\n   ${url}${snippet && `\n   ${snippet}`}`,
  );
  return outsideText(name, rows.join("\n"), hash);
}

const OTHERWISE = "Try again later, or have a person choose another provider with web.search.";

function refused(
  { name }: Provider,
  status: number,
  headers: Readonly<Record<string, string>>,
  key: string,
): ToolFailure {
  const wait = pauseIn(headers["retry-after"]);
  if (status === 429 || status === 202)
    return new ToolFailure(
      "RATE_LIMITED",
      `${name} is limiting searches (${statusText(status)}).`,
      wait ? `Wait ${wait}. ${OTHERWISE}` : OTHERWISE,
    );
  // Tavily's own status codes for a plan that is used up
  if (status === 402 || status === 432 || status === 433)
    return new ToolFailure("RATE_LIMITED", `${name} says that the plan is used up (${statusText(status)}).`, OTHERWISE);
  if (status === 401 || status === 403 || status === 422)
    return new ToolFailure(
      "CONFIG_ERROR",
      `${name} refused the request (${statusText(status)}).`,
      key ? `Have a person look at the key in ${key}. ${OTHERWISE}` : OTHERWISE,
    );
  return new ToolFailure("IO_ERROR", `${name} answered ${statusText(status)}.`, OTHERWISE);
}

const blocked = ({ name }: Provider, why: string): ToolFailure =>
  new ToolFailure("IO_ERROR", `${name} gave no results that can be read: ${why}.`, OTHERWISE);
