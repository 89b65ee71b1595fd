import path from "node:path";
import { expect, test } from "vitest";
import { readConfig, scriptsToTrust, trustConfig } from "../../../src/doctor.ts";
import { bench, folder } from "../harness.ts";
import { plainServer, SCRIPT } from "./serving.ts";

const listed = (servers: object) => JSON.stringify({ mcpServers: servers });

/** What `toolgate config trust` does, for all files of the workspace's own. */
async function trusted(dir: string): Promise<void> {
  const { sources } = await readConfig({ workspace: dir });
  const { scripts } = await scriptsToTrust({ workspace: dir });
  for (const { file, kind } of sources) if (kind !== "user") await trustConfig(file, { scripts });
}

test("servers of .mcp.json are started once the file was accepted as it is", async () => {
  const fake = plainServer();
  const dir = folder({ ".mcp.json": listed({ fake: { type: "stdio", ...fake.setting, alwaysAllow: ["echo"] } }) });
  const before = await bench({}, { dir });
  expect(before.gate.notes.join()).toContain("its servers are not started: fake");
  expect(await before.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "unknown" });
  expect(before.gate.servers).toBeUndefined();

  await trusted(dir);
  const after = await bench({}, { dir });
  expect(after.gate.notes).toEqual([]);
  expect(await after.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "done" });

  after.put(".mcp.json", listed({ fake: fake.setting, other: fake.setting }));
  const changed = await bench({}, { dir });
  expect(changed.gate.notes.join()).toContain("its servers are not started: fake, other");
  expect(changed.gate.servers).toBeUndefined();
});

test("our own configuration comes before .mcp.json", async () => {
  const [ours, theirs] = [plainServer(), plainServer()];
  const dir = folder({ ".mcp.json": listed({ fake: theirs.setting }) });
  await trusted(dir);
  const it = await bench({}, { dir, config: { mcp_servers: { fake: ours.setting } } });
  await it.call("mcp_fake_echo", { text: "a" });
  expect([ours.log().length > 0, theirs.log()]).toEqual([true, []]);
});

test.each<[string, string, string[], RegExp | undefined]>([
  ["servers as VS Code writes it", JSON.stringify({ servers: { a: { command: "true" } } }), ["a"], undefined],
  ["one that is switched off", listed({ a: { command: "true", disabled: true } }), [], undefined],
  [
    "one that cannot be used, beside one that can",
    listed({ a: { command: 1 }, b: { command: "true" } }),
    ["b"],
    /a was left out/,
  ],
  ["no JSON", "{", [], /is not JSON/],
  ["no mapping", JSON.stringify({ mcpServers: ["a"] }), [], /must be a mapping/],
  ["something else", "null", [], undefined],
])("%s in .mcp.json", async (_, text, servers, note) => {
  const dir = folder({ ".mcp.json": text });
  await trusted(dir);
  const { gate } = await bench({}, { dir });
  const states = (await gate.servers?.states()) ?? [];
  expect(states.filter(({ state }) => state !== "off").map(({ name }) => name)).toEqual(servers);
  if (note) expect(gate.notes.join("\n")).toMatch(note);
  else expect(gate.notes).toEqual([]);
});

test("code of the workspace that a server runs is accepted as it is, and guarded", async () => {
  const dir = folder({
    ".mcp.json": listed({ fake: { command: "node", args: ["server.mjs"] } }),
    "server.mjs": `process.argv[2] = ${JSON.stringify(folder({ "plan.json": "{}" }))};\nawait import(${JSON.stringify(SCRIPT)});\n`,
  });
  await trusted(dir);
  const it = await bench({}, { dir });
  expect(await it.call("mcp_fake_echo", { text: "a" })).toMatchObject({ status: "done" });
  expect(await it.call("write_file", { path: "server.mjs", content: "x" })).toMatchObject({ status: "refused" });
  await it.gate.close();

  it.put("server.mjs", `${it.text("server.mjs")}// more\n`);
  const later = await bench({}, { dir });
  const result = await later.call("mcp_fake_echo", { text: "a" });
  expect(result).toMatchObject({ status: "failed" });
  expect(result.error?.message).toContain("server.mjs has changed since it was accepted");
});

test("a link out of the workspace is no .mcp.json", async () => {
  const outside = folder({ "servers.json": listed({ fake: { command: "true" } }) });
  const dir = folder();
  const { symlinkSync } = await import("node:fs");
  symlinkSync(path.join(outside, "servers.json"), path.join(dir, ".mcp.json"));
  const { gate } = await bench({}, { dir });
  expect(gate.notes.join()).toContain("leads out of the workspace");
  expect(gate.servers).toBeUndefined();
});

test.each([
  [
    "behind a variable",
    { command: "node", args: ["${NOPE:-server.mjs}"] },
    /server\.mjs has changed|was not accepted|changed/,
  ],
  [
    "loaded by NODE_OPTIONS",
    { command: "node", args: ["server.mjs"], env: { NODE_OPTIONS: "--no-warnings" } },
    /NODE_OPTIONS/,
  ],
  ["found by PATH", { command: "node", args: ["server.mjs"], env: { PATH: "./bin" } }, /PATH/],
])("code %s is not run unaccepted", async (_, setting, why) => {
  const dir = folder({
    ".mcp.json": listed({ fake: setting }),
    "server.mjs": `process.argv[2] = ${JSON.stringify(folder({ "plan.json": "{}" }))};\nawait import(${JSON.stringify(SCRIPT)});\n`,
  });
  await trusted(dir);
  const it = await bench({}, { dir });
  it.put("server.mjs", `${it.text("server.mjs")}// more\n`);
  const result = await it.call("mcp_fake_echo", { text: "a" });
  expect(result).toMatchObject({ status: "failed", error: { message: expect.stringMatching(why) } });
});

const SCRIPTS = {
  start: "node server.mjs",
  prestart: "sh before.sh",
  dev: "npm run --silent start",
  test: "node other.mjs",
};

test.each<[string, string[], string, boolean]>([
  ["npm start", ["start"], "server.mjs", true],
  ["what npm runs before it", ["start"], "before.sh", true],
  ["a script that a script calls", ["run", "dev"], "server.mjs", true],
  ["a script of a folder", ["--prefix", "sub", "start"], "sub/inner.mjs", true],
  ["what it does not call", ["start"], "other.mjs", false],
])("scripts of a package are accepted with what they run: %s", async (_, args, file, counts) => {
  const dir = folder({
    ".mcp.json": listed({ fake: { command: "npm", args } }),
    "package.json": JSON.stringify({ scripts: SCRIPTS }),
    "sub/package.json": JSON.stringify({ scripts: { start: "node inner.mjs" } }),
    ...Object.fromEntries(["server.mjs", "before.sh", "other.mjs", "sub/inner.mjs"].map((name) => [name, "1"])),
  });
  const { scripts } = await scriptsToTrust({ workspace: dir });
  expect(Object.keys(scripts).includes(path.join(dir, file))).toBe(counts);
});
