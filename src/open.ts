import { argumentsWith } from "./arguments/arguments.ts";
import { userConfigPlaces } from "./config/files.ts";
import { guardOf } from "./config/guard.ts";
import { type LoadedConfig, loadConfig } from "./config/load.ts";
import { checkOptions } from "./config/options.ts";
import { ConfigError, OPTIONS } from "./config/problem.ts";
import { sealFor } from "./config/seal.ts";
import type { Settings } from "./config/settings.ts";
import type { Approver } from "./core/contracts/approval.ts";
import type { Store } from "./core/contracts/store.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import { Gate } from "./core/gate.ts";
import { SessionFacts } from "./core/journey/facts.ts";
import type { Life } from "./core/journey/life.ts";
import { Recorder } from "./core/journey/recorder.ts";
import type { Parts } from "./core/journey/trip.ts";
import { Listeners } from "./core/listeners.ts";
import { Registry } from "./core/registry.ts";
import { type Autonomy, type Ceiling, type Mode, Purse } from "./core/words/ceiling.ts";
import { ToolFailure } from "./core/words/result.ts";
import type { PlainTool, Tool } from "./core/words/tool.ts";
import { dialects, policies, steps, toolsets } from "./parts.ts";
import { CONFIGURATION } from "./policies/protection.ts";
import { fillIn, readDescription } from "./sources/descriptions.ts";
import { compileJsonSchema } from "./sources/json-schema.ts";
import { cleanRecord } from "./stores/clean-record.ts";
import { memoryStore } from "./stores/memory.ts";
import { sqliteStore } from "./stores/sqlite.ts";
import { changeDiff } from "./text/change-diff.ts";
import { nearest } from "./text/nearest.ts";
import { redact } from "./text/redact.ts";
import { trimOutput } from "./text/trim.ts";
import { CommandAnomalies } from "./workspaces/anomalies.ts";
import { guarded } from "./workspaces/guarded.ts";
import { type CodePrograms, codePrograms } from "./workspaces/languages.ts";
import { localWorkspace } from "./workspaces/local.ts";
import { equalBytes, machineClock, newID, sha256 } from "./workspaces/machine.ts";
import { overlay } from "./workspaces/overlay.ts";
import { localProcesses } from "./workspaces/processes.ts";
import { keptOutputs, stateFolder } from "./workspaces/state.ts";

const OUTPUT_BUDGET = { bytes: 64 * 1024, lines: 2_500 };

export type OpenOptions = {
  /** A folder, or a workspace of your own. */
  workspace?: string | Workspace;
  mode?: Mode;
  autonomy?: Autonomy;
  /** A file, or its content. */
  config?: string | object;
  toolset?: string | readonly string[];
  tools?: readonly (Tool | PlainTool)[];
  resolve?: NonNullable<Parts["resolve"]>;
  approve?: Approver;
  plan?: boolean;
  dryRun?: boolean;
  sandbox?: Settings["commands"]["sandbox"];
  /** Whether commands run at all, whatever the configuration says. */
  commands?: boolean;
  store?: "sqlite" | "memory" | Store;
};

/** Puts a gate together. A wrong configuration makes it reject. */
export async function open(options: OpenOptions = {}): Promise<Gate> {
  checkOptions(options);
  const folder =
    typeof options.workspace === "object" ? (options.workspace.roots[0] ?? ".") : (options.workspace ?? ".");
  const { settings } = await settingsFor(folder, options);
  const ceiling = ceilingOf(options, settings);
  const base = typeof options.workspace === "object" ? options.workspace : workspaceAt(folder, settings);
  const listeners = new Listeners();
  const registry = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    readDescription,
    fillIn: fillIn(folder),
    emit: (event) => listeners.emit(event),
  });
  // of another's workspace nobody can tell what runs there
  const programs = typeof options.workspace === "object" ? undefined : programsFor(base, settings);
  const sets = toolsets(settings, programs);
  await registerAll(registry, toolsOf(options.toolset ?? settings.toolset, sets), options.tools);
  const store = await storeOf(options.store ?? settings.store, base);
  const parts: Parts = {
    registry,
    store,
    recorder: new Recorder(store, machineClock, cleanRecord, (message) =>
      listeners.emit({ type: "unrecorded", message }),
    ),
    anomalies: new CommandAnomalies(machineClock),
    policies: policies(settings, await guardOf(CONFIGURATION, base)),
    steps: steps(),
    guard: guarded,
    overlay,
    clock: machineClock,
    ids: newID,
    hash: sha256,
    equal: equalBytes,
    redact,
    diff: (changes) => changes.map(({ place, before, after }) => changeDiff(place.shown, before, after)).join(""),
    trim: (text, lines = OUTPUT_BUDGET.lines) => trimOutput(text, { ...OUTPUT_BUDGET, lines }),
    ...(typeof options.workspace !== "object" && { keep: keptOutputs(base.roots[0] ?? folder) }),
    nearest,
    emit: (event) => listeners.emit(event),
    heard: () => listeners.any,
    ...(options.approve && { approve: options.approve }),
    ...(options.resolve && { resolve: options.resolve }),
  };
  const workspace = ceiling.plan || ceiling.dryRun ? overlay(base) : base;
  const station = {
    parts,
    workspace,
    facts: new SessionFacts(ceiling),
    purse: new Purse(settings.budget),
    sessionID: `session_${newID()}`,
    agent: "main",
    ancestors: [],
    lives: [new Set<Life>()],
  };
  return new Gate(station, {
    listeners,
    dialects,
    dialect: settings.dialect,
    shut: () => shut(options, store, workspace, settings),
  });
}

