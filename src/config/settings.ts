import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "./schema.ts";
import type { Autonomy, Mode, StoreKind, Values, Wishes } from "./strictness.ts";
import { bytes, milliseconds } from "./units.ts";

/** What holds, with nothing left to look up: milliseconds, bytes, absolute roots. */
export type Settings = {
  mode: Mode;
  autonomy?: Autonomy;
  toolset: string | readonly string[];
  dialect: string;
  store: StoreKind;
  budget: { maxCalls?: number; maxChanges?: number };
  journal: { maxAge: number; maxSize: number };
  workspace: { allowDelete: boolean; allowedPaths: readonly string[]; forbiddenPaths: readonly string[] };
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
  const { budget, journal, workspace: place } = config;
  return withoutUndefined<Wishes>({
    mode: config.mode,
    autonomy: config.autonomy,
    toolset: config.toolset,
    dialect: config.dialect,
    store: config.store,
    maxCalls: budget?.max_calls,
    maxChanges: budget?.max_changes,
    maxAge: mapped(journal?.max_age, milliseconds),
    maxSize: mapped(journal?.max_size, bytes),
    allowDelete: place?.allow_delete,
    allowedPaths: mapped(place?.allowed_paths, (paths) => paths.map((path) => resolve(workspace, fromHome(path)))),
    forbiddenPaths: mapped(place?.forbidden_paths, (globs) => globs.map(fromHome)),
  });
}

export function settingsOf(values: Values): Settings {
  const { autonomy, maxCalls, maxChanges, maxAge, maxSize, allowDelete, allowedPaths, forbiddenPaths } = values;
  const { mode, toolset, dialect, store } = values;
  return {
    ...{ mode, toolset, dialect, store },
    ...(autonomy && { autonomy }),
    budget: withoutUndefined<Settings["budget"]>({ maxCalls, maxChanges }),
    journal: { maxAge, maxSize },
    workspace: { allowDelete, allowedPaths, forbiddenPaths },
  };
}
