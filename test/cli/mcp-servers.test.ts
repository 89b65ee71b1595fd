import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { plainServer } from "../journeys/mcp/serving.ts";
import { workspace } from "./cli.ts";

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test("servers are listed with where they are, which file names them, and whether that counts; none is started", async () => {
  const [own, listed] = [plainServer(), plainServer()];
  const { run, write, at } = await workspace({
    ".mcp.json": JSON.stringify({ mcpServers: { theirs: listed.setting } }),
    "mine.yaml": JSON.stringify({
      mcp_servers: {
        mine: own.setting,
        off: { command: "true", enabled: false },
        web: { url: "http://127.0.0.1:1/mcp" },
      },
    }),
  });
  const shown = async () => JSON.parse((await run(["mcp", "servers", "--json", "--config", "mine.yaml"])).out);
  expect(await shown()).toMatchObject([
    { name: "mine", transport: "stdio", file: at("mine.yaml"), trusted: true, state: "unknown", tools: 0 },
    { name: "off", state: "off" },
    { name: "theirs", file: at(".mcp.json"), trusted: false, state: "not trusted", tools: 0 },
    { name: "web", transport: "http", where: "http://127.0.0.1:1/mcp", state: "unknown", login: false },
  ]);
  expect([own.log(), listed.log()]).toEqual([[], []]);
  await run(["call", "mcp_mine_echo", "text=a", "--mode", "yolo", "--config", "mine.yaml"]);
  const starts = own.log().length;
  expect((await shown())[0]).toMatchObject({ name: "mine", state: "known", tools: 2 });
  const { out } = await run(["mcp", "servers", "--config", "mine.yaml"]);
  expect(out).toMatch(/^mine\n +stdio: .*\n +2 tools, started when one of its tools is called\n +from .*mine\.yaml\n/);
  expect(out).toContain("not trusted: it counts once you have run `toolgate config trust`");
  expect(own.log()).toHaveLength(starts);
  await write("mine.yaml", "{}");
  await write(".mcp.json", "{}");
  expect((await run(["mcp", "servers", "--config", "mine.yaml"])).out).toContain("No servers are named here");
});

