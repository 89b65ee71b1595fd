import { constants, lstatSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ServerSettings } from "../core/contracts/servers.ts";
import { isWithin } from "../core/words/containment.ts";
import { CONFIG_FILE } from "../core/words/governing.ts";
import type { Checked } from "./check.ts";
import { isMissing, readRegularFile, realPlace, userConfigFolder } from "./files.ts";
import { ConfigError, type Problem, shown } from "./problem.ts";
import {
  type Config,
  DEFAULTS,
  type LeftOut,
  overlay,
  type Settings,
  settingsOf,
  type Wish,
  wishesOf,
} from "./settings.ts";
import { acceptedScripts, isTrusted } from "./trust.ts";

/** "servers" is the file in which other clients list their servers. */
export type Source = { file: string; kind: "user" | "workspace" | "given" | "servers"; trusted: boolean };
/** `origins` tells which file set a setting, by its path in the settings. */
export type LoadedConfig = {
  settings: Settings;
  sources: Source[];
  notes: string[];
  origins: Readonly<Record<string, string>>;
};

/** `config` is a file or an object that a person named; it replaces the workspace's own file. */
export type LoadOptions = {
  workspace: string;
  config?: string | object;
  userFolder?: string;
  /** Reads all that the workspace's own file says, whether it is trusted or not. */
  asTrusted?: boolean;
};

type Read = { source: Source; config: Config };

const OBJECT = "the given object";
const SERVERS_FILE = ".mcp.json";
const SERVERS_KEY = "mcp_servers";

const fail = (source: string, message: string): never => {
  throw new ConfigError([{ source, message }]);
};

const reasonOf = (error: unknown): string => (error as Error).message;

/** Returns undefined if there is no such file. */
async function bytesOf(file: string, flags = 0): Promise<Uint8Array | undefined> {
  try {
    return await readRegularFile(file, flags);
  } catch (error) {
    return fail(file, `it cannot be read: ${reasonOf(error)}`);
  }
}

async function parse(bytes: Uint8Array, file: string): Promise<Config> {
  // the parser costs more than everything else here, so it is loaded only if there is a file
  const { parseConfig } = await import("./parse.ts");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fail(file, "it is not UTF-8 text");
  }
  return accepted(parseConfig(text, file), file);
}

/** The checked configuration. Throws if the examples of its rules do not hold. */
async function accepted(checked: Checked, source: string): Promise<Config> {
  if ("problems" in checked) throw new ConfigError(checked.problems);
  const { config, locate } = checked;
  if (config.rules === undefined) return config;
  const { ruleProblems } = await import("../rules/examples.ts");
  const problems = ruleProblems(config.rules as Parameters<typeof ruleProblems>[0]).map(({ kind, index, message }) => ({
    source,
    ...locate(["rules", kind, index], "value"),
    message: `rules.${kind}: ${message}`,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

async function readUser(userFolder: string): Promise<Read | undefined> {
  const file = join(userFolder, CONFIG_FILE);
  const bytes = await bytesOf(file);
  return bytes && { source: { file, kind: "user", trusted: true }, config: await parse(bytes, file) };
}

async function readGiven(config: string | object): Promise<Read> {
  if (typeof config === "string") {
    const file = resolve(config);
    const bytes = (await bytesOf(file)) ?? fail(file, "there is no such file");
    return { source: { file, kind: "given", trusted: true }, config: await parse(bytes, file) };
  }
  const { check } = await import("./check.ts");
  return {
    source: { file: OBJECT, kind: "given", trusted: true },
    config: await accepted(check(config, OBJECT), OBJECT),
  };
}

/** The real path of the workspace's own file. A link out of the workspace is an error, not silently ignored. */
function ownFile(workspace: string, name: string): string | undefined {
  const file = join(workspace, name);
  try {
    // a folder of that name is ignored: the sandbox makes one as a placeholder for a missing file
    const info = lstatSync(file, { throwIfNoEntry: false });
    if (!info || info.isDirectory()) return undefined;
  } catch (error) {
    return isMissing(error) ? undefined : fail(file, reasonOf(error));
  }
  const root = realpathSync.native(workspace);
  const real = realPathOf(file);
  if (!isWithin(real, root))
    return fail(file, "it leads out of the workspace; name the file it leads to as the configuration if you mean it");
  return real;
}

function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    return fail(file, reasonOf(error));
  }
}

async function readOwn(workspace: string, userFolder: string): Promise<Read | undefined> {
  const real = ownFile(workspace, CONFIG_FILE);
  if (real === undefined || real === realPlace(join(userFolder, CONFIG_FILE))) return undefined;
  const bytes = await bytesOf(real, constants.O_NOFOLLOW);
  if (!bytes) return undefined;
  const trusted = await isTrusted(real, bytes, userFolder);
  return { source: { file: real, kind: "workspace", trusted }, config: await parse(bytes, real) };
}

/** Everything that could be read. Reports the problems of all sources together. */
async function readAll(reads: readonly Promise<Read | undefined>[]): Promise<Read[]> {
  const settled = await Promise.allSettled(reads);
  const problems: Problem[] = [];
  const found: Read[] = [];
  for (const one of settled) {
    if (one.status === "fulfilled") found.push(...(one.value ? [one.value] : []));
    else if (one.reason instanceof ConfigError) problems.push(...one.reason.problems);
    else throw one.reason;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return found;
}

function noteOf(file: string, leftOut: readonly LeftOut[]): string {
  const list = leftOut.map(({ key, written }) => `${key}: ${shown(written)}`).join(", ");
  return `${file} is not trusted, so these settings are ignored: ${list}. ${TRUST_IT}`;
}

const TRUST_IT = "To trust it as it is now, run: toolgate config trust";

/** A workspace's own hooks and servers may run only scripts that a person has accepted. */
async function withAccepted(wishes: readonly Wish[], userFolder: string): Promise<readonly Wish[]> {
  const isHooks = ({ key, value }: Wish) => key.startsWith("hooks.") && Array.isArray(value);
  const isServers = ({ key }: Wish) => key === SERVERS_KEY;
  if (!wishes.some((wish) => isHooks(wish) || isServers(wish))) return wishes;
  const accepted = await acceptedScripts(userFolder);
  return wishes.map((wish) => {
    if (isHooks(wish)) return { ...wish, value: (wish.value as object[]).map((hook) => ({ ...hook, accepted })) };
    return isServers(wish) ? { ...wish, value: acceptedServers(wish.value as ServerSettings, accepted) } : wish;
  });
}

const acceptedServers = (servers: ServerSettings, accepted: Record<string, string>): ServerSettings =>
  Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, { ...server, accepted }]));

