import { userConfigPlaces } from "./config/files.ts";
import type { Settings } from "./config/settings.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import { STATE_FOLDER } from "./core/words/governing.ts";
import { keptFiles } from "./rules/denied-files.ts";
import { plainPaths } from "./text/glob.ts";
import { withSearchKey } from "./tools/web-search.ts";
import { type CodePrograms, codePrograms } from "./workspaces/languages.ts";
import { breath } from "./workspaces/lib/breath.ts";
import type { Lookup } from "./workspaces/lib/net/dial.ts";
import { type Covers, coversOf, type GuardedFiles } from "./workspaces/lib/process/guard-mounts.ts";
import { localWorkspace } from "./workspaces/local.ts";
import { home, machineClock } from "./workspaces/machine.ts";
import { localNetwork } from "./workspaces/network.ts";
import { localPages } from "./workspaces/pages.ts";
import { localProcesses } from "./workspaces/processes.ts";

/** What the sandbox keeps from commands: the same files that policies judge them by. */
function guardsOf(
  { workspace: { forbiddenPaths }, guardrails, rules: { deny } }: Settings,
  scripts: readonly string[],
  storeFiles: readonly string[],
): GuardedFiles {
  const { hidden, fixed, outside } = keptFiles(deny, { home, now: machineClock.now });
  const unseen = [...guardrails.sensitiveFiles, ...forbiddenPaths];
  const { protectedFiles } = guardrails;
  return {
    hidden: [...(unseen.length > 0 ? [coversOf(unseen)] : []), ...only(storeFiles), ...hidden],
    fixed: [...(protectedFiles.length > 0 ? [coversOf(protectedFiles)] : []), ...only(scripts), ...fixed],
    outside: [...plainPaths(unseen), ...outside],
  };
}

const only = (files: readonly string[]): Covers[] =>
  files.length > 0 ? [(file) => (files.includes(file) ? "whole" : undefined)] : [];

/** `shown`: folders outside the workspace that commands may read. */
type Around = {
  scripts?: readonly string[];
  storeFiles?: readonly string[];
  shown?: readonly string[];
  lookup?: Lookup | undefined;
};

/** Files, search, commands, network and pages of one folder on this machine. */
export function workspaceAt(folder: string, settings: Settings, around: Around = {}): Workspace {
  const { scripts = [], storeFiles = [], shown = [], lookup } = around;
  const { workspace, commands } = settings;
  const local = localWorkspace({ root: folder, roots: workspace.allowedPaths });
  const state = `${local.roots[0]}/${STATE_FOLDER}`;
  const { roots } = local;
  const processes = localProcesses({
    ...{ ...commands, roots, state, shown, personal: userConfigPlaces() },
    guarded: guardsOf(settings, scripts, storeFiles),
  });
  const close = async () => {
    await Promise.all([processes.close(), pages.close()]);
    await local.close();
  };
  // a call may name very many files, so this yields now and then
  const locate = (path: string, itself?: boolean) =>
    breath()?.then(() => local.locate(path, itself)) ?? local.locate(path, itself);
  const secrets = withSearchKey(settings.web.secrets, settings.web.search);
  const network = localNetwork({ ...settings.web, secrets, ...(lookup && { lookup }) });
  const pages = localPages({ dial: network.dial, sandbox: commands.sandbox });
  return { ...local, locate, processes, network, pages, close };
}

export const programsFor = ({ roots }: Workspace, { commands: settings }: Settings): CodePrograms | undefined =>
  settings.enabled ? codePrograms(roots, settings) : undefined;
