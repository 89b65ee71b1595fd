import { builtInAgents } from "./agents/lib/built-in.ts";
import { argumentsWith } from "./arguments/arguments.ts";
import { realPlace } from "./config/files.ts";
import { type LoadedConfig, loadConfig } from "./config/load.ts";
import { checkOptions } from "./config/options.ts";
import type { Settings } from "./config/settings.ts";
import { surroundingsOf } from "./config/surroundings.ts";
import type { Approver } from "./core/contracts/approval.ts";
import type { Hook } from "./core/contracts/hook.ts";
import { type AskPerson, peopleBehind } from "./core/contracts/people.ts";
import type { Policy } from "./core/contracts/policy.ts";
import type { Step } from "./core/contracts/step.ts";
import type { Store } from "./core/contracts/store/store.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import { Gate } from "./core/gate.ts";
import { GateFacts, Sessions } from "./core/journey/facts.ts";
import { Sitting } from "./core/journey/firing.ts";
import { addForgotten } from "./core/journey/forgotten.ts";
import type { Parts, Station } from "./core/journey/journey-parts.ts";
import type { Life } from "./core/journey/life.ts";
import { restricting } from "./core/journey/opinions.ts";
import { PlanSoFar } from "./core/journey/plan-so-far.ts";
import { Recorder } from "./core/journey/recorder.ts";
import { Roster } from "./core/journey/roster.ts";
import { Listeners } from "./core/listeners.ts";
import { Registry } from "./core/registry.ts";
import type { Autonomy, Ceiling, Mode } from "./core/words/ceiling.ts";
import type { PlainTool, Tool } from "./core/words/tool.ts";
import type { Crew, GivenModel } from "./crew.ts";
import { leftOut } from "./left-out.ts";
import { serversIn } from "./other-servers.ts";
import {
  dialectFor,
  dialects,
  finishing,
  ownCode,
  policies,
  routes,
  rulePolicies,
  scriptsIn,
  standingRules,
  steps,
  toolsets,
  toolsOf,
  unshown,
  webPolicies,
} from "./parts.ts";
import { fits } from "./shell/paths.ts";
import { foldersOf, registerSkills, skillNotes, skillsIn } from "./skills.ts";
import { writtenAgents } from "./sources/agent-limits.ts";
import { fillIn, readDescription } from "./sources/descriptions.ts";
import { hookNotes } from "./sources/hooks/written.ts";
import { pageReaders } from "./sources/page-readers.ts";
import { compileJsonSchema } from "./sources/schema-compiler.ts";
import { endParsers } from "./sources/syntax-checks.ts";
import { cleanRecord } from "./stores/clean-record.ts";
import { filesOf, personalTables, storeOf, tidied } from "./storing.ts";
import { changeDiff } from "./text/change-diff.ts";
import { globOfPath, splitGlob, withBelow } from "./text/glob-overlap.ts";
import { redact, redactDeep } from "./text/redact.ts";
import { suggest } from "./text/suggest.ts";
import { trimOutput } from "./text/trim.ts";
import { programsFor, workspaceAt } from "./workspace-at.ts";
import { CommandAnomalies } from "./workspaces/anomalies.ts";
import { gitPatch } from "./workspaces/git-patch.ts";
import { guarded } from "./workspaces/guarded.ts";
import { guardedNetwork } from "./workspaces/guarded-network.ts";
import type { Lookup } from "./workspaces/lib/net/dial.ts";
import { equalBytes, machineClock, newID, sha256 } from "./workspaces/machine.ts";
import { overlay } from "./workspaces/overlay.ts";
import { keptOutputs, keptPictures } from "./workspaces/state.ts";

const OUTPUT_BUDGET = { bytes: 64 * 1024, lines: 2_500 };

export { globsOverlap } from "./text/glob-overlap.ts";

