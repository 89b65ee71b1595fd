import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { ScriptHook } from "../../core/contracts/hook.ts";
import type { CodeFile } from "../../core/words/code.ts";
import { isWithin } from "../../core/words/containment.ts";
import { loadsOf } from "./loads.ts";
import { withFile } from "./placeholder.ts";

const MOST_HASHED = 16 << 20;

/** Variables that every hook has, wherever it runs. */
const variablesIn = (root: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_PROJECT_DIR"],
      ...["TOOLGATE_WORKSPACE", "ARCHITECT_WORKSPACE", "PWD"],
    ].map((name) => [name, root]),
  );

/** Which file a hook is given does not decide what it runs. */
const runs = (command: string): string => {
  const made = withFile(command.replaceAll("{file}", "/dev/null"));
  return "command" in made ? made.command : command;
};

/** The files that decide what a command runs, and those that they load by name, whether they exist or not. */
export async function codeFilesOf(command: string, root: string): Promise<readonly CodeFile[]> {
  const { codeIn } = await import("../../shell/analyse.ts");
  const { files } = codeIn(runs(command), { home: homedir(), env: variablesIn(root) });
  const named = files.map(({ target, ...part }) => ({ target: resolve(root, target), ...part }));
  const loaded = named
    .filter(({ target }) => boundAs(target, root) !== undefined)
    .flatMap(({ target }) => loadsOf(target, root));
  return [...named, ...[...new Set(loaded)].map((target) => ({ target }))];
}

/** The current hashes of those in the workspace. A link in it counts with its target, wherever that is. */
export function hashesOf(files: readonly CodeFile[], root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { target, part } of files) {
    const name = boundAs(target, root);
    if (name !== undefined) found[part === undefined ? name : `${name}#${part}`] ??= hashOf(target, part);
  }
  return found;
}

function boundAs(target: string, root: string): string | undefined {
  const real = realFile(target);
  if (real === undefined) return undefined;
  return isWithin(target, root) ? target : isWithin(real, root) ? real : undefined;
}

function realFile(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(file: string, part: string | undefined): string {
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  if (size > MOST_HASHED) return `stamp ${size} ${mtimeMs} ${ctimeMs} ${ino}`;
  const bytes = readFileSync(file);
  return createHash("sha256")
    .update(part === undefined ? bytes : partOf(bytes, part))
    .digest("hex");
}

function partOf(bytes: Buffer, part: string): Buffer | string {
  try {
    return JSON.stringify((JSON.parse(bytes.toString("utf8")) as Record<string, unknown>)[part] ?? null);
  } catch {
    return bytes;
  }
}

/** The first file that differs from what was accepted. */
export const changedScript = (
  accepted: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string | undefined => Object.keys(now).find((name) => accepted[name] !== now[name]);

export const notAccepted = (file: string, root: string): string =>
  `${file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file} has changed since it was accepted; look at it, then run: toolgate config trust`;

/** Programs that run the file that they are given. */
const INTERPRETERS = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php|lua|deno|bun)$/;

/** Why a hook cannot be started, as far as that can be determined without starting it. */
export async function whyNotStarted(
  { command }: Pick<ScriptHook, "command">,
  root: string,
): Promise<string | undefined> {
  const made = withFile(command);
  if ("problem" in made) return made.problem;
  const { analyse } = await import("../../shell/analyse.ts");
  const { segments, parsed } = analyse(made.command, { home: homedir(), env: variablesIn(root) });
  if (!parsed) return "the command is not valid shell";
  const [first] = segments;
  const [program, ...words] = first?.words ?? [];
  // a later command may run in another folder, and an unknown word cannot be checked
  if (typeof program !== "string") return undefined;
  if (program.includes("/")) return problemOf(resolve(root, program), true);
  const name = program;
  if (!onPath(name) && !isBuiltIn(name)) return `there is no program ${name} on the PATH`;
  const script = words.find((word) => typeof word !== "string" || !word.startsWith("-"));
  if (!INTERPRETERS.test(name) || typeof script !== "string" || words[0] !== script) return undefined;
  return problemOf(resolve(root, script), false);
}

function problemOf(file: string, isRun: boolean): string | undefined {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info) return `there is no file ${file}`;
  if (info.isDirectory()) return `${file} is a folder`;
  try {
    accessSync(file, isRun ? constants.X_OK : constants.R_OK);
    return undefined;
  } catch {
    return isRun ? `${file} may not be run; try: chmod +x ${file}` : `${file} cannot be read`;
  }
}

const BUILT_IN =
  "alias break builtin cd command continue declare echo eval exec exit export false getopts hash let local printf pwd read readonly return set shift source . : test [ [[ trap true type typeset ulimit umask unset wait".split(
    " ",
  );
const isBuiltIn = (name: string): boolean => BUILT_IN.includes(name);

function onPath(name: string): boolean {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .some((folder) => problemOf(join(folder, name), true) === undefined);
}
