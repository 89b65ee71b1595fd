import {
  type Autonomy,
  AUTONOMIES as LOOSE_AUTONOMIES,
  MODES as LOOSE_MODES,
  type Mode,
} from "../core/words/ceiling.ts";

// Each list goes from strict to loose.
export const MODES: readonly Mode[] = [...LOOSE_MODES].reverse();
export const AUTONOMIES: readonly Autonomy[] = [...LOOSE_AUTONOMIES].reverse();
export const STORES = ["sqlite", "memory"] as const;
export const SANDBOXES = ["required", "auto", "off"] as const;
const TOOLSETS: readonly string[] = ["files", "default", "all"];

export type StoreKind = (typeof STORES)[number];
export type SandboxMode = (typeof SANDBOXES)[number];

/** Everything that can be set, side by side, in our own units. */
export type Values = {
  mode: Mode;
  autonomy: Autonomy | undefined;
  toolset: string | readonly string[];
  dialect: string;
  store: StoreKind;
  maxCalls: number | undefined;
  maxChanges: number | undefined;
  maxAge: number;
  maxSize: number;
  allowDelete: boolean;
  allowedPaths: readonly string[];
  forbiddenPaths: readonly string[];
  commandsEnabled: boolean;
  defaultTimeout: number;
  maxOutputLines: number;
  blockedPatterns: readonly string[];
  safeCommands: readonly string[];
  allowedOnly: boolean;
  allowlist: readonly string[] | undefined;
  sandbox: SandboxMode;
  network: boolean;
  maxMemory: number | undefined;
  passEnv: readonly string[];
  workspaceOnly: boolean;
  allowedCommands: readonly string[] | undefined;
  blockHighRisk: boolean;
  approveMediumRisk: boolean;
  maxActionsPerHour: number | undefined;
};

type Given<Value> = Exclude<Value, undefined>;

/** `loosens`: it would take away a restriction. `join`: both hold; without it the later one replaces the earlier. */
type Field<Value> = {
  key: string;
  loosens(wish: Given<Value>, now: Value): boolean;
  join?(wish: Given<Value>, now: Value): Value;
};

const never = (): boolean => false;
const looserIn =
  <Value>(order: readonly Value[]) =>
  (wish: Value, now: Value): boolean =>
    order.indexOf(wish) > order.indexOf(now);

/** Toolsets have an order; a single tool beside a set that has all kinds loosens nothing, since it is judged like all. */
function widensTools(wish: string | readonly string[], now: string | readonly string[]): boolean {
  const have = [now].flat();
  const widest = Math.max(...have.map((name) => TOOLSETS.indexOf(name)));
  const widens = (name: string) => (TOOLSETS.includes(name) ? TOOLSETS.indexOf(name) > widest : widest < 1);
  return [wish].flat().some((name) => !have.includes(name) && widens(name));
}

const limit = (key: string): Field<number | undefined> => ({
  key,
  loosens: (wish, now) => now !== undefined && wish > now,
  join: (wish, now) => Math.min(wish, now ?? wish),
});
const union = (wish: readonly string[], now: readonly string[]): string[] => [...new Set([...now, ...wish])];

const adds = (wish: readonly string[], now: readonly string[]): boolean => wish.some((each) => !now.includes(each));

/** A list of what alone is allowed: absent allows all, two lists allow what is on both. */
const allowList = (key: string): Field<readonly string[] | undefined> => ({
  key,
  loosens: (wish, now) => now !== undefined && !now.includes("*") && adds(wish, now),
});

/** Switches that restrict when they are on, or when they are off. */
const restriction = (key: string): Field<boolean> => ({ key, loosens: (wish, now) => !wish && now });
const permission = (key: string): Field<boolean> => ({ key, loosens: (wish, now) => wish && !now });

const FIELDS: { [Name in keyof Values]: Field<Values[Name]> } = {
  mode: { key: "mode", loosens: looserIn(MODES) },
  // unset adds nothing to the mode, and `full` never softens it
  autonomy: { key: "autonomy", loosens: (wish, now) => looserIn(AUTONOMIES)(wish, now ?? "full") },
  toolset: { key: "toolset", loosens: widensTools },
  dialect: { key: "dialect", loosens: never },
  store: { key: "store", loosens: looserIn(STORES) },
  maxCalls: limit("budget.max_calls"),
  maxChanges: limit("budget.max_changes"),
  maxAge: { key: "journal.max_age", loosens: (wish, now) => wish < now },
  maxSize: { key: "journal.max_size", loosens: (wish, now) => wish < now },
  allowDelete: permission("workspace.allow_delete"),
  allowedPaths: { key: "workspace.allowed_paths", loosens: adds, join: union },
  forbiddenPaths: { key: "workspace.forbidden_paths", loosens: never, join: union },
  commandsEnabled: permission("commands.enabled"),
  defaultTimeout: { key: "commands.default_timeout", loosens: never },
  maxOutputLines: { key: "commands.max_output_lines", loosens: never },
  // a stranger's regular expression may never come to an end, so it counts as more than a restriction
  blockedPatterns: { key: "commands.blocked_patterns", loosens: adds, join: union },
  safeCommands: { key: "commands.safe_commands", loosens: adds, join: union },
  allowedOnly: restriction("commands.allowed_only"),
  allowlist: allowList("commands.allowlist"),
  sandbox: { key: "commands.sandbox", loosens: looserIn(SANDBOXES) },
  network: permission("commands.network"),
  maxMemory: limit("commands.max_memory"),
  passEnv: { key: "commands.env", loosens: adds, join: union },
  workspaceOnly: restriction("security.workspace_only"),
  allowedCommands: allowList("security.allowed_commands"),
  blockHighRisk: restriction("security.block_high_risk_commands"),
  approveMediumRisk: restriction("security.require_approval_for_medium_risk"),
  maxActionsPerHour: limit("security.max_actions_per_hour"),
};

export type Wishes = { [Name in keyof Values]?: Given<Values[Name]> };
/** A wish that did not count, by its key as people write it. */
export type LeftOut = { key: string; value: unknown };

/** Lays one source over what holds so far; without a person's word nothing in it can loosen. */
export function overlay(now: Values, wishes: Wishes, accepted: boolean): { values: Values; leftOut: LeftOut[] } {
  const values: Values = { ...now };
  const leftOut: LeftOut[] = [];
  const lay = <Name extends keyof Values>(name: Name): void => {
    const wish = wishes[name] as Given<Values[Name]> | undefined;
    if (wish === undefined) return;
    const field: Field<Values[Name]> = FIELDS[name];
    if (!accepted && field.loosens(wish, now[name])) leftOut.push({ key: field.key, value: wish });
    else values[name] = field.join ? field.join(wish, now[name]) : wish;
  };
  for (const name of Object.keys(FIELDS) as (keyof Values)[]) lay(name);
  return { values, leftOut };
}
