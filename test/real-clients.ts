import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { type Needs, when } from "./capabilities.ts";

/** Drives released agents offline, against a scripted model; it is kept beside the project. */
const HARNESS =
  ["../shared", "../../shared"].map((beside) => resolve(beside, "clients/drive.mjs")).find(existsSync) ?? "";
const CACHE = process.env.TOOLGATE_CLIENTS ?? join(tmpdir(), "toolgate-clients");
const BIN = resolve("dist/cli/toolgate.js");

/** Released agents, where they are installed. */
export const realClients: Needs = when(
  HARNESS !== "" && existsSync(CACHE) && process.getuid?.() === 0,
  "real agents are large: TOOLGATE_CLIENTS names the folder where ../shared/clients has installed them",
);

export type Step =
  | { run: string }
  | { read: string }
  | { edit: string; from: string; to: string }
  | { server: string; tool: string; args: object };
type Drive = (options: object) => Promise<{ toolResults: { text: string }[]; stderr: string }>;

/** A workspace and a home of its own for an agent, with toolgate on the PATH. */
export function scene(config: string) {
  const base = mkdtempSync(join(tmpdir(), "toolgate-clients-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [workspace, home, bin] = ["ws", "home", "bin"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [workspace, home, bin]) mkdirSync(folder);
  const toolgate = join(bin, "toolgate");
  writeFileSync(toolgate, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 });
  mkdirSync(join(home, ".config/toolgate"), { recursive: true });
  writeFileSync(join(home, ".config/toolgate/toolgate.yaml"), config);
  const { XDG_CONFIG_HOME: _, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, PATH: `${bin}:${process.env.PATH}` };
  const run = (...args: string[]) => execFileSync(toolgate, args, { cwd: workspace, env, encoding: "utf8" });
  const driven = async (client: string, script: readonly Step[]) => {
    const { drive } = (await import(HARNESS)) as { drive: Drive };
    return drive({ client, cache: CACHE, workspace, home, script, path: [bin], timeout: 120 });
  };
  return { run, driven, at: (file: string) => join(workspace, file) };
}
