import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type * as Sdk from "@modelcontextprotocol/client";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { boundedFetch } from "./bounded.ts";
import { filledIn } from "./filled-variables.ts";
import { Login } from "./login.ts";
import { serviceAt } from "./transports.ts";

const PATH = "/callback";
/** One visit to log in, another for missing rights, and one more. */
const MOST_VISITS = 3;

export type LoginOptions = {
  readonly name: string;
  readonly setting: ServerSetting;
  /** Where logins are kept. */
  readonly folder: string;
  /** The local port that a browser returns to; 0 for any free one. */
  readonly port: number;
  readonly signal: AbortSignal;
  show(page: URL): void;
};

/** Lets the person log in to a service in their browser. Resolves to the number of tools that it has then. */
export async function logIn(options: LoginOptions): Promise<number> {
  const { name, setting, folder, port, signal, show } = options;
  const { env } = process;
  const sdk = await import("@modelcontextprotocol/client");
  const back = await waitForBrowser(port);
  let visits = 0;
  const visit = {
    redirectUrl: back.url,
    show(page: URL) {
      if (++visits > MOST_VISITS) throw new Error("it wants a login again and again");
      show(page);
    },
  };
  const login = new Login({ name, setting, folder, env }, visit);
  const serverUrl = new URL(filledIn(setting.url, env));
  try {
    const { scope } = await login.kept();
    if (scope !== undefined) {
      await sdk.auth(login, { serverUrl, scope, forceReauthorization: true, fetchFn: boundedFetch });
      await serviceAt(sdk, setting, env, login).finishAuth(await back.visited(login.secret, signal));
    }
    for (;;) {
      const before = visits;
      const transport = serviceAt(sdk, setting, env, login);
      try {
        return await toolsAt(sdk, transport, setting.startupTimeout);
      } catch (error) {
        if (visits === before || visits > MOST_VISITS) throw error;
        await transport.finishAuth(await back.visited(login.secret, signal));
      } finally {
        await transport.close();
      }
    }
  } finally {
    back.close();
  }
}

async function toolsAt(sdk: typeof Sdk, transport: Sdk.Transport, timeout: number): Promise<number> {
  const client = new sdk.Client(
    { name: "toolgate", version: "1" },
    { versionNegotiation: { mode: "auto", probe: { timeoutMs: timeout } } },
  );
  await client.connect(transport, { timeout });
  return (await client.listTools({}, { timeout })).tools.length;
}

/** A server on loopback only. Requests without the secret of this login are ignored. */
async function waitForBrowser(port: number) {
  let heard: (answer: URLSearchParams) => void = () => {};
  let secret: string | undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const isIt = pathname === PATH && secret !== undefined && searchParams.get("state") === secret;
    response.writeHead(isIt ? 200 : 404, { "content-type": "text/plain", connection: "close" });
    response.end(isIt ? "Toolgate received the login. You can close this page.\n" : "Nothing is here.\n");
    if (isIt) heard(searchParams);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    visited: (state: string, signal: AbortSignal): Promise<URLSearchParams> =>
      new Promise((resolve, reject) => {
        secret = state;
        heard = resolve;
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
