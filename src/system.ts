import { userConfigPlaces } from "./config/files.ts";
import { loadConfig } from "./config/load.ts";
import { ConfigError } from "./config/problem.ts";
import type { Settings } from "./config/settings.ts";
import { trust } from "./config/trust.ts";
import type { Approver } from "./core/approval.ts";
import { AUTONOMIES, type Autonomy, type Ceiling, MODES, type Mode, Purse } from "./core/ceiling.ts";
import { Listeners } from "./core/event.ts";
import { SessionFacts } from "./core/facts.ts";
import { Gate } from "./core/gate.ts";
import type { Policy } from "./core/judge.ts";
import type { Life } from "./core/life.ts";
import { Recorder } from "./core/recorder.ts";
import { Registry } from "./core/registry.ts";
import { ToolFailure } from "./core/result.ts";
import type { Step } from "./core/step.ts";
import type { CallRecord, Store } from "./core/store.ts";
import type { PlainTool, Tool } from "./core/tool.ts";
import { isPathTouch } from "./core/touch.ts";
import type { Parts } from "./core/trip.ts";
import type { Workspace } from "./core/workspace.ts";
import { access } from "./policies/access.ts";
import { mode } from "./policies/mode.ts";
import { paths } from "./policies/paths.ts";
import { protection } from "./policies/protection.ts";
import { fillIn, readDescription } from "./sources/descriptions.ts";
import { compileJsonSchema } from "./sources/json-schema.ts";
import { syntaxProblems } from "./sources/syntax.ts";
import { readCache } from "./steps/read-cache.ts";
import { retry } from "./steps/retry.ts";
import { syntaxCheck } from "./steps/syntax-check.ts";
import { timeLimit } from "./steps/time-limit.ts";
import { memoryStore } from "./stores/memory.ts";
import { sqliteStore } from "./stores/sqlite.ts";
import { changeDiff } from "./text/change-diff.ts";
import { nearest } from "./text/nearest.ts";
import { redact, redactDeep } from "./text/redact.ts";
import { trimOutput } from "./text/trim.ts";
import { applyPatch } from "./tools/apply-patch.ts";
import { editFile } from "./tools/edit-file.ts";
import { dialects } from "./tools/lib/dialects.ts";
import { readFile } from "./tools/read-file.ts";
import { undoFile } from "./tools/undo-file.ts";
import { undoTurn } from "./tools/undo-turn.ts";
import { writeFile } from "./tools/write-file.ts";
import { guarded } from "./workspaces/guarded.ts";
import { localWorkspace } from "./workspaces/local.ts";
import { equalBytes, machineClock, newID, sha256 } from "./workspaces/machine.ts";
import { overlay } from "./workspaces/overlay.ts";
import { keptOutputs, stateFolder } from "./workspaces/state.ts";

const files: readonly Tool[] = [readFile, writeFile, editFile, applyPatch, undoFile, undoTurn];
const toolsets: Readonly<Record<string, readonly Tool[]>> = { files, default: files, all: files };

const policies = ({ workspace }: Settings): Policy[] => [
  mode,
  access,
  protection(userConfigPlaces()),
  paths({ allowDelete: workspace.allowDelete, forbidden: workspace.forbiddenPaths }),
];

const steps = (): Step[] => [timeLimit, retry, readCache(), syntaxCheck(syntaxProblems)];

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
  store?: "sqlite" | "memory" | Store;
};