export type OpenOptions = {
  /** A folder, or a workspace of your own. */
  workspace?: string | Workspace;
  mode?: Mode;
  autonomy?: Autonomy;
  /** A file, or its content. */
  config?: string | object;
  toolset?: string | readonly string[];
  /** In addition to the built-in tools. One that replaces a built-in tool must say so: `override: true`. */
  tools?: readonly (Tool | PlainTool)[];
  resolve?: NonNullable<Parts["resolve"]>;
  /** Asks a person; "queue" waits for an answer from another process. Absent: whatever needs a yes is refused. */
  approve?: Approver | "queue";
  /** Puts a tool's question to a person. Absent: a tool that asks is told that there is nobody. */
  ask?: AskPerson;
  /** Resolves a host name to all of its addresses, for web tools. Absent: the system does. */
  lookup?: Lookup;
  /** The model of agents that work is delegated to: one of the AI SDK, or one of your own. */
  model?: GivenModel;
  /** An earlier session to continue. Absent: a new one. */
  sessionID?: string;
  plan?: boolean;
  dryRun?: boolean;
  sandbox?: Settings["commands"]["sandbox"];
  /** Whether commands can be run at all, whatever the configuration says. */
  commands?: boolean;
  /** "sqlite", "memory", a URL such as sqlite:/path/to/store.db, or a store of your own. */
  store?: string | Store;
  /** Your own policies, after the built-in ones. They cannot make a verdict milder. */
  policies?: readonly Policy[];
  /** Your own steps, inside the built-in ones. */
  steps?: readonly Step[];
  /** Your own code around calls. */
  hooks?: readonly Hook[];
};

/** Opens a gate. Rejects if the configuration is wrong. */
export async function open(options: OpenOptions = {}): Promise<Gate> {
  checkOptions(options);
  return (await opened(options, await settingsFor(folderOf(options), options))).gate;
}

export const folderOf = ({ workspace = "." }: OpenOptions): string =>
  typeof workspace === "object" ? (workspace.roots[0] ?? ".") : workspace;

/** `crew`: the model in the loop, if there is a model. */
export type Opened = { gate: Gate; station: Station; crew?: Crew };

/** Opens a gate with this configuration. */
export async function opened(options: OpenOptions, { settings, notes }: LoadedConfig): Promise<Opened> {
  const folder = folderOf(options);
  const ceiling = ceilingOf(options, settings);
  const { model, dialect } = await modelFor(options, settings);
  const guards = await ownCode(settings, folder);
  const found = await skillsIn(folder, settings.skills);
  const storeFiles = filesOf(options.store ?? settings.store);
  const around = { scripts: guards, storeFiles, shown: foldersOf(found), lookup: options.lookup };
  const base = typeof options.workspace === "object" ? options.workspace : workspaceAt(folder, settings, around);
  const listeners = new Listeners(() => ({ id: newID(), at: machineClock.now() }));
  const registry = new Registry({
    arguments: argumentsWith(compileJsonSchema),
    readDescription,
    fillIn: fillIn(folder),
    emit: (event) => listeners.emit(event),
    routes,
  });
  // in a custom workspace nobody can tell which programs run
  const programs = typeof options.workspace === "object" ? undefined : programsFor(base, settings);
  const sets = toolsets(settings, programs, found.skills);
  const chosen = toolsOf(options.toolset ?? settings.toolset, sets);
  await registerAll(
    registry,
    chosen,
    options.tools,
    unshown(settings, {
      ...{ model: model !== undefined, person: options.ask !== undefined, skills: found.skills.length > 0 },
    }),
  );
  const left = await registerSkills(registry, settings, found, sets);
  const store = await storeOf(options.store ?? settings.store, settings.journal, base.roots[0]);
  const personal = personalTables(options.store ?? settings.store, store);
  const recorder = new Recorder(store, machineClock, cleanRecord, (message) =>
    listeners.emit({ type: "unrecorded", message }),
  );
  const sessions = new Sessions(store);
  const configured = Object.values(settings.agents);
  const told = { configured, dialect: dialects[dialect], prices: settings.prices };
  const crew = model && (await (await import("./crew.ts")).crewFor(folder, model, { registry, store, recorder }, told));
  const scripts = await scriptsIn(settings, base, registry);
  const servers = await serversIn(settings, base, registry);
  const agents = await writtenAgents(folder, registry, configured, builtInAgents);
  const parts: Parts = {
    registry,
    store,
    personal,
    recorder,
    sessions,
    anomalies: new CommandAnomalies(machineClock),
    rules: standingRules(base.roots),
    policies: [
      ...policies(settings, { ...(await surroundingsOf(base, settings)), scripts: guards, storeFiles }),
      ...(await rulePolicies(settings, base.roots)),
      ...(await webPolicies(settings, [...chosen, ...(options.tools ?? [])])),
      ...(options.policies ?? []).map(restricting),
    ],
    steps: [...steps(), ...(options.steps ?? [])],
    hooks: [...scripts.hooks, ...(options.hooks ?? [])],
    finishing: finishing(settings),
    guard: guarded,
    guardNetwork: guardedNetwork,
    overlay,
    clock: machineClock,
    lives: new Roster<Life>(),
    ids: newID,
    hash: sha256,
    equal: equalBytes,
    redact,
    redactDeep,
    diff: (changes) =>
      changes.map((change) => changeDiff(change.place.shown, change.before, change.after, change)).join(""),
    patch: gitPatch,
    trim: (text, lines = OUTPUT_BUDGET.lines) => trimOutput(text, { ...OUTPUT_BUDGET, lines }),
    ...(typeof options.workspace !== "object" && {
      keep: keptOutputs(base.roots[0] ?? folder),
      pictures: keptPictures(base.roots[0] ?? folder),
    }),
    globs: { ofPath: globOfPath, withBelow, split: splitGlob, fits },
    leftOut: leftOut(settings, options),
    suggest,
    emit: (event, about) => listeners.emit(event, about),
    heard: () => listeners.any,
    ...(options.approve && { approve: options.approve }),
    patience: settings.approval.timeout,
    ...(options.resolve && { resolve: options.resolve }),
    ...(servers && { servers }),
    ...(options.ask && { people: peopleBehind(options.ask) }),
    ...(crew && { agents: crew }),
    agentLimits: agents.limits,
  };
  await recorder.addInterrupted();
  // if this fails, the next gate that opens tries again
  await addForgotten(parts).catch(() => {});
  const session = options.sessionID ? sessions.named(options.sessionID) : sessions.fresh(`session_${newID()}`);
  const above = ceiling.plan || ceiling.dryRun ? overlay(base) : undefined;
  const budgets = Object.keys(settings.budget).length > 0 ? [{ session: session.id, limits: settings.budget }] : [];
  const station: Station = {
    parts,
    workspace: above ?? base,
    ...(above && { plan: new PlanSoFar(store, above, session.id) }),
    facts: new GateFacts(ceiling, session, budgets),
    sessions: [session.id],
    agent: "main",
    ancestors: [],
    keepers: [],
    gates: [{}],
  };
  const sitting = new Sitting(station);
  const gate = new Gate(station, {
    listeners,
    sitting,
    dialects,
    dialect,
    toolsets: sets,
    notes: [...notes, ...skillNotes(found), ...left, ...agents.notes],
    // whatever was passed to open() is its owner's to close
    shut: async () => {
      await crew?.close();
      await sitting.end();
      await scripts.close();
      await servers?.close();
      await personal.close();
      await pageReaders.close();
      await endParsers();
      if (typeof options.store !== "object") await tidied(store, settings.journal, base.roots[0]);
      if (typeof options.workspace !== "object") await base.close();
    },
  });
  return { gate, station, ...(crew && { crew }) };
}

