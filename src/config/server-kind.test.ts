import { describe, expect, test } from "vitest";
import type { ServerSetting } from "../core/contracts/servers.ts";
import { check } from "./check.ts";
import { opensServers, servers, type WrittenServers } from "./server-kind.ts";
import { serversIn } from "./servers-file.ts";

const read = (server: object): ServerSetting | undefined => servers.read({ one: server } as WrittenServers, "/").one;
const told = (server: object): unknown =>
  Object.values(servers.write?.(servers.read({ one: server } as WrittenServers, "/")) ?? {})[0];
const problems = (server: unknown, name = "one"): string => {
  const checked = check({ mcp_servers: { [name]: server } }, "file");
  return "problems" in checked ? checked.problems.map(({ message }) => message).join("\n") : "";
};

const PLAIN = { type: "http", command: "", args: [], url: "", headers: {}, enabled: true, env: {} };
const TIMES = { timeout: 120_000, startupTimeout: 30_000 };

describe("a server as it is written, and what we make of it", () => {
  test.each<[written: object, setting: object]>([
    [{ command: "node" }, { ...PLAIN, ...TIMES, type: "stdio", command: "node" }],
    [
      { type: "local", command: "node", args: ["a"], env: { A: 1, B: true, C: "c" }, cwd: "sub" },
      {
        ...{ ...PLAIN, ...TIMES, type: "stdio", command: "node", args: ["a"], cwd: "sub" },
        env: { A: "1", B: "true", C: "c" },
      },
    ],
    [
      { url: "https://x.test/", headers: { A: "" } },
      { ...PLAIN, ...TIMES, url: "https://x.test/", headers: { A: "" } },
    ],
    [
      { type: "sse", url: "https://x.test/" },
      { ...PLAIN, ...TIMES, type: "sse", url: "https://x.test/" },
    ],
    ...["http", "streamable-http", "streamableHttp", "remote"].map((type): [object, object] => [
      { type, url: "http://x.test/" },
      { ...PLAIN, ...TIMES, url: "http://x.test/" },
    ]),
    [
      { type: "stdio", command: "x" },
      { ...PLAIN, ...TIMES, type: "stdio", command: "x" },
    ],
    [{ url: "${BASE}/mcp" }, { ...PLAIN, ...TIMES, url: "${BASE}/mcp" }],
    [
      { url: "https://x.test/", token_env: "TOKEN", enabled: false, timeout: 1, startup_timeout: 3600, tools: ["a*"] },
      {
        ...{ ...PLAIN, url: "https://x.test/", tokenEnv: "TOKEN", enabled: false },
        ...{ timeout: 1000, startupTimeout: 3_600_000, tools: ["a*"] },
      },
    ],
    [
      { url: "https://x.test/", oauth: {} },
      { ...PLAIN, ...TIMES, url: "https://x.test/", oauth: { grant: "authorization_code" } },
    ],
    [
      {
        url: "https://x.test/",
        oauth: { client_id: "me", client_secret_env: "SECRET", scope: "a b", issuer: "https://i.test" },
      },
      {
        ...{ ...PLAIN, ...TIMES, url: "https://x.test/" },
        oauth: {
          grant: "client_credentials",
          clientId: "me",
          secretEnv: "SECRET",
          scope: "a b",
          issuer: "https://i.test",
        },
      },
    ],
    [
      {
        url: "https://x.test/",
        oauth: { grant: "authorization_code", client_id: "me", client_secret_env: "SECRET" },
      },
      {
        ...{ ...PLAIN, ...TIMES, url: "https://x.test/" },
        oauth: { grant: "authorization_code", clientId: "me", secretEnv: "SECRET" },
      },
    ],
  ])("%j", (written, setting) => {
    expect(problems(written)).toBe("");
    expect(read(written)).toStrictEqual(setting);
  });
});

