import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { ServerSetting, ServerSettings } from "../../core/contracts/servers.ts";
import type { CodeFile } from "../../core/words/code.ts";
import { filledIn } from "./filled-variables.ts";

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Variables that decide which code runs. A workspace's own server must not set them: nobody could review that code. */
const STEERING =
  /^(?:PATH|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|NODE_OPTIONS|NODE_PATH|(?:LD|DYLD|GIT|UV|PIP|npm_config)_\w*|(?:PYTHON|PERL5|RUBY)\w*|\w*JAVA\w*OPTIONS)$/i;

/** The server's start as a command line, so that it is analysed like any other. */
function lineOf({ command, args, env, cwd }: ServerSetting): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(asStarted(value))}`);
  const line = [...settings, ...[command, ...args].map(asStarted).map(quoted)].join(" ");
  return cwd === undefined ? line : `cd ${quoted(asStarted(cwd))} && ${line}`;
}

/** Fills in variables. If one is not set, the server will not start anyway. */
function asStarted(text: string): string {
  try {
    return filledIn(text, process.env);
  } catch {
    return text;
  }
}

/** The hashes of the workspace's files that decide what a server runs. */
async function serverCode(setting: ServerSetting, root: string): Promise<Record<string, string>> {
  if (setting.type !== "stdio" || !setting.enabled) return {};
  const { hashesOf } = await import("../hooks/scripts.ts");
  return hashesOf(await codeOf(lineOf(setting), root, new Set()), root);
}

/** Also follows the scripts of a package.json that it calls by name (npm start), and those that they call. */
async function codeOf(line: string, root: string, called: Set<string>): Promise<readonly CodeFile[]> {
  const { codeFilesOf } = await import("../hooks/scripts.ts");
  const files = [...(await codeFilesOf(line, root))];
  const words = line.split(/[\s'"]+/);
  for (const { target } of [...files]) {
    if (basename(target) !== "package.json") continue;
    for (const [name, script] of Object.entries(scriptsIn(target))) {
      // npm runs prestart and poststart with start
      const isCalled = [name, name.replace(/^(?:pre|post)/, "")].some((each) => words.includes(each));
      const key = `${target}#${name}`;
      if (!isCalled || called.has(key) || typeof script !== "string") continue;
      called.add(key);
      files.push(...(await codeOf(`cd ${quoted(dirname(target))} && ${script}`, root, called)));
    }
  }
  return files;
}

function scriptsIn(file: string): Record<string, unknown> {
  try {
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: Record<string, unknown> };
    return scripts ?? {};
  } catch {
    return {};
  }
}

export async function codeOfServers(servers: ServerSettings, root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const setting of Object.values(servers)) Object.assign(found, await serverCode(setting, root));
  return found;
}

/** Why the workspace's own server may not be started: its code differs from what a person accepted. */
export async function whyNotStarted(setting: ServerSetting, root: string): Promise<string | undefined> {
  if (!setting.accepted || setting.type !== "stdio") return undefined;
  const steering = Object.keys(setting.env).find((name) => STEERING.test(name));
  if (steering)
    return `its configuration sets ${steering}, which decides what code runs; put it into your own configuration`;
  const { changedScript, notAccepted } = await import("../hooks/scripts.ts");
  const changed = changedScript(setting.accepted, await serverCode(setting, root));
  return changed === undefined ? undefined : notAccepted(changed, root);
}
