import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { clients } from "../../src/doors/hook/clients.ts";
import { workspace } from "./cli.ts";

const event = (dir: string, command: string) =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: dir,
    tool_use_id: "t",
    tool_name: "Bash",
    tool_input: { command },
  });

describe("the hook itself", () => {
  /** It is read anew for every call of an agent, and once a browser's driver was in it. */
  test("is a small file", () => {
    expect(statSync("dist/cli/hook.cjs").size).toBeLessThan(2_000_000);
  });

  /** Each of them takes longer to load than the call takes to be judged. */
  test("loads none of the large parts of Node for a call that only looks", async () => {
    const { dir, at, write } = await workspace();
    await write("probe.cjs", 'process.on("exit", () => process.stderr.write(process.moduleLoadList.join()))');
    const loaded = (...args: string[]) =>
      spawnSync(process.execPath, ["--require", at("probe.cjs"), ...args], {
        ...{ input: event(dir, "ls"), cwd: dir, encoding: "utf8", env: { ...process.env, CLAUDE_PROJECT_DIR: dir } },
      }).stderr.split(",");
    const usual = loaded("-e", "0");
    const parts = [
      "fs/promises",
      "crypto",
      "net",
      "http",
      "zlib",
      "child_process",
      "worker_threads",
      "perf_hooks",
      "v8",
      "module",
    ];
    const found = loaded(resolve("dist/cli/toolgate.js"), "hook", "claude").filter((name) => !usual.includes(name));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((name) => parts.includes(name.replace("NativeModule ", "")))).toEqual([]);
  });

  test("answers on standard output alone", async () => {
    const { dir, run } = await workspace();
    const { status, out, err } = await run(["hook", "claude"], { input: event(dir, "rm -rf /") });
    expect([status, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ decision: "block", hookSpecificOutput: { permissionDecision: "deny" } });
  });

  test.each<[string, string[], string]>([
    ["input that is no JSON", ["hook", "claude"], "{"],
    ["a client that is not there", ["hook", "cloude"], "{}"],
    ["no client", ["hook"], "{}"],
    ["an option that is not there", ["hook", "claude", "--nonsense"], "{}"],
    ["a configuration that is not there", ["hook", "claude", "--config", "none.yaml"], "{}"],
  ])("%s ends with 2 and a reason, which is a refusal", async (_, args, input) => {
    const { dir, run } = await workspace();
    const ended = await run(args, { input: input === "{}" && args[1] === "claude" ? event(dir, "ls") : input });
    expect([ended.status, ended.out]).toEqual([2, ""]);
    expect(ended.err.trim()).not.toBe("");
  });
});

describe("install and uninstall", () => {
  test.each(Object.keys(clients))("%s: written, told once, and taken back", async (client) => {
    const { dir, run } = await workspace();
    for (const scope of ["--project", "--user"]) {
      const first = await run(["hook", "install", client, scope, "--yes", "--json"]);
      const { changed, files } = JSON.parse(first.out) as { changed: boolean; files: { file: string; diff: string }[] };
      expect([first.status, changed, files.length > 0]).toEqual([0, true, true]);
      for (const { file, diff } of files) {
        expect(existsSync(file)).toBe(true);
        expect(diff).toMatch(/^\+/m);
        expect(file.startsWith(dir)).toBe(scope === "--project");
      }
      const again = JSON.parse((await run(["hook", "install", client, scope, "--yes", "--json"])).out);
      expect(again).toMatchObject({ changed: false, files: [] });
      const doctor = JSON.parse((await run(["doctor", "--json"])).out) as { what: string }[];
      expect(doctor.map(({ what }) => what)).toContain(`hook of ${client}`);
      const back = await run(["hook", "uninstall", client, scope, "--yes"]);
      expect(back.out).toContain(`Removed the hook of ${client}.`);
      for (const { file } of files) expect(existsSync(file)).toBe(false);
    }
  });

  test("nobody can do it without a terminal or --yes, and settings that cannot be read stay as they are", async () => {
    const { at, run, read } = await workspace();
    expect((await run(["hook", "install", "claude"])).status).toBe(3);
    const file = at(join(".claude", "settings.json"));
    await mkdir(dirname(file));
    await writeFile(file, "{ broken");
    const { status, err } = await run(["hook", "install", "claude", "--yes"]);
    expect([status, await read(".claude/settings.json")]).toEqual([3, "{ broken"]);
    expect(err).toContain(".claude/settings.json cannot be changed: it is not valid JSON at line 1");
  });
});
