import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Hook, IncomingCall } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { needs } from "../capabilities.ts";
import { bench, folder, plain } from "../journeys/harness.ts";

const FILES = { "a.txt": "one\n", "sub/b.txt": "two\n", "toolgate.yaml": "mode: yolo\n" };
const disk = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes(".toolgate"))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(dir, file), readFileSync(file, "utf8")]),
  );

/** Everything by which somebody could try to change a file. */
const ROUTES: readonly IncomingCall[] = [
  { name: "write_file", args: { path: "a.txt", content: "x" } },
  { name: "write_file", args: { path: "new.txt", content: "x" } },
  { name: "edit_file", args: { path: "a.txt", old_str: "one", new_str: "x" } },
  { name: "apply_patch", args: { patch: "--- a/sub/b.txt\n+++ b/sub/b.txt\n@@ -1 +1 @@\n-two\n+x\n" } },
  { name: "delete_file", args: { path: "a.txt" } },
  { name: "undo_file", args: { path: "a.txt" } },
  { name: "undo_turn", args: { turn: "last" } },
  { name: "run_command", args: { command: "echo x > a.txt" } },
  { name: "run_command", args: { command: "rm -f a.txt" } },
  { name: "run_command", args: { command: "touch made", background: true } },
  { name: "run_command", args: { command: "cat a.txt; sed -i s/one/x/ a.txt" } },
  { name: "run_command", args: { command: "ls && node -e \"require('fs').writeFileSync('made','')\"" } },
  { name: "run_command", args: { command: "git -c core.fsmonitor='touch made' status" } },
  { name: "run_command", args: { command: "toolgate call write_file path=made content=x --yes" } },
  { name: "run_command", args: { command: "toolgate plan run --yes --all" } },
  { name: "execute_code", args: { language: "javascript", code: "require('fs').writeFileSync('made','')" } },
  { name: "writes", args: {} },
  { name: "sneaks", args: {} },
];

describe.each([{ plan: true }, { dryRun: true }])("in %j nothing changes a file", (kind) => {
  const writing = plain("writes", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "made" }],
    execute: async (_, { files }) => files.write("made", new Uint8Array([1])).then(() => "written"),
  });
  /** Says that it only reads, and writes through its view all the same. */
  const sneaking = plain("sneaks", {
    touches: () => [{ action: "read", target: "a.txt" }],
    execute: async (_, { files }) => files.write("a.txt", new Uint8Array([1])).then(() => "written"),
  });
  const passing = plain("passes", {
    input: undefined as never,
    parameters: { type: "object", properties: {} } as never,
    execute: async (input, { gate }) => {
      const call = (input as { call: IncomingCall }).call;
      const loose = gate.child({ mode: "yolo", plan: false, dryRun: false, autonomy: "full" });
      const results = [await gate.call(call), await loose.call(call), ...(await loose.callAll([call, call]))];
      return results.map(({ status }) => status).join();
    },
  });
  const tools = [writing, sneaking, passing];
  const config = { workspace: { allow_delete: true } };

  const ways: [string, (it: Awaited<ReturnType<typeof bench>>, call: IncomingCall) => Promise<unknown>][] = [
    ["a call", ({ gate }, call) => gate.call(call)],
    ["a batch", ({ gate }, call) => gate.callAll([call, call])],
    ["a child gate", ({ gate }, call) => gate.child({ plan: false, dryRun: false, mode: "yolo" }).call(call)],
    ["a child of a child", ({ gate }, call) => gate.child().child({ agent: "x" }).callAll([call])],
    ["a tool that calls tools", ({ gate }, call) => gate.call({ name: "passes", args: { call } })],
    ["a session of another name", ({ gate }, call) => gate.call({ ...call, sessionID: "s", messageID: "m" })],
  ];
  test.each(ways)("by %s", { timeout: 60_000 }, async (_, way) => {
    const it = await bench(FILES, { ...kind, tools, config, approve: () => "always", toolset: "all", store: "memory" });
    for (const call of ROUTES) await way(it, call);
    await expect(it.gate.plans.run()).rejects.toThrow("plan mode");
    await it.gate.close();
    expect(disk(it.dir)).toEqual(FILES);
  });

  test("by hooks of its own, before or after", async () => {
    const it = folder(FILES);
    const touch = () => writeFileSync(path.join(it, "made"), "");
    const hooks: Hook[] = [{ name: "writes", before: () => void touch(), after: () => void touch() }];
    const { call } = await bench({}, { ...kind, dir: it, hooks, store: "memory" });
    for (const name of ["a.txt", "sub/b.txt"]) await call("read_file", { path: name });
    await call("write_file", { path: "a.txt", content: "x" });
    expect(disk(it)).toEqual(FILES);
  });

  test("by a quality gate", async () => {
    const gates = [{ name: "makes", command: "touch made" }];
    const it = await bench(FILES, { ...kind, config: { guardrails: { quality_gates: gates } }, store: "memory" });
    await it.gate.finish();
    expect(disk(it.dir)).toEqual(FILES);
  });
});

