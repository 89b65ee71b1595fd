import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { environmentOf } from "./lib/process/environment.ts";

/** By language, the command line that a piece of code is the last word of. */
export type CodePrograms = { python?: string; javascript?: string; typescript?: string };

const NODE_WAIT_MS = 3_000;

/** All of them read a module, so that `await` works at the top. The best known comes first. */
const TYPESCRIPT: readonly (readonly [program: string, line: string])[] = [
  ["node", "node --input-type=module-typescript -e"],
  ["tsx", "tsx --input-type=module -e"],
  ["deno", "deno eval --ext=ts"],
  ["bun", "bun -e"],
];

const known = new Map<string, CodePrograms>();

/** What commands of these roots find to run code with. Looked for once a PATH. */
export function codePrograms(roots: readonly string[], passEnv: readonly string[]): CodePrograms {
  const { PATH = "" } = environmentOf({ host: process.env, passEnv, roots, bash: "" });
  const found = known.get(PATH) ?? look(PATH.split(":"));
  known.set(PATH, found);
  return found;
}

function look(folders: readonly string[]): CodePrograms {
  const typescript = TYPESCRIPT.find(([program]) => {
    const file = programIn(folders, program);
    return file !== undefined && (program !== "node" || stripsTypes(file));
  });
  return {
    ...(programIn(folders, "python3") && { python: "python3 -c" }),
    ...(programIn(folders, "node") && { javascript: "node -e" }),
    ...(typescript && { typescript: typescript[1] }),
  };
}

function programIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Whether it takes TypeScript without being told to; another node than this one is asked. */
function stripsTypes(node: string): boolean {
  if (fs.realpathSync(node) === fs.realpathSync(process.execPath)) return Boolean(process.features.typescript);
  const asked = spawnSync(node, ["-p", "process.features.typescript"], {
    encoding: "utf8",
    timeout: NODE_WAIT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /^(?:strip|transform)$/.test(asked.stdout?.trim() ?? "");
}
