import { isAbsolute, join, resolve } from "node:path";
import type * as Sdk from "@modelcontextprotocol/client";
import type { PipedProcesses } from "../../core/contracts/piped.ts";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { boundedFetch } from "./bounded.ts";
import { filledIn, filledMap, variable } from "./filled-variables.ts";
import { Login, wantsLogin } from "./login.ts";
import { StdioTransport } from "./stdio-transport.ts";

export type Ground = {
  /** The workspace. */
  readonly root: string;
  readonly processes: PipedProcesses;
  readonly env: NodeJS.ProcessEnv;
  /** Where logins are kept. */
  readonly folder: string;
};

type Service = Sdk.StreamableHTTPClientTransport | Sdk.SSEClientTransport;
type Auth = Sdk.AuthProvider | Sdk.OAuthClientProvider;

/** A transport to a server, not yet opened. Throws if a variable is not set. */
export async function transportTo(
  sdk: typeof Sdk,
  name: string,
  setting: ServerSetting,
  ground: Ground,
): Promise<Sdk.Transport> {
  const { type, command, args, env: own, cwd } = setting;
  const { root, processes, env } = ground;
  const filled = (text: string) => filledIn(text, env);
  if (type !== "stdio") return serviceAt(sdk, setting, env, await authFor(sdk, name, setting, ground));
  const program = filled(command);
  const launch = {
    program: program.includes("/") && !isAbsolute(program) ? join(root, program) : program,
    args: args.map(filled),
    env: filledMap(own, env),
    cwd: cwd === undefined ? root : resolve(root, filled(cwd)),
  };
  return new StdioTransport(processes, launch, sdk.deserializeMessage);
}

export function serviceAt(
  sdk: typeof Sdk,
  setting: ServerSetting,
  env: NodeJS.ProcessEnv,
  authProvider: Auth,
): Service {
  const address = new URL(filledIn(setting.url, env));
  if (address.protocol !== "http:" && address.protocol !== "https:")
    throw new Error("its address is not http or https");
  const options = { requestInit: { headers: filledMap(setting.headers, env) }, authProvider, fetch: boundedFetch };
  return setting.type === "sse"
    ? new sdk.SSEClientTransport(address, options)
    : new sdk.StreamableHTTPClientTransport(address, options);
}

async function authFor(sdk: typeof Sdk, name: string, setting: ServerSetting, ground: Ground): Promise<Auth> {
  const { tokenEnv, oauth } = setting;
  const { env, folder } = ground;
  if (tokenEnv !== undefined) return { token: async () => variable(tokenEnv, env) };
  if (oauth?.grant === "client_credentials")
    return new sdk.ClientCredentialsProvider({
      clientId: oauth.clientId ?? "",
      clientSecret: variable(oauth.secretEnv ?? "", env),
      ...(oauth.scope !== undefined && { scope: oauth.scope }),
      ...(oauth.issuer !== undefined && { expectedIssuer: oauth.issuer }),
    });
  const login = new Login({ name, setting, folder, env });
  if ((await login.kept()).tokens) return login;
  return {
    token: async () => undefined,
    onUnauthorized: () => Promise.reject(wantsLogin(name)),
  };
}