/** Puts a gate together. A wrong configuration makes it reject. */
export async function open(options: OpenOptions = {}): Promise<Gate> {
  const folder =
    typeof options.workspace === "object" ? (options.workspace.roots[0] ?? ".") : (options.workspace ?? ".");
  const { settings } = await loadConfig({
    workspace: folder,
    ...(options.config !== undefined && { config: options.config }),
  });
  const ceiling = ceilingOf(options, settings);
  const base =
    typeof options.workspace === "object"
      ? options.workspace
      : localWorkspace({ root: folder, roots: settings.workspace.allowedPaths });
  const listeners = new Listeners();
  const registry = new Registry({
    compile: compileJsonSchema,
    readDescription,
    fillIn: fillIn(folder),
    emit: (event) => listeners.emit(event),
  });
  await registerAll(registry, options, settings);
  const store = await storeOf(options.store ?? settings.store, base);
  const parts: Parts = {
    registry,
    store,
    recorder: new Recorder(store, machineClock, cleanRecord, (message) =>
      listeners.emit({ type: "unrecorded", message }),
    ),
    policies: policies(settings),
    steps: steps(),
    guard: guarded,
    overlay,
    clock: machineClock,
    ids: newID,
    hash: sha256,
    equal: equalBytes,
    redact,
    diff: (changes) => changes.map(({ place, before, after }) => changeDiff(place.shown, before, after)).join(""),
    trim: (text) => trimOutput(text, OUTPUT_BUDGET),
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

const wrongOption = (message: string) => new ConfigError([{ source: "open()", message }]);

function ceilingOf(options: OpenOptions, settings: Settings): Ceiling {
  const autonomy = options.autonomy ?? settings.autonomy;
  const ceiling: Ceiling = {
    mode: options.mode ?? settings.mode,
    ...(autonomy && { autonomy }),
    ...(options.plan && { plan: true }),
    ...(options.dryRun && { dryRun: true }),
  };
  if (!MODES.includes(ceiling.mode)) throw wrongOption(`mode: ${String(ceiling.mode)} is none of ${MODES.join(", ")}`);
  if (autonomy && !AUTONOMIES.includes(autonomy))
    throw wrongOption(`autonomy: ${String(autonomy)} is none of ${AUTONOMIES.join(", ")}`);
  return ceiling;
}

async function registerAll(registry: Registry, options: OpenOptions, settings: Settings): Promise<void> {
  const wanted = options.toolset ?? settings.toolset;
  for (const tool of toolsOf(typeof wanted === "string" ? [wanted] : wanted)) await registry.register(tool);
  for (const tool of options.tools ?? []) await registry.register(tool, { override: true });
}

/** Names of toolsets and of tools, by any alias. */
function toolsOf(names: readonly string[]): Tool[] {
  const found = new Set<Tool>();
  for (const name of names) {
    const tools = toolsets[name] ?? files.filter((tool) => answersTo(tool, name));
    if (tools.length === 0) {
      const near = nearest(name, [...Object.keys(toolsets), ...files.map((tool) => tool.name)]);
      throw wrongOption(
        `toolset: there is no toolset and no tool named ${name}${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ""}`,
      );
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
    return await sqliteStore(`${stateFolder(root)}/store.db`);
  } catch (error) {
    if (error instanceof ToolFailure) throw wrongOption(`${error.message} ${error.hint}`);
    throw wrongOption(
      `the record cannot be kept in ${root}/.toolgate (${(error as { code?: string }).code ?? error}). Make the folder writable, or set store: memory to keep none`,
    );
  }
}

/** Contents of files stay exact for the model; what is kept of them is not. */
const cleanRecord = (record: CallRecord): CallRecord => ({
  ...record,
  input: redactDeep(record.input),
  target: redact(record.target),
  touches: record.touches.every(isPathTouch) ? record.touches : (redactDeep(record.touches) as CallRecord["touches"]),
  ...(record.error && { error: { ...record.error, message: redact(record.error.message) } }),
});

/** For doors that look at the configuration or the record without a gate. */
export const checkConfig = loadConfig;
export const trustConfig = trust;
export const configSchema = async () => (await import("./config/schema.ts")).configJsonSchema();
export const openStore = (folder: string): Promise<Store> => sqliteStore(`${folder}/.toolgate/store.db`);

/** What was given to open() is its owner's to close. */
async function shut(options: OpenOptions, store: Store, workspace: Workspace, { journal }: Settings): Promise<void> {
  if (typeof options.store !== "object") {
    await store.tidy({ maxAgeMs: journal.maxAge, maxBytes: journal.maxSize, now: machineClock.now() }).catch(() => {});
    await store.close();
  }
  if (typeof options.workspace !== "object") await workspace.close();
}
