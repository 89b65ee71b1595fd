import { stringify } from "yaml";
import { configTemplate } from "./config/config-template.ts";
import { type LoadOptions, loadConfig } from "./config/load.ts";
import { initialConfig, PRESETS, type Preset } from "./config/presets.ts";
import { type Minimised, minimise, type Recorded, rulesAbout } from "./rules/minimise.ts";
import type { Rule, RuleKind, WrittenRule } from "./rules/rule.ts";
import { CLIENT_NAMES, importFrom } from "./sources/permissions/imported-permissions.ts";
import { commandsOfProject } from "./sources/project.ts";
import { machineClock } from "./workspaces/machine.ts";

export const presets: readonly string[] = PRESETS;
/** Clients whose permission settings can be imported. */
export const clients = CLIENT_NAMES;

/** A configuration to start from, and the commands that were found in the project. */
export async function firstConfig(preset: string, folder: string) {
  const commands = await commandsOfProject(folder);
  return { text: `${initialConfig(preset as Preset, commands)}\n${configTemplate()}`, commands };
}

/** Another client's permission settings as rules, and as text for toolgate.yaml. */
export async function importedRules(client: string, folder: string, home: string) {
  const imported = await importFrom(client, folder, home);
  return { ...imported, text: asText(imported) };
}

function asText({ allow, ask, deny }: Readonly<Record<RuleKind, readonly WrittenRule[]>>): string {
  const rules = Object.fromEntries(Object.entries({ allow, ask, deny }).filter(([, list]) => list.length > 0));
  return stringify({ rules }, { lineWidth: 0 });
}

/** The rules that hold in a folder, and queries about them. */
export async function ruleBook(options: LoadOptions) {
  const { settings } = await loadConfig(options);
  const all = [...settings.rules.deny, ...settings.rules.ask, ...settings.rules.allow];
  return {
    shown: all.map(shownRule),
    examples: all.reduce((sum, { written }) => sum + examplesOf(written), 0),
    about: ({ tool, touches }: Recorded) =>
      rulesAbout(all, { tool: { name: tool }, touches }, machineClock.now()).map(shownRule),
    smaller: (history: readonly Recorded[]) => smallerBook(minimise(all, history, machineClock.now())),
  };
}

const examplesOf = (written: WrittenRule): number =>
  typeof written === "string" ? 0 : (written.match?.length ?? 0) + (written.not_match?.length ?? 0);

const shownRule = ({ kind, statement, reason, written, expires }: Rule) => ({
  kind,
  rule: statement.text,
  ...(reason && { reason }),
  ...(typeof written === "object" && written.expires && { expires: written.expires }),
  ...(expires !== undefined && expires < machineClock.now() && { expired: true }),
});

function smallerBook({ kept, dropped }: Minimised) {
  const of = (kind: RuleKind) => kept.filter((rule) => rule.kind === kind).map(({ written }) => written);
  return {
    kept: kept.map(shownRule),
    dropped: dropped.map(({ rule, why }) => ({ ...shownRule(rule), why })),
    text: asText({ allow: of("allow"), ask: of("ask"), deny: of("deny") }),
  };
}