/** The configuration, and over it what was said to open() itself. */
export async function settingsFor(
  workspace: string,
  { config, sandbox, commands: run }: OpenOptions,
): Promise<LoadedConfig> {
  const loaded = await loadConfig({ workspace, ...(config !== undefined && { config }) });
  const { settings } = loaded;
  const said = { ...(sandbox && { sandbox }), ...(run !== undefined && { enabled: run }) };
  return { ...loaded, settings: { ...settings, commands: { ...settings.commands, ...said } } };
}

/** Files, search and commands of one folder on this machine. */
export function workspaceAt(folder: string, { workspace, commands: settings }: Settings): Workspace {
  const local = localWorkspace({ root: folder, roots: workspace.allowedPaths });
  const state = `${local.roots[0]}/.toolgate`;
  const processes = localProcesses({ ...settings, roots: local.roots, state, personal: userConfigPlaces() });
  const close = async () => {
    await processes.close();
    await local.close();
  };
  return { ...local, processes, close };
}

function ceilingOf(options: OpenOptions, settings: Settings): Ceiling {
  const autonomy = options.autonomy ?? settings.autonomy;
  return {
    mode: options.mode ?? settings.mode,
    ...(autonomy && { autonomy }),
    ...(options.plan && { plan: true }),
    ...(options.dryRun && { dryRun: true }),
  };
}

export const programsFor = ({ roots }: Workspace, { commands: settings }: Settings): CodePrograms | undefined =>
  settings.enabled ? codePrograms(roots, settings) : undefined;

type Toolsets = ReturnType<typeof toolsets>;

/** What is brought along may take the place of what is built in. */
async function registerAll(registry: Registry, builtIn: readonly Tool[], brought: OpenOptions["tools"] = []) {
  for (const tool of builtIn) await registry.register(tool);
  for (const tool of brought) await registry.register(tool, { override: true });
}

/** Names of toolsets and of tools, by any alias. */
function toolsOf(wanted: string | readonly string[], sets: Toolsets): Tool[] {
  const found = new Set<Tool>();
  const all = sets.all ?? [];
  for (const name of typeof wanted === "string" ? [wanted] : wanted) {
    const tools = (Object.hasOwn(sets, name) && sets[name]) || all.filter((tool) => answersTo(tool, name));
    if (tools.length === 0 && !Object.hasOwn(sets, name)) {
      const near = nearest(name, [...Object.keys(sets), ...all.map((tool) => tool.name)]);
      const instead =
        near.length > 0 ? `did you mean ${near.join(" or ")}?` : `the toolsets are ${Object.keys(sets).join(", ")}`;
      const message = `toolset: there is no toolset and no tool named ${name}; ${instead}`;
      throw new ConfigError([{ source: OPTIONS, message }]);
    }
    for (const tool of tools) found.add(tool);
  }
  return [...found];
}

const answersTo = ({ name, definition }: Tool, wanted: string): boolean =>
  name === wanted ||
  (typeof definition === "object" &&
    (definition.aliases?.names ?? []).some((alias) => (typeof alias === "string" ? alias : alias.name) === wanted));

async function storeOf(store: NonNullable<OpenOptions["store"]>, workspace: Workspace): Promise<Store> {
  if (typeof store === "object") return store;
  if (store === "memory") return memoryStore();
  const root = workspace.roots[0] ?? ".";
  try {
    return await sqliteStore(`${stateFolder(root)}/store.db`, sealFor(root));
  } catch (error) {
    if (error instanceof ToolFailure) throw new ToolFailure("CONFIG_ERROR", error.message, error.hint);
    throw new ToolFailure(
      "CONFIG_ERROR",
      `The record cannot be kept in ${root}/.toolgate (${(error as { code?: string }).code ?? error}).`,
      "Make the folder writable, or keep none: store: memory, in your own configuration or a file given by --config.",
    );
  }
}

/** For doors that look at the record without a gate. */
export const openStore = (folder: string): Promise<Store> =>
  sqliteStore(`${folder}/.toolgate/store.db`, sealFor(folder));

/** What was given to open() is its owner's to close. */
async function shut(options: OpenOptions, store: Store, workspace: Workspace, { journal }: Settings): Promise<void> {
  if (typeof options.store !== "object") {
    await store.tidy({ maxAgeMs: journal.maxAge, maxBytes: journal.maxSize, now: machineClock.now() }).catch(() => {});
    await store.close();
  }
  if (typeof options.workspace !== "object") await workspace.close();
}
