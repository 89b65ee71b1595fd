import { realPlace } from "./config/files.ts";
import { type LoadedConfig, type LoadOptions, loadConfig } from "./config/load.ts";
import { ConfigError, OPTIONS } from "./config/problem.ts";
import { type Holding, holdingsOf, type Settings } from "./config/settings.ts";
import { acceptedScripts, trust } from "./config/trust.ts";
import type { Finding } from "./core/words/finding.ts";
import { type OpenOptions, settingsFor } from "./open.ts";
import { serverFindings } from "./other-servers.ts";
import { dialects, isTaken, toolsets, unknownTools } from "./parts.ts";
import { hookNotes, hookScripts } from "./sources/hooks/written.ts";
import { codeOfServers } from "./sources/mcp/server-code.ts";
import { syntaxFinding } from "./sources/syntax-checks.ts";
import { nearest } from "./text/nearest.ts";
import { programsFor, workspaceAt } from "./workspace-at.ts";
import { codeFinding } from "./workspaces/languages.ts";
import { confinementFinding, isFolder } from "./workspaces/machine.ts";
import { pagesFinding, sandboxFinding, searchFinding } from "./workspaces/machine-findings.ts";

const PAGE_TOOLS: readonly string[] = ["web", "all", "browser", "capture_screenshot"];

/** What is enforced on this machine, what is missing, and how to get it. */
export async function diagnose(options: OpenOptions & { workspace: string }): Promise<Finding[]> {
  const { settings, notes } = await settingsFor(options.workspace, options);
  const workspace = workspaceAt(options.workspace, settings);
  try {
    const servers = await serverFindings(settings, workspace);
    const configuration = notes.map((says): Finding => ({ what: "configuration", state: "partly", says }));
    const programs = programsFor(workspace, settings);
    const commandsHere = programs ? [await sandboxFinding(workspace, settings.commands), codeFinding(programs)] : [];
    const wanted = [settings.toolset].flat().some((name) => PAGE_TOOLS.includes(name));
    const pages = await pagesFinding({ ...settings.commands, wanted });
    return [
      confinementFinding(),
      await searchFinding(workspace),
      syntaxFinding(),
      ...commandsHere,
      pages,
      ...servers,
      ...configuration,
    ];
  } finally {
    await workspace.close();
  }
}

export { type ListedServer, listServers, logInTo, logOutOf } from "./other-servers.ts";

/** For doors that read the configuration without a gate. */
export const readConfig = loadConfig;
export const trustConfig = trust;

/** The code that hooks and servers of the workspace's own files would run, and what of it a person has not accepted. */
export async function scriptsToTrust(options: LoadOptions) {
  const { settings } = await loadConfig({ ...options, asTrusted: true });
  const root = realPlace(options.workspace);
  const scripts = { ...(await hookScripts(settings.hooks, root)), ...(await codeOfServers(settings.servers, root)) };
  const accepted = await acceptedScripts(options.userFolder);
  return { scripts, changed: Object.keys(scripts).filter((name) => accepted[name] !== scripts[name]) };
}
export const configSchema = async () => (await import("./config/schema.ts")).configJsonSchema();

/** The configuration in effect, by the keys that people write. Also rejects what would make a gate fail to open. */
export async function checkConfig(options: LoadOptions): Promise<LoadedConfig & { holds: Holding[] }> {
  const loaded = await loadConfig(options);
  // includes what counts only once the file is trusted
  const { settings, origins } = await loadConfig({ ...options, asTrusted: true });
  const wrong: [to: string, message: string][] = [
    ...unknownTools(settings).map((message): [string, string] => ["toolset", message]),
    ...unknownDialect(settings.dialect).map((message): [string, string] => ["dialect", message]),
    ...settings.workspace.allowedPaths
      .filter((folder) => !isFolder(folder))
      .map((folder): [string, string] => [
        "workspace.allowedPaths",
        `workspace.allowed_paths: there is no folder ${folder}`,
      ]),
  ];
  if (wrong.length > 0)
    throw new ConfigError(wrong.map(([to, message]) => ({ source: origins[to] ?? OPTIONS, message })));
  const notes = [
    ...loaded.notes,
    ...ruleNotes(settings),
    ...(await hookNotes(loaded.settings.hooks, realPlace(options.workspace))),
  ];
  return { ...loaded, notes, holds: holdingsOf(loaded.settings) };
}

/** A rule for a tool that does not exist decides nothing, unless another server or a program brings the tool. */
function ruleNotes(settings: Settings): string[] {
  const sets = toolsets(settings, undefined);
  const names = (sets.all ?? []).map(({ name }) => name);
  return Object.values(settings.rules)
    .flat()
    .flatMap(({ kind, statement: { subject, text } }) => {
      if (!("tool" in subject) || subject.tool.includes("*") || isTaken(subject.tool, sets)) return [];
      const [near] = nearest(subject.tool, names, 1);
      const meant = near ? `did you mean ${near}?` : "it applies only if another server or your program provides one.";
      return [`rules.${kind}: "${text}": there is no built-in tool ${subject.tool}; ${meant}`];
    });
}

function unknownDialect(name: string): string[] {
  const names = ["auto", ...Object.keys(dialects)];
  if (names.includes(name)) return [];
  const [near] = nearest(name, names, 1);
  return [`dialect: there is no dialect ${name}; ${near ? `did you mean ${near}?` : `there are ${names.join(", ")}`}`];
}
