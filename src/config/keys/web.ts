import { hostEntry } from "../../rules/host-entry.ts";
import { allowsOnly, atMost, forbids, leads, opens, opensFields } from "../restrictions.ts";
import { row } from "../row.ts";
import { type Kind, wholeNumber } from "../value-kinds.ts";

const HOST =
  "a host such as docs.example.com or *.example.com, an address, or a block such as 10.0.0.0/8, with a port if you like";
const LIST = "a list of hosts such as docs.example.com, *.example.com:8443, 127.0.0.1:8080 or 10.0.0.0/8";

const hosts: Kind<readonly string[]> = {
  accepts: LIST,
  schema: (z) =>
    z.array(
      z.string({ error: LIST }).refine((written) => hostEntry(written) !== undefined, { error: HOST }),
      { error: LIST },
    ),
  read: (written) => written,
};

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRETS = "a mapping of names of environment variables to lists of hosts";

const secrets: Kind<Readonly<Record<string, readonly string[]>>> = {
  accepts: SECRETS,
  schema: (z) =>
    z.record(z.string().regex(VARIABLE, { error: "the name of an environment variable" }), hosts.schema(z), {
      error: SECRETS,
    }),
  read: (written) => written,
};

const PROXY = "the URL of a proxy, such as http://proxy.example.com:3128";
const isProxy = (written: string): boolean => URL.canParse(written) && new URL(written).protocol === "http:";

const proxy: Kind<string> = {
  accepts: PROXY,
  schema: (z) => z.string({ error: PROXY }).refine(isProxy, { error: PROXY }),
  read: (written) => written,
};

const PROVIDERS = ["duckduckgo", "searxng", "brave", "tavily"] as const;
type Provider = (typeof PROVIDERS)[number];
export type SearchSettings = { provider: Provider; url?: string; keyFrom?: string };
type WrittenSearch = Provider | { provider: Provider; base_url?: string; api_key_env?: string };

const SEARCH = `${PROVIDERS.join(", ")}, or a mapping with provider, base_url and api_key_env`;
const ONE = `one of ${PROVIDERS.join(", ")}`;
const WEB = "a URL that starts with http:// or https://";
const isWeb = (written: string): boolean => /^https?:\/\//i.test(written) && URL.canParse(written);

const search: Kind<WrittenSearch, SearchSettings> = {
  accepts: SEARCH,
  schema: (z) => {
    const shape = {
      provider: z.enum(PROVIDERS, { error: ONE }),
      base_url: z.string({ error: WEB }).refine(isWeb, { error: WEB }).optional(),
      api_key_env: z.string({ error: "the name of an environment variable" }).regex(VARIABLE).optional(),
    };
    return z.union([z.enum(PROVIDERS, { error: SEARCH }), z.strictObject(shape, { error: SEARCH })], {
      error: SEARCH,
    });
  },
  read: (written) => {
    if (typeof written === "string") return { provider: written };
    const { provider, base_url: url, api_key_env: keyFrom } = written;
    return { provider, ...(url !== undefined && { url }), ...(keyFrom !== undefined && { keyFrom }) };
  },
  write: ({ provider, url, keyFrom }) =>
    url === undefined && keyFrom === undefined
      ? provider
      : {
          provider,
          ...(url !== undefined && { base_url: url }),
          ...(keyFrom !== undefined && { api_key_env: keyFrom }),
        },
};

export const web = {
  "web.allow_private_hosts": row({
    says: "Hosts of private networks and of this machine that web tools may reach: see [Web](web.md#where-requests-may-go).",
    kind: hosts,
    default: [],
    rule: opens,
    to: "web.allowPrivateHosts",
  }),
  "web.allow": row({
    says: "Only these hosts, and those of `web.allow_private_hosts`; `*` means all.",
    kind: hosts,
    default: undefined,
    rule: allowsOnly,
    to: "web.allow",
  }),
  "web.deny": row({
    says: "Hosts that web tools never reach; commands that name one are refused, too.",
    kind: hosts,
    default: [],
    rule: forbids,
    to: "web.deny",
  }),
  "web.rate": row({
    says: "How many requests a minute go to one host.",
    kind: wholeNumber,
    default: 60,
    rule: atMost,
    to: "web.rate",
  }),
  "web.secrets": row({
    says: "Environment variables that `${env:NAME}` in a header stands for, and the hosts they may be sent to.",
    kind: secrets,
    default: {},
    rule: opensFields,
    to: "web.secrets",
  }),
  "web.search": row({
    says: "Who answers `web_search`: see [Web](web.md#search).",
    kind: search,
    default: "duckduckgo",
    rule: leads,
    to: "web.search",
  }),
  "web.proxy": row({
    says: "The proxy that all requests of web tools go through.",
    kind: proxy,
    default: undefined,
    rule: leads,
    to: "web.proxy",
  }),
};