describe("a server that is refused", () => {
  const url = "https://x.test/";
  const secret = { client_id: "me", client_secret_env: "SECRET" };
  test.each<[written: unknown, says: string]>([
    [{}, "either a command or a url"],
    [{ command: "x", url }, "either a command or a url"],
    [{ url, token_env: "A", oauth: {} }, "either token_env or oauth"],
    [{ url, oauth: { grant: "client_credentials" } }, "client_id and client_secret_env for client_credentials"],
    [{ url, oauth: { ...secret, client_id: undefined } }, "client_id and client_secret_env"],
    [{ url, oauth: { grant: "client_credentials", client_id: "me" } }, "client_id and client_secret_env"],
    [{ type: "stdio", url }, "a command for stdio"],
    [{ type: "local", url }, "a command for local"],
    [{ type: "http", command: "x" }, "a url for http"],
    [{ type: "sse", command: "x" }, "a url for sse"],
    [{ type: "pipe", command: "x" }, "one of stdio, http, sse"],
    [{ command: "" }, "a command that is not empty"],
    [{ command: "a\0b" }, "a command that is not empty, without NUL"],
    [{ command: "x", args: "a" }, "a list of texts"],
    [{ command: "x", env: { "A-B": "c" } }, "names of environment variables"],
    [{ command: "x", env: { A: null } }, "a text"],
    [{ command: "x", cwd: "" }, "a folder"],
    [{ url: "ftp://x.test/" }, "an address that begins with http:// or https://"],
    [{ url: "x.test" }, "an address that begins with http:// or https://"],
    [{ url: "https://" }, "an address that begins with http:// or https://"],
    [{ url, headers: { A: 1 } }, "headers by name"],
    [{ url, token_env: "not a name" }, "the name of an environment variable"],
    [{ url, oauth: { issuer: "i.test" } }, "an address that begins with http:// or https://"],
    [{ url, oauth: { grant: "password" } }, "one of client_credentials, authorization_code"],
    [{ url, oauth: { scopes: "a" } }, 'unknown key "mcp_servers.one.oauth.scopes"'],
    [{ url, oauth: 1 }, "grant, client_id, client_secret_env, scope and issuer"],
    [{ command: "x", timeout: 0 }, "seconds from 1 to 3600"],
    [{ command: "x", timeout: 3601 }, "seconds from 1 to 3600"],
    [{ command: "x", enabled: "no" }, "true or false"],
    [{ command: "x", tools: "a" }, "a list of names of its tools"],
    [{ command: "x", comand: "y" }, 'unknown key "mcp_servers.one.comand"'],
    ["node server.js", "servers by name, each with command, args, env and cwd"],
  ])("%j", (written, says) => expect(problems(written)).toContain(says));

  test("its name is one that can be shown", () => {
    for (const name of ["a", "my server", "a@b", "ü-1."]) expect(problems({ command: "x" }, name), name).toBe("");
    for (const name of ["", " a", "a/b", "a".repeat(65), "-a"])
      expect(problems({ command: "x" }, name), name).toContain("a name of letters, digits, spaces, _, -, @ and .");
  });
});

test("what may be a secret is told by its name alone", () => {
  expect(told({ command: "node", args: ["a"], env: { KEY: "hunter2", FROM: "${KEY}" } })).toStrictEqual({
    command: "node",
    args: ["a"],
    env: { KEY: "…", FROM: "${KEY}" },
  });
  expect(told({ type: "sse", url: "https://x.test/", headers: { A: "Bearer x" }, enabled: false })).toStrictEqual({
    type: "sse",
    url: "https://x.test/",
    headers: { A: "…" },
    enabled: false,
  });
  expect(told({ url: "https://x.test/", tools: ["a"] })).toStrictEqual({
    type: "http",
    url: "https://x.test/",
    headers: {},
    tools: ["a"],
  });
});

