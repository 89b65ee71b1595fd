import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LoadOptions, loadConfig } from "./load.ts";
import { ConfigError } from "./problem.ts";
import { trust } from "./trust.ts";

let base: string;
let workspace: string;
let userFolder: string;
let listed: string;
let own: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "toolgate-servers-")));
  workspace = join(base, "workspace");
  userFolder = join(base, "user");
  await mkdir(workspace);
  await mkdir(userFolder);
  [listed, own] = [join(workspace, ".mcp.json"), join(workspace, "toolgate.yaml")];
});
afterEach(() => rm(base, { recursive: true, force: true }));

const load = (more: Partial<LoadOptions> = {}) => loadConfig({ workspace, userFolder, ...more });
const list = (servers: object) => writeFile(listed, JSON.stringify({ mcpServers: servers }));
const one = { command: "one" };
const ACCEPTED = { "/ws/a.js": "hash of a" };

describe("servers that the workspace names for other clients", () => {
  test("are started by nobody before a person accepted the file", async () => {
    await list({ one, two: { command: "two" } });
    const before = await load();
    expect(before.settings.servers).toEqual({});
    expect(before.sources).toEqual([{ file: listed, kind: "servers", trusted: false }]);
    expect(before.notes).toEqual([
      `${listed} is not trusted, so its servers are not started: one, two. To trust it as it is now, run: toolgate config trust`,
    ]);
    expect(before.origins).toEqual({});
    await trust(listed, { userFolder, scripts: ACCEPTED });
    const after = await load();
    expect(after.settings.servers).toMatchObject({ one: { command: "one", accepted: ACCEPTED }, two: {} });
    expect(after.sources).toEqual([{ file: listed, kind: "servers", trusted: true }]);
    expect(after.notes).toEqual([]);
    expect(after.origins).toEqual({ "servers.one": listed, "servers.two": listed });
  });

  test("can be looked at without being accepted", async () => {
    await list({ one });
    const { settings, sources } = await load({ asTrusted: true });
    expect(settings.servers).toMatchObject({ one: { command: "one", accepted: {} } });
    expect(sources).toMatchObject([{ trusted: false }]);
  });

  test("an empty list needs no note, and a wrong one is told and stops nothing", async () => {
    await list({});
    expect(await load()).toMatchObject({ notes: [], settings: { servers: {} } });
    await writeFile(listed, "{");
    await trust(listed, { userFolder });
    const wrong = await load();
    expect(wrong.notes).toHaveLength(1);
    expect(wrong.notes[0]).toContain("it is not JSON");
  });

  test("a file that leads out of the workspace is told, and is not read", async () => {
    await writeFile(join(base, "outside.json"), JSON.stringify({ mcpServers: { one } }));
    await symlink("../outside.json", listed);
    const { notes, settings, sources } = await load({ asTrusted: true });
    expect(notes[0]).toContain("it leads out of the workspace");
    expect([settings.servers, sources]).toEqual([{}, []]);
  });

  test("a folder of that name says nothing", async () => {
    await mkdir(listed);
    expect(await load()).toMatchObject({ notes: [], sources: [] });
  });

  test("what our own configuration says of a server comes first", async () => {
    await list({ one, two: { command: "two" } });
    await trust(listed, { userFolder });
    const { settings, origins } = await load({ config: { mcp_servers: { one: { command: "ours" } } } });
    expect(settings.servers).toMatchObject({ one: { command: "ours" }, two: { command: "two" } });
    expect(settings.servers.one).not.toHaveProperty("accepted");
    expect(origins).toMatchObject({ "servers.one": "the given object", "servers.two": listed });
  });
});

describe("hooks and servers of the workspace's own configuration", () => {
  const TEXT = JSON.stringify({ hooks: { pre_tool_use: [{ command: "x" }], in_dry_run: true }, mcp_servers: { one } });

  test("run what a person has accepted, and nothing else", async () => {
    await writeFile(own, TEXT);
    expect((await load()).settings).toMatchObject({ servers: {}, hooks: { preToolUse: [] } });
    await trust(own, { userFolder, scripts: ACCEPTED });
    const { settings, origins } = await load();
    expect(settings.hooks.preToolUse).toMatchObject([{ command: "x", accepted: ACCEPTED }]);
    expect(settings.servers.one).toMatchObject({ command: "one", accepted: ACCEPTED });
    expect(settings.hooks.inDryRun).toBe(true);
    expect(origins).toMatchObject({ "servers.one": own, "hooks.preToolUse": own });
  });

  test("each for itself, too", async () => {
    await writeFile(own, JSON.stringify({ hooks: { pre_tool_use: [{ command: "x" }] } }));
    await trust(own, { userFolder, scripts: ACCEPTED });
    expect((await load()).settings.hooks.preToolUse).toMatchObject([{ accepted: ACCEPTED }]);
    await writeFile(own, JSON.stringify({ mcp_servers: { one } }));
    await trust(own, { userFolder, scripts: ACCEPTED });
    expect((await load()).settings.servers.one).toMatchObject({ accepted: ACCEPTED });
  });

  test("a person's own need no acceptance", async () => {
    await writeFile(join(userFolder, "toolgate.yaml"), TEXT);
    const { settings } = await load();
    expect(settings.hooks.preToolUse).toHaveLength(1);
    expect(settings.hooks.preToolUse[0]).not.toHaveProperty("accepted");
    expect(settings.servers.one).not.toHaveProperty("accepted");
  });

  test("can be looked at without being accepted; without that nothing is said of where they come from", async () => {
    await writeFile(own, TEXT);
    expect((await load({ asTrusted: true })).origins).toMatchObject({ "servers.one": own });
    expect((await load({ asTrusted: true })).settings.servers).toHaveProperty("one");
    expect((await load()).origins).not.toHaveProperty("servers.one");
  });

  test("the person's own file, opened as a workspace, is read once", async () => {
    await writeFile(join(userFolder, "toolgate.yaml"), "mode: yolo\n");
    const { sources, settings } = await load({ workspace: userFolder });
    expect(sources.map(({ kind }) => kind)).toEqual(["user"]);
    expect(settings.mode).toBe("yolo");
  });
});

test("rules that do not mean what they say are problems of their file, with their place", async () => {
  await writeFile(own, "rules:\n  deny:\n    - write(a)\n    - { rule: write(b), match: [c] }\n");
  const error = await load().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).problems).toMatchObject([{ source: own, line: 4 }]);
  expect((error as ConfigError).message).toContain("rules.deny: ");
});

test("a workspace that cannot be looked into is an error, not an absence", async () => {
  const error = await load({ workspace: join(base, "x".repeat(300)) }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toContain("ENAMETOOLONG");
});

test("a file whose folder cannot be entered is an error that says why", async () => {
  const error = await load({ config: join(base, "x".repeat(300)) }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toMatch(/it cannot be read: ENAMETOOLONG/);
});