test("a link leads to the planned text, and a planned change behind it reaches nothing", async () => {
  const it = await bench(FILES, { dryRun: true, store: "memory", config: { workspace: { allow_delete: true } } });
  symlinkSync("a.txt", path.join(it.dir, "link"));
  symlinkSync("sub", path.join(it.dir, "folder"));
  const shown = async (name: string) => (await it.call("read_file", { path: name })).output;
  await it.call("write_file", { path: "link", content: "through\n" });
  expect([await shown("a.txt"), await shown("link")]).toEqual(["1\tthrough", "1\tthrough"]);
  await it.call("write_file", { path: "folder/new.txt", content: "new\n" });
  expect(await shown("sub/new.txt")).toBe("1\tnew");
  await it.call("delete_file", { path: "link" });
  expect((await it.call("read_file", { path: "link" })).error?.code).toBe("NOT_FOUND");
  expect(await shown("a.txt")).toBe("1\tthrough");
  expect((await it.call("run_command", { command: "cat folder/new.txt" })).status).toBe("planned");
  expect(disk(it.dir)).toEqual(FILES);
  const { gate } = await bench({}, { dir: it.dir, store: "memory" });
  await gate.close();
});

test("a folder that becomes a link to outside before the run: nothing is written there", async () => {
  const store = memoryStore();
  const outside = folder({ "b.txt": "two\n" });
  const it = await bench(FILES, { plan: true, store });
  await it.call("edit_file", { path: "sub/b.txt", old_str: "two", new_str: "x" });
  await it.call("write_file", { path: "sub/new.txt", content: "x" });
  execFileSync("mv", ["sub", "was"], { cwd: it.dir });
  symlinkSync(outside, path.join(it.dir, "sub"));
  const { gate } = await bench({}, { dir: it.dir, store });
  for (const ids of [["1"], ["2"]]) expect((await gate.plans.run({ ids }))[0]?.result.success).toBe(false);
  expect(disk(outside)).toEqual({ "b.txt": "two\n" });
});

test("a command that an agent runs cannot approve, nor run with --yes", () => {
  const dir = folder(FILES);
  mkdirSync(path.join(dir, ".toolgate"), { recursive: true });
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [path.resolve("dist/cli/toolgate.js"), ...words], {
      cwd: dir,
      encoding: "utf8",
      env: { ...process.env, TOOLGATE_PROCESS: "p1", HOME: dir, XDG_CONFIG_HOME: dir },
    });
  for (const words of [
    ["plan", "approve", "--yes"],
    ["plan", "run", "--yes"],
  ]) {
    const { status, stderr } = run(...words);
    expect([status, stderr]).toEqual([3, expect.stringContaining("A command that an agent runs cannot")]);
  }
});

describe("secrets", () => {
  const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  test("of a plan are kept while it may run, and blanked when it has ended", async () => {
    const store = memoryStore();
    const { gate, dir } = await bench({}, { store });
    const planning = gate.child({ plan: true });
    const calls = ["x", "y"].map((name) => ({ name: "write_file", args: { path: name, content: `key ${SECRET}\n` } }));
    for (const call of [...calls, { name: "run_command", args: { command: `echo ${SECRET} > z` } }])
      await planning.call(call);
    expect(JSON.stringify(await store.planned({}))).toContain(SECRET);
    await gate.plans.drop({ ids: ["2", "3"] });
    await gate.plans.run();
    expect(readFileSync(path.join(dir, "x"), "utf8")).toBe(`key ${SECRET}\n`);
    expect(JSON.stringify(await store.planned({}))).not.toContain(SECRET);
  });
});

test("git never sees a plan that was only looked at", needs("git"), async () => {
  const it = await bench(FILES, { dryRun: true });
  execFileSync("git", ["init", "-q"], { cwd: it.dir });
  await it.call("write_file", { path: "a.txt", content: "x\n" });
  expect((await it.call("run_command", { command: "git -C sub status" })).status).toBe("planned");
  expect((await it.call("run_command", { command: "git --version" })).status).toBe("done");
  expect(existsSync(path.join(it.dir, ".git/index"))).toBe(false);
});