describe("servers of two files", () => {
  const one = read({ command: "one" }) as ServerSetting;
  const two = read({ command: "two" }) as ServerSetting;
  const own = { ...one, accepted: { "/a": "hash" } };

  test.each<[what: string, wish: object, now: object | undefined, loosens: boolean, joined: object]>([
    ["a new one", { a: one }, undefined, true, { a: one }],
    ["one beside another", { b: two }, { a: one }, true, { a: one, b: two }],
    ["the same again", { a: one }, { a: one }, false, { a: one }],
    ["the same, of the workspace", { a: own }, { a: one }, false, { a: one }],
    ["another under its name", { a: two }, { a: one }, true, { a: two }],
    ["the same and a new one", { a: one, b: two }, { a: one }, true, { a: one, b: two }],
    ["none", {}, { a: one }, false, { a: one }],
  ])("%s", (_, wish, now, loosens, joined) => {
    expect(opensServers.loosens(wish as never, now as never)).toBe(loosens);
    expect(opensServers.join?.(wish as never, now as never)).toStrictEqual(joined);
  });
});

describe("the file of other clients", () => {
  const found = (given: unknown) => {
    const { servers: all, problems: wrong } = serversIn(typeof given === "string" ? given : JSON.stringify(given), "f");
    return { names: Object.keys(all), all, wrong };
  };
  test.each<[what: string, given: unknown, names: string[]]>([
    ["mcpServers", { mcpServers: { a: { command: "x" } } }, ["a"]],
    ["servers", { servers: { a: { command: "x" } } }, ["a"]],
    ["mcpServers before servers", { mcpServers: { a: { command: "x" } }, servers: { b: { command: "x" } } }, ["a"]],
    ["nothing", {}, []],
    ["null", "null", []],
    ["keys that mean nothing here", { mcpServers: { a: { command: "x", alwaysAllow: ["y"], note: 1 } } }, ["a"]],
  ])("names them by %s", (_, given, names) => {
    expect(found(given)).toMatchObject({ names, wrong: [] });
  });

  test.each<[what: string, given: unknown, says: string]>([
    ["no JSON", "{", "f: it is not JSON: "],
    ["a list", { mcpServers: [] }, "f: mcpServers must be a mapping of names to servers"],
    ["a word", { mcpServers: "x" }, "f: mcpServers must be a mapping"],
    ["a number", { mcpServers: 1 }, "f: mcpServers must be a mapping"],
  ])("%s is told, and no server is found", (_, given, says) => {
    const { names, wrong } = found(given);
    expect(names).toEqual([]);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toContain(says);
  });

  test("one that is wrong does not hide the others", () => {
    for (const bad of [1, null, [], "x"]) {
      const says = `got ${bad === null ? "nothing" : JSON.stringify(bad)}; accepted: servers by name`;
      expect(found({ mcpServers: { bad } }).wrong[0]).toContain(says);
    }
    for (const bad of [1, null, [], "x", { command: 1 }, { url: "x" }, {}]) {
      const { names, wrong } = found({ mcpServers: { bad, good: { command: "x" } } });
      expect(names, JSON.stringify(bad)).toEqual(["good"]);
      expect(wrong).toHaveLength(1);
      expect(wrong[0]).toContain("f: bad was left out: mcp_servers.bad");
    }
  });

  test("one that is switched off there is off here", () => {
    const { all } = found({
      mcpServers: {
        off: { command: "x", disabled: true },
        not: { command: "x", enabled: false },
        on: { command: "x", disabled: false, enabled: true },
      },
    });
    expect([all.off?.enabled, all.not?.enabled, all.on?.enabled]).toEqual([false, false, true]);
  });

  test("what is set for one is taken over, and nothing inherited is", () => {
    const { all } = found({ mcpServers: { a: { command: "x", args: ["b"], env: { C: "d" }, cwd: "e" } } });
    expect(all.a).toMatchObject({ type: "stdio", command: "x", args: ["b"], env: { C: "d" }, cwd: "e" });
    expect(
      found({ mcpServers: { a: { type: "sse", url: "https://x.test/", headers: { H: "v" } } } }).all.a,
    ).toMatchObject({
      type: "sse",
      url: "https://x.test/",
      headers: { H: "v" },
    });
  });
});

test("a server that is nested too deeply is left out, and the others stay", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const { servers: read, problems: wrong } = serversIn(
    `{"mcpServers":{"a":{"command":"x"},"b":{"command":${deep}}}}`,
    "f",
  );
  expect(Object.keys(read)).toEqual(["a"]);
  expect(wrong).toEqual(["f: b was left out: it is nested too deeply"]);
});
