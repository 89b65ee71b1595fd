import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isBelow } from "../core/words/containment.ts";
import type { Finding } from "../core/words/finding.ts";
import { environmentOf } from "./lib/process/environment.ts";
import { isVisible, realPath } from "./lib/process/mounts.ts";
import { isPrivateOfSystem, outlineHere } from "./lib/process/scene.ts";

/** For each language, the command line to which a piece of code is appended as the last argument. */
export type CodePrograms = {
  readonly python?: string | undefined;
  readonly javascript?: string | undefined;
  readonly typescript?: string | undefined;
};

const NODE_WAIT_MS = 3_000;

/** All of them read the code as a module, so that top-level `await` works. The best known comes first. */
const TYPESCRIPT: readonly (readonly [program: string, line: string])[] = [
  ["node", "node --input-type=module-typescript -e"],
  ["tsx", "tsx --input-type=module -e"],
  ["deno", "deno eval --ext=ts"],
  ["bun", "bun -e"],
];

/** The settings that decide which programs a command finds. */
type Surroundings = { passEnv: readonly string[]; sandbox: "required" | "auto" | "off"; network: boolean };

const known = new Map<string, CodePrograms>();

/** The programs that commands in these roots can run code with. Looked up lazily: most calls run no code. */
export const codePrograms = (roots: readonly string[], surroundings: Surroundings): CodePrograms => ({
  get python() {
    return lookedFor(roots, surroundings).python;
  },
  get javascript() {
    return lookedFor(roots, surroundings).javascript;
  },
  get typescript() {
    return lookedFor(roots, surroundings).typescript;
  },
});

/** Cached per environment. Programs that the sandbox would hide do not count. */
function lookedFor(roots: readonly string[], { passEnv, sandbox, network }: Surroundings): CodePrograms {
  const { PATH = "" } = environmentOf({ host: process.env, passEnv, roots, bash: "" });
  const key = JSON.stringify([PATH, sandbox === "off", network, roots]);
  const found = known.get(key) ?? look(PATH.split(":"), sandbox === "off" ? () => true : seenInside(roots, network));
  known.set(key, found);
  return found;
}

/** Programs below /usr are always visible; for all others the sandbox's layout decides. */
function seenInside(roots: readonly string[], network: boolean): (file: string) => boolean {
  let scene: ReturnType<typeof outlineHere> | undefined;
  const isSeen = (file: string): boolean => {
    if (isBelow(file, "/usr")) return true;
    scene ??= outlineHere(roots, network);
    return isVisible(file, scene) && !isPrivateOfSystem(file);
  };
  return (file) => isSeen(file) && isSeen(realPath(file) ?? file);
}

function look(folders: readonly string[], isSeen: (file: string) => boolean): CodePrograms {
  const find = (name: string): string | undefined =>
    folders.map((folder) => path.join(folder, name)).find((file) => isProgram(file) && isSeen(file));
  const typescript = TYPESCRIPT.find(([program]) => {
    const file = find(program);
    return file !== undefined && (program !== "node" || stripsTypes(file));
  });
  return {
    ...(find("python3") && { python: "python3 -c" }),
    ...(find("node") && { javascript: "node -e" }),
    ...(typescript && { typescript: typescript[1] }),
  };
}

function isProgram(file: string): boolean {
  try {
    // most do not exist, and a thrown error costs more than a stat
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether this node runs TypeScript without a flag. A node other than the current one is started to find out. */
function stripsTypes(node: string): boolean {
  if (fs.realpathSync(node) === fs.realpathSync(process.execPath))
    return "typescript" in process.features && Boolean(process.features.typescript);
  const asked = spawnSync(node, ["-p", "process.features.typescript"], {
    encoding: "utf8",
    timeout: NODE_WAIT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /^(?:strip|transform)$/.test(asked.stdout?.trim() ?? "");
}

/** Reports which languages `execute_code` can run, and with what. */
export function codeFinding({ python, javascript, typescript }: CodePrograms): Finding {
  const languages = Object.entries({ python, javascript, typescript });
  const program = (line: string) => line.split(" ", 1)[0];
  const running = languages.flatMap(([name, line]) => (line ? [`${name} (${program(line)})`] : []));
  const lacking = languages.flatMap(([name, line]) => (line ? [] : [name]));
  const says = `runs ${[...running, "bash"].join(", ")}`;
  if (lacking.length === 0) return { what: "code", state: "holds", says };
  const get = [
    ...(python ? [] : ["python3 for python"]),
    ...(javascript ? [] : ["node for javascript"]),
    ...(typescript ? [] : ["node 22.18, tsx, deno or bun for typescript"]),
  ];
  return {
    what: "code",
    state: "partly",
    says: `${says}; not ${lacking.join(", ")}`,
    get: `install, so that it is on the PATH: ${get.join("; ")}`,
  };
}