/** The configuration, overridden by the options of open(). */
export async function settingsFor(
  workspace: string,
  { config, sandbox, commands: run }: OpenOptions,
): Promise<LoadedConfig> {
  const loaded = await loadConfig({ workspace, ...(config !== undefined && { config }) });
  const { settings } = loaded;
  const said = { ...(sandbox && { sandbox }), ...(run !== undefined && { enabled: run }) };
  const notes = [...loaded.notes, ...(await hookNotes(settings.hooks, realPlace(workspace)))];
  return { ...loaded, notes, settings: { ...settings, commands: { ...settings.commands, ...said } } };
}

/** The model of agents, and the dialect that it is shown. Imported on demand, because models are a large part. */
async function modelFor({ model: given }: OpenOptions, { model: written, dialect: wanted }: Settings) {
  const isNamed = given !== undefined || written.name !== undefined;
  const { nameOfModel, writtenModel } = isNamed ? await import("./crew.ts") : {};
  const model = given ?? writtenModel?.(written);
  const dialect = wanted === "auto" ? dialectFor(model && nameOfModel?.(model)) : wanted;
  return { model, dialect };
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

/** A tool of the caller replaces a built-in one only if it says so. Passing a built-in tool itself changes nothing. */
async function registerAll(
  registry: Registry,
  builtIn: readonly Tool[],
  brought: OpenOptions["tools"] = [],
  hidden: readonly string[] = [],
) {
  for (const tool of builtIn) await registry.register(tool, { hidden: hidden.includes(tool.name) });
  for (const tool of brought)
    if (!builtIn.includes(tool as Tool)) await registry.register(tool, { override: tool.override === true });
}
