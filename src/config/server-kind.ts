import type { ServerSetting, ServerSettings } from "../core/contracts/servers.ts";
import type { Rule } from "./restrictions.ts";
import { type Kind, yesOrNo } from "./value-kinds.ts";

type WrittenOAuth = {
  grant?: "client_credentials" | "authorization_code";
  client_id?: string;
  client_secret_env?: string;
  scope?: string;
  issuer?: string;
};
type WrittenServer = {
  type?: "stdio" | "http" | "streamable-http" | "streamableHttp" | "sse" | "local" | "remote";
  command?: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string | number | boolean>>;
  cwd?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  token_env?: string;
  oauth?: WrittenOAuth;
  enabled?: boolean;
  timeout?: number;
  startup_timeout?: number;
  tools?: readonly string[];
};
export type WrittenServers = Readonly<Record<string, WrittenServer>>;

const ACCEPTS =
  "servers by name, each with command, args, env and cwd, or with url, headers, token_env and oauth; also type, enabled, timeout, startup_timeout and tools";
const SECONDS = "seconds from 1 to 3600";
const name = () => /^[\p{L}\p{N}_][\p{L}\p{N}_ .@-]{0,63}$/u;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const GRANTS = ["client_credentials", "authorization_code"] as const;
const TYPES = ["stdio", "http", "streamable-http", "streamableHttp", "sse", "local", "remote"] as const;

export const servers: Kind<WrittenServers, ServerSettings> = {
  accepts: ACCEPTS,
  schema: (z) => {
    const text = (error: string) =>
      z
        .string({ error })
        .min(1, { error })
        .refine((written) => !written.includes("\0"), { error: `${error}, without NUL` });
    const variable = (error: string) => z.string({ error }).regex(VARIABLE, { error });
    const seconds = z.int({ error: SECONDS }).min(1, { error: SECONDS }).max(3600, { error: SECONDS });
    const map = (value: ReturnType<typeof text>, error: string) =>
      z.record(z.string(), z.union([value, z.literal("")], { error }), { error });
    const one = z
      .strictObject(
        {
          type: z.enum(TYPES, { error: "one of stdio, http, sse" }).optional(),
          command: text("a command that is not empty").optional(),
          args: z.array(z.string({ error: "a list of texts" }), { error: "a list of texts" }).optional(),
          env: z
            .record(
              variable("names of environment variables"),
              z.union([z.string(), z.number(), z.boolean()], { error: "a text" }),
              { error: "variables by name" },
            )
            .optional(),
          cwd: text("a folder").optional(),
          url: text("an address that begins with http:// or https://")
            .refine(isAddress, {
              error: "an address that begins with http:// or https://",
            })
            .optional(),
          headers: map(text("a text"), "headers by name").optional(),
          token_env: variable("the name of an environment variable").optional(),
          oauth: z
            .strictObject(
              {
                grant: z.enum(GRANTS, { error: `one of ${GRANTS.join(", ")}` }).optional(),
                client_id: text("a text that is not empty").optional(),
                client_secret_env: variable("the name of an environment variable").optional(),
                scope: text("a text that is not empty").optional(),
                issuer: text("an address that begins with http:// or https://")
                  .refine(isAddress, { error: "an address that begins with http:// or https://" })
                  .optional(),
              },
              { error: "grant, client_id, client_secret_env, scope and issuer" },
            )
            .optional(),
          enabled: z.boolean({ error: yesOrNo.accepts }).optional(),
          timeout: seconds.optional(),
          startup_timeout: seconds.optional(),
          tools: z.array(text("names of its tools"), { error: "a list of names of its tools" }).optional(),
        },
        { error: ACCEPTS },
      )
      .check(({ value, issues }) => {
        const wrong = problemOf(value as WrittenServer);
        if (wrong) issues.push({ code: "custom", input: value, message: wrong });
      });
    return z.record(z.string().regex(name(), { error: "a name of letters, digits, spaces, _, -, @ and ." }), one, {
      error: ACCEPTS,
    });
  },
  read: (written) => Object.fromEntries(Object.entries(written).map(([name, server]) => [name, readServer(server)])),
  write: (settings) =>
    Object.fromEntries(Object.entries(settings).map(([name, server]) => [name, shownServer(server)])),
};

/** A URL with a variable can be checked only after substitution. */
const isAddress = (url: string): boolean => url.includes("${") || (/^https?:\/\//i.test(url) && URL.canParse(url));

function problemOf({ type, command, url, oauth, token_env }: WrittenServer): string | undefined {
  if ((command === undefined) === (url === undefined)) return "either a command or a url";
  if (oauth && token_env !== undefined) return "either token_env or oauth";
  if (oauth && grantOf(oauth) === "client_credentials" && !(oauth.client_id && oauth.client_secret_env))
    return "client_id and client_secret_env for client_credentials";
  const wants = type === "stdio" || type === "local" ? "command" : type === undefined ? undefined : "url";
  return wants === undefined || (wants === "command") === (command !== undefined)
    ? undefined
    : `a ${wants} for ${type}`;
}

/** A client with a secret uses client_credentials, unless it says that a person logs in. */
const grantOf = ({ grant, client_secret_env }: WrittenOAuth) =>
  grant ?? (client_secret_env === undefined ? "authorization_code" : "client_credentials");

function readServer(written: WrittenServer): ServerSetting {
  const { type, command = "", args = [], env = {}, cwd, url = "", headers = {}, token_env, oauth } = written;
  const { enabled = true, timeout = 120, startup_timeout = 30, tools } = written;
  return {
    type: command !== "" ? "stdio" : type === "sse" ? "sse" : "http",
    ...{ command, args, url, headers, enabled },
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    ...(cwd !== undefined && { cwd }),
    ...(token_env !== undefined && { tokenEnv: token_env }),
    ...(oauth && {
      oauth: {
        grant: grantOf(oauth),
        ...(oauth.client_id !== undefined && { clientId: oauth.client_id }),
        ...(oauth.client_secret_env !== undefined && { secretEnv: oauth.client_secret_env }),
        ...(oauth.scope !== undefined && { scope: oauth.scope }),
        ...(oauth.issuer !== undefined && { issuer: oauth.issuer }),
      },
    }),
    timeout: timeout * 1000,
    startupTimeout: startup_timeout * 1000,
    ...(tools && { tools }),
  };
}

/** Values that may be secret are hidden; only their names are shown. */
function shownServer({ type, command, args, env, url, headers, enabled, tools }: ServerSetting): object {
  const hidden = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.startsWith("${") ? value : "…"]));
  return {
    ...(type === "stdio" ? { command, args, env: hidden(env) } : { type, url, headers: hidden(headers) }),
    ...(!enabled && { enabled }),
    ...(tools && { tools }),
  };
}

/** A server starts or reaches something, so it counts only in a trusted file. A later entry replaces an earlier one. */
export const opensServers: Rule<ServerSettings> = {
  looser: "every entry",
  loosens: (wish, now = {}) => Object.entries(wish).some(([name, server]) => !isSame(server, now[name])),
  join: (wish, now = {}) => {
    const others = Object.entries(wish).filter(([name, server]) => !isSame(server, now[name]));
    return { ...now, ...Object.fromEntries(others) };
  },
};

const isSame = ({ accepted: _, ...server }: ServerSetting, other: ServerSetting | undefined): boolean => {
  const { accepted: __, ...before } = other ?? {};
  return JSON.stringify(server) === JSON.stringify(before);
};
