import { loadConfig } from "./config/load.ts";
import { trust } from "./config/trust.ts";
import type { Finding } from "./core/words/finding.ts";
import { type OpenOptions, programsFor, settingsFor, workspaceAt } from "./open.ts";
import { syntaxFinding } from "./sources/syntax.ts";
import { sandboxFinding, searchFinding } from "./workspaces/findings.ts";
import { codeFinding } from "./workspaces/languages.ts";
import { confinementFinding } from "./workspaces/machine.ts";

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
export const checkConfig = loadConfig;
export const trustConfig = trust;
export const configSchema = async () => (await import("./config/schema.ts")).configJsonSchema();
