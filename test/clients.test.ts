import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { when } from "./capabilities.ts";

/** Drives released agents offline, against a scripted model; it is kept beside the project. */
const HARNESS =
  ["../shared", "../../shared"].map((beside) => resolve(beside, "clients/drive.mjs")).find(existsSync) ?? "";
const CACHE = process.env.TOOLGATE_CLIENTS ?? join(tmpdir(), "toolgate-clients");
const BIN = resolve("dist/cli/toolgate.js");
const REASON = "real agents are large: TOOLGATE_CLIENTS names the folder where ../shared/clients has installed them";

type Step = { run: string } | { read: string } | { edit: string; from: string; to: string };
type Drive = (options: object) => Promise<{ toolResults: { text: string }[]; stderr: string }>;

function scene() {
  const base = mkdtempSync(join(tmpdir(), "toolgate-clients-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [workspace, home, bin] = ["ws", "home", "bin"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [workspace, home, bin]) mkdirSync(folder);
  const toolgate = join(bin, "toolgate");
  writeFileSync(toolgate, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 });
  mkdirSync(join(home, ".config/toolgate"), { recursive: true });
  writeFileSync(join(home, ".config/toolgate/toolgate.yaml"), "mode: yolo\n");
  const { XDG_CONFIG_HOME: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, PATH: `${bin}:${process.env.PATH}` };
  const run = (...args: string[]) => execFileSync(toolgate, args, { cwd: workspace, env, encoding: "utf8" });
  return { workspace, home, bin, run, at: (file: string) => join(workspace, file) };
}

describe.each(["claude", "codex", "gemini", "opencode", "copilot"])("%s", (client) => {
  const installed = HARNESS !== "" && existsSync(CACHE) && process.getuid?.() === 0;
  test("is refused a forbidden command with its reason, and its edit is recorded and undone", {
    ...when(installed, REASON),
    timeout: 180_000,
  }, async () => {
    const { workspace, home, bin, run, at } = scene();
    const { drive } = (await import(HARNESS)) as { drive: Drive };
    writeFileSync(at("a.txt"), "one\ntwo\n");
    writeFileSync(at("keep.txt"), "keep\n");
    // hooks of a project are run by Copilot only in a folder that was trusted before
    run("hook", "install", client, client === "copilot" ? "--user" : "--project", "--yes");
    const script: Step[] = [
      { run: "rm -rf /" },
      { read: "a.txt" },
      { edit: "a.txt", from: "two", to: "2" },
      { run: "rm keep.txt" },
    ];
    const { toolResults } = await drive({ client, cache: CACHE, workspace, home, script, path: [bin], timeout: 120 });
    expect(toolResults[0]?.text).toContain("it is blocked in every mode");
    expect([readFileSync(at("a.txt"), "utf8"), existsSync(at("keep.txt"))]).toEqual(["one\n2\n", false]);
    const log = JSON.parse(run("log", "--json")) as { agent: string; status: string }[];
    expect(log.map(({ status }) => status).sort()).toEqual(["done", "done", "done", "refused"]);
    expect(log.every(({ agent }) => agent === client)).toBe(true);
    run("undo", "a.txt", "--yes");
    run("undo", "keep.txt", "--yes");
    expect([readFileSync(at("a.txt"), "utf8"), readFileSync(at("keep.txt"), "utf8")]).toEqual(["one\ntwo\n", "keep\n"]);
  });
});
