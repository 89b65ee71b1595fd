import { isAbsolute, join, resolve } from "node:path";
import type * as Sdk from "@modelcontextprotocol/client";
import type { PipedProcesses } from "../../core/contracts/piped.ts";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { StdioTransport } from "./stdio.ts";
import { filledIn, filledMap, variable } from "./variables.ts";

export type Ground = {
  /** The workspace. */
  readonly root: string;
  readonly processes: PipedProcesses;
  readonly env: NodeJS.ProcessEnv;
};

/** The way to a server, not opened yet. Throws where a variable is missing. */
export function transportTo(sdk: typeof Sdk, setting: ServerSetting, ground: Ground): Sdk.Transport {
  const { type, command, args, env: own, cwd, url, headers, tokenEnv, oauth } = setting;
  const { root, processes, env } = ground;
  const filled = (text: string) => filledIn(text, env);
  if (type === "stdio") {
    const program = filled(command);
    const launch = {
      program: program.includes("/") && !isAbsolute(program) ? join(root, program) : program,
      args: args.map(filled),
      env: filledMap(own, env),
      cwd: cwd === undefined ? root : resolve(root, filled(cwd)),
    };
    return new StdioTransport(processes, launch, sdk.deserializeMessage);
  }
  const address = new URL(filled(url));
  if (address.protocol !== "http:" && address.protocol !== "https:")
    throw new Error("its address is not http or https");
  const options = {
    requestInit: { headers: filledMap(headers, env) },
    ...(tokenEnv !== undefined && { authProvider: { token: async () => variable(tokenEnv, env) } }),
    ...(oauth && {
      authProvider: new sdk.ClientCredentialsProvider({
        clientId: oauth.clientId,
        clientSecret: variable(oauth.secretEnv, env),
        ...(oauth.scope !== undefined && { scope: oauth.scope }),
      }),
    }),
  };
  return type === "sse"
    ? new sdk.SSEClientTransport(address, options)
    : new sdk.StreamableHTTPClientTransport(address, options);
}
