import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Autonomy, Mode } from "../core/words/ceiling.ts";
import type { Config } from "./schema.ts";
import { AUTONOMIES, type StoreKind, type Values, type Wishes } from "./strictness.ts";
import { bytes, milliseconds } from "./units.ts";

/** What holds, with nothing left to look up: milliseconds, bytes, absolute roots. */
export type Settings = {
  mode: Mode;
  autonomy?: Autonomy;
  toolset: string | readonly string[];
  dialect: string;
  store: StoreKind;
  budget: { maxCalls?: number; maxChanges?: number; maxActionsPerHour?: number };
  journal: { maxAge: number; maxSize: number };
  workspace: { allowDelete: boolean; allowedPaths: readonly string[]; forbiddenPaths: readonly string[] };
  commands: Pick<
    Values,
    | "defaultTimeout"
    | "maxOutputLines"
    | "blockedPatterns"
    | "safeCommands"
    | "allowedOnly"
    | "allowlist"
    | "sandbox"
    | "network"
    | "maxMemory"
    | "passEnv"
    | "workspaceOnly"
    | "allowedCommands"
    | "blockHighRisk"
    | "approveMediumRisk"
  > & { enabled: boolean };
};

export const DEFAULTS: Values = {
  mode: "confirm-sensitive",
  autonomy: undefined,
  toolset: "default",
  dialect: "default",
  store: "sqlite",
  maxCalls: undefined,
  maxChanges: undefined,
  maxAge: milliseconds("30d"),
  maxSize: bytes("500MB"),
  allowDelete: false,
  allowedPaths: [],
  forbiddenPaths: [],
  commandsEnabled: true,
  defaultTimeout: 30,
  maxOutputLines: 200,
  blockedPatterns: [],
  safeCommands: [],
  allowedOnly: false,
  allowlist: undefined,
  sandbox: "auto",
  network: false,
  maxMemory: undefined,
  passEnv: [],
  workspaceOnly: false,
  allowedCommands: undefined,
  blockHighRisk: false,
  approveMediumRisk: true,
  maxActionsPerHour: undefined,
};

const fromHome = (path: string): string =>
  path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;

type Loose<Type> = { [Key in keyof Type]?: Type[Key] | undefined };

function withoutUndefined<Type extends object>(value: Loose<Type>): Partial<Type> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Partial<Type>;
}

const mapped = <In, Out>(value: In | undefined, change: (value: In) => Out): Out | undefined =>
  value === undefined ? undefined : change(value);

/** What one source asks for, in our own units; relative roots start at the workspace. */
export function wishesOf(config: Config, workspace: string): Wishes {
  const { budget, journal, workspace: place, commands, security } = config;
  const forbidden = [...(place?.forbidden_paths ?? []), ...(security?.forbidden_paths ?? [])];
  return withoutUndefined<Wishes>({
    mode: config.mode,
    autonomy: strictest(config.autonomy, security?.autonomy),
    toolset: config.toolset,
    dialect: config.dialect,
    store: config.store,
    maxCalls: budget?.max_calls,
    maxChanges: budget?.max_changes,
    maxAge: mapped(journal?.max_age, milliseconds),
    maxSize: mapped(journal?.max_size, bytes),
    allowDelete: place?.allow_delete,
    allowedPaths: mapped(place?.allowed_paths, (paths) => paths.map((path) => resolve(workspace, fromHome(path)))),
    forbiddenPaths: forbidden.length > 0 ? forbidden.map(fromHome) : undefined,
    commandsEnabled: commands?.enabled,
    defaultTimeout: commands?.default_timeout,
    maxOutputLines: commands?.max_output_lines,
    blockedPatterns: commands?.blocked_patterns,
    safeCommands: commands?.safe_commands,
    allowedOnly: commands?.allowed_only,
    allowlist: commands?.allowlist,
    sandbox: commands?.sandbox,
    network: commands?.network,
    maxMemory: mapped(commands?.max_memory, bytes),
    passEnv: commands?.env,
    workspaceOnly: security?.workspace_only,
    allowedCommands: security?.allowed_commands,
    blockHighRisk: security?.block_high_risk_commands,
    approveMediumRisk: security?.require_approval_for_medium_risk,
    maxActionsPerHour: security?.max_actions_per_hour,
  });
}

export function settingsOf(values: Values): Settings {
  const { mode, autonomy, toolset, dialect, store, maxCalls, maxChanges, maxActionsPerHour, maxAge, maxSize } = values;
  const { allowDelete, allowedPaths, forbiddenPaths, commandsEnabled: enabled } = values;
  const { defaultTimeout, maxOutputLines, blockedPatterns, safeCommands, allowedOnly, allowlist, sandbox } = values;
  const { network, maxMemory, passEnv, workspaceOnly, allowedCommands, blockHighRisk, approveMediumRisk } = values;
  return {
    ...{ mode, toolset, dialect, store },
    ...(autonomy && { autonomy }),
    budget: withoutUndefined<Settings["budget"]>({ maxCalls, maxChanges, maxActionsPerHour }),
    journal: { maxAge, maxSize },
    workspace: { allowDelete, allowedPaths, forbiddenPaths },
    commands: {
      ...{ enabled, defaultTimeout, maxOutputLines, blockedPatterns, safeCommands, allowedOnly, allowlist, sandbox },
      ...{ network, maxMemory, passEnv, workspaceOnly, allowedCommands, blockHighRisk, approveMediumRisk },
    },
  };
}

const strictest = (a: Autonomy | undefined, b: Autonomy | undefined): Autonomy | undefined =>
  a && b ? (AUTONOMIES.indexOf(a) < AUTONOMIES.indexOf(b) ? a : b) : (a ?? b);
