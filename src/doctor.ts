import { type LoadedConfig, type LoadOptions, loadConfig } from "./config/load.ts";
import { PRESETS } from "./config/presets.ts";
import { ConfigError, OPTIONS } from "./config/problem.ts";
import { type Holding, holdingsOf } from "./config/settings.ts";
import { trust } from "./config/trust.ts";
import type { Finding } from "./core/words/finding.ts";
import { type OpenOptions, programsFor, settingsFor, workspaceAt } from "./open.ts";
import { dialects, unknownTools } from "./parts.ts";
import type { Minimised, Recorded } from "./rules/minimise.ts";
import type { Rule, RuleKind, WrittenRule } from "./rules/rule.ts";
import { syntaxFinding } from "./sources/syntax.ts";
import { nearest } from "./text/nearest.ts";
import { sandboxFinding, searchFinding } from "./workspaces/findings.ts";
import { codeFinding } from "./workspaces/languages.ts";
import { confinementFinding, isFolder, machineClock } from "./workspaces/machine.ts";

/** What is enforced on this machine, what is missing, how to get it. */
export async function diagnose(options: OpenOptions & { workspace: string }): Promise<Finding[]> {
  const { settings, notes } = await settingsFor(options.workspace, options);
  const workspace = workspaceAt(options.workspace, settings);
  try {
    const configuration = notes.map((says): Finding => ({ what: "configuration", state: "partly", says }));
    const programs = programsFor(workspace, settings);
    const commandsHere = programs ? [await sandboxFinding(workspace, settings.commands), codeFinding(programs)] : [];
    return [confinementFinding(), await searchFinding(workspace), syntaxFinding(), ...commandsHere, ...configuration];
  } finally {
    await workspace.close();
  }
}

/** For doors that look at the configuration without a gate. */
export const readConfig = loadConfig;
export const trustConfig = trust;
export const configSchema = async () => (await import("./config/schema.ts")).configJsonSchema();

/** The configuration as it holds, by the keys that people write. Rejects for what a gate would stumble over, too. */
export async function checkConfig(options: LoadOptions): Promise<LoadedConfig & { holds: Holding[] }> {
  const loaded = await loadConfig(options);
  // also what counts only once the file is trusted
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
  return { ...loaded, holds: holdingsOf(loaded.settings) };
}

function unknownDialect(name: string): string[] {
  const names = Object.keys(dialects);
  if (names.includes(name)) return [];
  const [near] = nearest(name, names, 1);
  return [`dialect: there is no dialect ${name}; ${near ? `did you mean ${near}?` : `there are ${names.join(", ")}`}`];
}

export const presets: readonly string[] = PRESETS;

/** A configuration to start from, and the project's own commands that were found. */
export async function initialConfig(preset: string, folder: string) {
  const commands = await (await import("./sources/project.ts")).commandsOfProject(folder);
  const { initialConfig: write } = await import("./config/presets.ts");
  const { configTemplate } = await import("./config/template.ts");
  return { text: `${write(preset as (typeof PRESETS)[number], commands)}\n${configTemplate()}`, commands };
}

/** Whose settings can be imported. */
export const clients = async () => (await import("./sources/permissions/clients.ts")).CLIENT_NAMES;

/** Another client's permission settings as rules, and as text for toolgate.yaml. */
export async function importedRules(client: string, folder: string, home: string) {
  const { importFrom } = await import("./sources/permissions/clients.ts");
  const { allow, ask, deny, leftOver, files } = await importFrom(client, folder, home);
  return { allow, ask, deny, leftOver, files, text: await rulesAsText({ allow, ask, deny }) };
}

async function rulesAsText(rules: Readonly<Record<RuleKind, readonly WrittenRule[]>>): Promise<string> {
  const { stringify } = await import("yaml");
  const some = Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0));
  return Object.keys(some).length > 0 ? stringify({ rules: some }, { lineWidth: 0 }) : "rules: {}\n";
}

/** The rules that hold in a folder, and what can be asked about them. */
export async function ruleBook(options: Parameters<typeof loadConfig>[0]) {
  const { settings } = await loadConfig(options);
  const { minimise, rulesAbout } = await import("./rules/minimise.ts");
  const all = [...settings.rules.deny, ...settings.rules.ask, ...settings.rules.allow];
  return {
    shown: all.map(shownRule),
    examples: all.reduce((sum, { written }) => sum + examplesOf(written), 0),
    about: ({ tool, touches }: Recorded) =>
      rulesAbout(all, { tool: { name: tool }, touches }, machineClock.now()).map(shownRule),
    smaller: (history: readonly Recorded[]) => smallerBook(minimise(all, history)),
  };
}

const examplesOf = (written: WrittenRule): number =>
  typeof written === "string" ? 0 : (written.match?.length ?? 0) + (written.not_match?.length ?? 0);

const shownRule = ({ kind, statement, reason, written }: Rule) => ({
  kind,
  rule: statement.text,
  ...(reason && { reason }),
  ...(typeof written === "object" && written.expires && { expires: written.expires }),
});

async function smallerBook({ kept, dropped }: Minimised) {
  const of = (kind: RuleKind) => kept.filter((rule) => rule.kind === kind).map(({ written }) => written);
  return {
    kept: kept.map(shownRule),
    dropped: dropped.map(({ rule, why }) => ({ ...shownRule(rule), why })),
    text: await rulesAsText({ allow: of("allow"), ask: of("ask"), deny: of("deny") }),
  };
}