type Listed = { source?: Source; servers: ServerSettings; notes: string[] };

/** The servers that the workspace lists for other clients. Problems there are reported, but stop nothing. */
async function listedServers(workspace: string, userFolder: string, asTrusted: boolean): Promise<Listed> {
  try {
    const file = ownFile(workspace, SERVERS_FILE);
    const bytes = file === undefined ? undefined : await bytesOf(file, constants.O_NOFOLLOW);
    if (file === undefined || !bytes) return { servers: {}, notes: [] };
    const { serversIn } = await import("./servers-file.ts");
    const { servers, problems } = serversIn(new TextDecoder().decode(bytes), file);
    const trusted = await isTrusted(file, bytes, userFolder);
    const source: Source = { file, kind: "servers", trusted };
    const names = Object.keys(servers);
    if (trusted || asTrusted)
      return { source, servers: acceptedServers(servers, await acceptedScripts(userFolder)), notes: problems };
    return {
      source,
      servers: {},
      notes:
        names.length > 0
          ? [`${file} is not trusted, so its servers are not started: ${names.join(", ")}. ${TRUST_IT}`]
          : [],
    };
  } catch (error) {
    if (error instanceof ConfigError) return { servers: {}, notes: [error.message] };
    throw error;
  }
}

/** Combines all sources into the settings. Rejects with a `ConfigError` that lists every problem. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const workspace = resolve(options.workspace);
  const userFolder = resolve(options.userFolder ?? userConfigFolder());
  const { config } = options;
  const reads = await readAll([
    readUser(userFolder),
    config === undefined ? readOwn(workspace, userFolder) : readGiven(config),
  ]);
  const notes: string[] = [];
  const origins: Record<string, string> = {};
  let values = DEFAULTS;
  for (const { source, config: written } of reads) {
    const read = wishesOf(written, workspace);
    const wishes = source.kind === "workspace" ? await withAccepted(read, userFolder) : read;
    const laid = overlay(values, wishes, source.trusted || options.asTrusted === true);
    for (const { row } of wishes) origins[row.to] = source.file;
    const named = source.trusted || options.asTrusted ? wishes.find(({ key }) => key === SERVERS_KEY) : undefined;
    for (const name of Object.keys(named?.value ?? {})) origins[`servers.${name}`] = source.file;
    values = laid.values;
    if (laid.leftOut.length > 0) notes.push(noteOf(source.file, laid.leftOut));
  }
  const listed = await listedServers(workspace, userFolder, options.asTrusted === true);
  const settings = settingsOf(values);
  for (const name of Object.keys(listed.servers)) origins[`servers.${name}`] ??= listed.source?.file ?? "";
  return {
    // our own configuration of a server takes precedence
    settings: { ...settings, servers: { ...listed.servers, ...settings.servers } },
    sources: [...reads.map(({ source }) => source), ...(listed.source ? [listed.source] : [])],
    notes: [...notes, ...listed.notes],
    origins,
  };
}
