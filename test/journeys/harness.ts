import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { type Definition, type Gate, type OpenOptions, open, type Result, Tool, z } from "../../src/index.ts";

export type Bench = {
  gate: Gate;
  dir: string;
  call(name: string, args?: unknown, more?: object): Promise<Result>;
  text(file: string): string | undefined;
  put(file: string, content: string | Uint8Array): void;
};

/** A folder of its own for one test, gone afterwards. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-test-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) put(dir, name, content);
  return dir;
}

function put(dir: string, name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
  writeFileSync(path.join(dir, name), content);
}

/** Until the test ends these programs, and bash, are all that is on the PATH. */
export function onPath(programs: Record<string, string>): string {
  const dir = folder(programs);
  for (const name of Object.keys(programs)) chmodSync(path.join(dir, name), 0o755);
  symlinkSync("/bin/bash", path.join(dir, "bash"));
  vi.stubEnv("PATH", dir);
  onTestFinished(() => void vi.unstubAllEnvs());
  return dir;
}

/** What is told beside an answer has tests of its own: unless they say so, here nothing is. */
function quiet(config: OpenOptions["config"] = {}): string | object {
  if (typeof config === "string") return config;
  const { workspace, ...rest } = config as { workspace?: object };
  return { loops: "off", ...rest, workspace: { write_safety: "off", ...workspace } };
}

/** A gate on a folder with these files. */
export async function bench(
  files: Record<string, string | Uint8Array> = {},
  options: OpenOptions & { dir?: string } = {},
): Promise<Bench> {
  const { dir = folder(files), ...rest } = options;
  const gate = await open({ workspace: dir, mode: "yolo", ...rest, config: quiet(rest.config) });
  onTestFinished(() => gate.close());
  return {
    gate,
    dir,
    call: (name, args = {}, more = {}) => gate.call({ name, args, ...more }),
    text: (file) => (existsSync(path.join(dir, file)) ? readFileSync(path.join(dir, file), "utf8") : undefined),
    put: (file, content) => put(dir, file, content),
  };
}

/** A tool that does nothing unless told. */
export const plain = (name: string, definition: Partial<Definition> = {}): Tool =>
  Tool.define(name, {
    description: `The ${name} tool of the tests, which does very little.`,
    permissions: { required: ["read"] },
    input: z.object({}),
    touches: () => [],
    execute: async () => `${name} ran`,
    ...definition,
  } as Definition);

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A door that one side waits at and the other opens. */
export function door(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Lets everything that waits for nothing but its turn go on. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};
