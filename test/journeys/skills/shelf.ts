import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { folder } from "../harness.ts";

export const QUICK = { store: "memory", sandbox: "off" } as const;

/** A SKILL.md of this name; `more` goes into its front matter. */
export const skillText = (name: string, more = "", body = "Do it well."): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${more}---\n${body}\n`;

/** A tool of a skill in YAML. */
export const toolText = (name: string, cmd: string, args = ""): string =>
  `tools:\n  - name: ${name}\n    description: Does ${name} for the tests, which is little.\n    cmd: ${JSON.stringify(cmd)}\n${args === "" ? "" : `    args: ${args}\n`}`;

/** Until the test ends, the person's own folder is this one. */
export function ownFolder(files: Record<string, string> = {}): string {
  const dir = folder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`toolgate/${name}`, text])));
  vi.stubEnv("XDG_CONFIG_HOME", dir);
  onTestFinished(() => void vi.unstubAllEnvs());
  return path.join(dir, "toolgate");
}
