import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { outputOf } from "./child.ts";
import { walk } from "./file-walk.ts";
import { ripgrepEngine } from "./ripgrep.ts";
import type { Engine } from "./task.ts";

/** The time limit of our own regular expressions for one batch of texts. */
const DEADLINE_MS = 5_000;
const OLDEST_RIPGREP = 13;

const requireHere = createRequire(import.meta.url);

const isProgram = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
};

/** The ripgrep of the npm package. Required at run time, so that a bundler leaves it alone. */
async function ripgrepFromPackage(): Promise<Engine | undefined> {
  try {
    const { rgPath } = requireHere("@vscode/ripgrep") as { rgPath: string };
    return isProgram(rgPath) ? ripgrepEngine({ name: "ripgrep", path: rgPath, pcre2: true, isAlone: true }) : undefined;
  } catch {
    return undefined;
  }
}

/** A program on the PATH, except those inside the workspace. */
export function programOnPath(
  name: string,
  roots: readonly string[],
  given = process.env.PATH ?? "",
): string | undefined {
  for (const folder of given.split(path.delimiter)) {
    const file = path.join(folder, name);
    if (!path.isAbsolute(folder) || !isProgram(file)) continue;
    const real = fs.realpathSync(file);
    if (!isWithinAny(file, roots) && !isWithinAny(real, roots)) return real;
  }
  return undefined;
}

const told = async (program: string, args: string[]): Promise<string> => {
  try {
    const { code, output } = await outputOf({ path: program, args, cwd: "/" });
    return code === 0 ? output.toString("utf8") : "";
  } catch {
    return "";
  }
};

async function ripgrepOnPath(roots: readonly string[]): Promise<Engine | undefined> {
  const program = programOnPath("rg", roots);
  if (!program) return undefined;
  const version = await told(program, ["--no-config", "--version"]);
  if (Number(/^ripgrep (\d+)/.exec(version)?.[1] ?? 0) < OLDEST_RIPGREP) return undefined;
  return ripgrepEngine({ name: "rg", path: program, pcre2: version.includes("+pcre2") });
}

export const ownWalk = walk(DEADLINE_MS);

const MAKERS: Readonly<Record<string, (roots: readonly string[]) => Promise<Engine | undefined>>> = {
  ripgrep: ripgrepFromPackage,
  rg: ripgrepOnPath,
};
const made = new Map<string, Promise<Engine | undefined>>();

/** The search programs of this machine, best first. Each is looked up when its turn comes, once per process. */
export async function* enginesFor(roots: readonly string[]): AsyncGenerator<Engine> {
  for (const name of Object.keys(MAKERS)) {
    const engine = await engineNamed(name, roots);
    if (engine) yield engine;
  }
}

export function engineNamed(name: string, roots: readonly string[]): Promise<Engine | undefined> {
  const make = MAKERS[name];
  if (!make) return Promise.resolve(name === "walk" ? ownWalk : undefined);
  const key = [name, ...roots].join("\0");
  const known = made.get(key) ?? make(roots);
  made.set(key, known);
  return known;
}
