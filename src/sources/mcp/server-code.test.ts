import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { codeOfServers, whyNotStarted } from "./server-code.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-code-")));
const file = (name: string) => join(root, name);
for (const name of ["a.mjs", "b.mjs", "it's.mjs"]) writeFileSync(file(name), name);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const server = (setting: Partial<ServerSetting>): ServerSetting => ({
  type: "stdio",
  command: "node",
  args: ["a.mjs"],
  env: {},
  url: "",
  headers: {},
  enabled: true,
  timeout: 1,
  startupTimeout: 1,
  ...setting,
});
const codeOf = async (...settings: Partial<ServerSetting>[]) =>
  Object.keys(await codeOfServers(Object.fromEntries(settings.map((each, n) => [`s${n}`, server(each)])), root)).sort();

describe("the files of a workspace that its servers run", () => {
  test.each<[what: string, settings: Partial<ServerSetting>[], names: string[]]>([
    ["a script", [{}], ["a.mjs"]],
    ["scripts of two servers", [{}, { args: ["b.mjs"] }], ["a.mjs", "b.mjs"]],
    ["a name that is to be quoted", [{ args: ["it's.mjs"] }], ["it's.mjs"]],
    ["behind a default", [{ args: ["${NOT_SET_HERE:-b.mjs}"] }], ["b.mjs"]],
    ["none of a server that is off", [{ enabled: false }], []],
    ["none of a server elsewhere", [{ type: "http", url: "http://127.0.0.1:1" }], []],
    ["words that only look like code", [{ args: ["a.mjs", "; node b.mjs"] }], ["a.mjs"]],
  ])("%s", async (_, settings, names) => expect(await codeOf(...settings)).toEqual(names.map(file)));
});

describe("a workspace's own server", () => {
  const accepted = async (setting: Partial<ServerSetting> = {}) => ({
    ...setting,
    accepted: await codeOfServers({ s: server(setting) }, root),
  });
  const why = async (setting: Partial<ServerSetting>) => whyNotStarted(server(setting), root);

  test("is started as it was accepted, and not with other code", async () => {
    expect(await why(await accepted())).toBeUndefined();
    expect(await why({ ...(await accepted()), args: ["b.mjs"] })).toContain("b.mjs");
    expect(await why({ accepted: {} })).toContain("a.mjs");
    const setting = await accepted({ args: ["b.mjs"] });
    writeFileSync(file("b.mjs"), "other");
    expect(await why(setting)).toContain("b.mjs");
    expect(await why({ args: ["b.mjs"] }), "a person's own").toBeUndefined();
  });

  const STEERS =
    "PATH Path ENV BASH_ENV SHELLOPTS BASHOPTS NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES " +
    "GIT_SSH_COMMAND PYTHONPATH PYTHONSTARTUP PERL5LIB PERL5OPT RUBYOPT RUBYLIB UV_INDEX_URL PIP_INDEX_URL " +
    "npm_config_registry NPM_CONFIG_PREFIX JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS";
  test.each(STEERS.split(" "))("sets no %s, which decides what code runs", async (name) => {
    const setting = { ...(await accepted()), env: { FINE: "1", [name]: "x" } };
    expect(await why(setting)).toContain(`sets ${name}, which decides what code runs`);
    expect(await why({ env: { [name]: "x" } }), "a person's own may").toBeUndefined();
  });

  const FREE =
    "API_KEY HOME MYPATH PATHS DEBUG NODE_ENV ENVIRONMENT GITHUB_TOKEN GITLAB_URL LDAP_URL PIPEDRIVE_KEY UVI";
  test.each(FREE.split(" "))("may set %s", async (name) => {
    expect(await why({ ...(await accepted()), env: { [name]: "x" } })).toBeUndefined();
  });

  test("elsewhere runs nothing here", async () => {
    const setting = { type: "http" as const, url: "http://127.0.0.1:1", accepted: {}, env: { PATH: "x" } };
    expect(await why(setting)).toBeUndefined();
  });
});