/** A service that knows whoever comes back from its page, for a minute; then the login has to be renewed. */
function service() {
  const seen: string[] = [];
  const tokens = new Set<string>();
  let url = "";
  let next = 0;
  const give = (): object => {
    const token = `access-token-${++next}`;
    tokens.add(token);
    return { access_token: token, token_type: "Bearer", expires_in: 60, refresh_token: `refresh-token-${next}` };
  };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    const json = (body: object, status = 200, headers = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    if (pathname === "/.well-known/oauth-protected-resource/mcp")
      return json({ resource: `${url}/mcp`, authorization_servers: [url] });
    if (pathname === "/.well-known/oauth-authorization-server")
      return json({
        ...{ issuer: url, authorization_endpoint: `${url}/page`, token_endpoint: `${url}/token` },
        ...{ registration_endpoint: `${url}/register`, response_types_supported: ["code"] },
        ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
      });
    if (pathname === "/register") {
      seen.push("registered");
      return json({ ...(JSON.parse(text) as object), client_id: "us" }, 201);
    }
    if (pathname === "/page") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "the-code");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === "/token") {
      const asked = new URLSearchParams(text);
      seen.push(asked.get("grant_type") ?? "");
      return json(give());
    }
    if (pathname !== "/mcp") return json({}, 404);
    if (!tokens.has((request.headers.authorization ?? "").replace("Bearer ", "")))
      return json({}, 401, {
        "www-authenticate": `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
      });
    if (request.method !== "POST") return json({}, 405);
    const { id, method, params } = JSON.parse(text) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string };
    };
    if (id === undefined) return response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        ...{ protocolVersion: params?.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "who", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "it is you" }] },
    };
    const result = results[method];
    return json({
      jsonrpc: "2.0",
      id,
      ...(result ? { result } : { error: { code: -32601, message: "Method not found" } }),
    });
  });
  return {
    seen,
    expire: () => tokens.clear(),
    start: async () => {
      url = await listening(server);
      return `${url}/mcp`;
    },
  };
}

test("a person logs in at a service in their browser; the login is kept, renewed, and forgotten on request", async () => {
  const { seen, expire, start } = service();
  const url = await start();
  const { run } = await workspace({
    "mine.yaml": JSON.stringify({ mcp_servers: { web: { url }, tool: { command: "true" } } }),
  });
  const mine = ["--config", "mine.yaml"];
  const call = async () => run(["call", "mcp_web_who", "--mode", "yolo", ...mine]);

  const stranger = await call();
  expect([stranger.status, stranger.err + stranger.out]).toEqual([
    1,
    expect.stringContaining("it wants a login: toolgate mcp login web"),
  ]);
  expect(seen).toEqual([]);

  let visited = false;
  const logged = await run(["mcp", "login", "web", "--yes", "--json", ...mine], {
    during: (child) => {
      child.stdin?.end();
      let told = "";
      child.stderr?.on("data", (data) => {
        told += data;
        const [page] = /http:\/\/127\.0\.0\.1\S+\/page\S+/.exec(told) ?? [];
        if (!page || visited || !told.includes("\n", told.indexOf(page))) return;
        visited = true;
        const back = new URL(new URL(page).searchParams.get("redirect_uri") ?? "");
        // whoever does not know the secret of this login is not heard
        void fetch(`${back}?code=evil&state=guess`).then(async ({ status }) => {
          expect(status).toBe(404);
          await fetch(page);
        });
      });
    },
  });
  expect([logged.status, JSON.parse(logged.out)], logged.err).toEqual([0, { server: "web", tools: 1 }]);
  expect(logged.err + logged.out).not.toMatch(/(?:access|refresh)-token/);
  expect(seen).toEqual(["registered", "authorization_code"]);

  expect((await call()).out).toContain("it is you");
  expire();
  expect((await call()).out).toContain("it is you");
  expect(seen).toEqual(["registered", "authorization_code", "refresh_token"]);
  expect(JSON.parse((await run(["mcp", "servers", "--json", ...mine])).out)[1]).toMatchObject({
    name: "web",
    login: true,
  });

  expect((await run(["mcp", "logout", "web", "--yes", ...mine])).out).toBe("Forgot the login at web.\n");
  expect((await run(["mcp", "logout", "web", "--yes", ...mine])).out).toBe("There was no login at web.\n");
  expect((await call()).status).toBe(1);
  expect(seen).toHaveLength(3);
});

test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
  ["no server", ["login", "--yes"], {}, /needs the name of one server/],
  ["a server that is not there", ["login", "wob", "--yes"], {}, /No server in use here is named wob.*web/s],
  ["a program", ["login", "tool", "--yes"], {}, /a program on this machine/],
  ["one with a token", ["login", "keyed", "--yes"], {}, /its own secret/],
  ["one that is not trusted", ["login", "theirs", "--yes"], {}, /No server in use here is named theirs/],
  ["no port", ["login", "web", "--yes", "--port", "x"], {}, /is not a port/],
  ["nobody to confirm", ["login", "web"], {}, /not a terminal/],
  ["an agent", ["login", "web", "--yes"], { TOOLGATE_PROCESS: "1" }, /an agent runs cannot log in/],
  ["an agent that logs out", ["logout", "web", "--yes"], { TOOLGATE_PROCESS: "1" }, /an agent runs cannot log out/],
])("login with %s ends with 3", async (_, args, env, told) => {
  const servers = {
    web: { url: "http://127.0.0.1:1/mcp" },
    tool: { command: "true" },
    keyed: { url: "http://127.0.0.1:1/", token_env: "X" },
  };
  const { run } = await workspace({
    "mine.yaml": JSON.stringify({ mcp_servers: servers }),
    ".mcp.json": JSON.stringify({ mcpServers: { theirs: { url: "http://127.0.0.1:1/mcp" } } }),
  });
  const ended = await run(["mcp", ...args, "--config", "mine.yaml"], { env });
  expect(ended.status).toBe(3);
  expect(ended.err).toMatch(told);
});

test("doctor tells which clients start our server", async () => {
  const { run } = await workspace();
  const about = async () =>
    (JSON.parse((await run(["doctor", "--json"])).out) as { what: string; state: string; says: string }[]).filter(
      ({ what }) => what.startsWith("MCP server of"),
    );
  expect(await about()).toEqual([]);
  for (const client of ["claude", "codex"]) await run(["mcp", "install", client, "--yes"]);
  expect(await about()).toMatchObject([
    { what: "MCP server of claude", state: "holds", says: expect.stringMatching(/\.mcp\.json$/) },
    { what: "MCP server of codex", state: "holds", says: expect.stringMatching(/config\.toml$/) },
  ]);
});
