// Each list goes from strict to loose.
export const MODES = ["confirm-all", "confirm-sensitive", "yolo"] as const;
export const AUTONOMIES = ["readonly", "supervised", "full"] as const;
export const STORES = ["sqlite", "memory"] as const;
const TOOLSETS: readonly string[] = ["files", "default", "all"];

export type Mode = (typeof MODES)[number];
export type Autonomy = (typeof AUTONOMIES)[number];
export type StoreKind = (typeof STORES)[number];

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

/** Toolsets have an order; a single tool beside a set loosens nothing, since it is judged like all others. */
function widensTools(wish: string | readonly string[], now: string | readonly string[]): boolean {
  const have = [now].flat();
  const widest = Math.max(...have.map((name) => TOOLSETS.indexOf(name)));
  return [wish].flat().some((name) => !have.includes(name) && (widest < 0 || TOOLSETS.indexOf(name) > widest));
}

const limit = (key: string): Field<number | undefined> => ({
  key,
  loosens: (wish, now) => now !== undefined && wish > now,
  join: (wish, now) => Math.min(wish, now ?? wish),
});
const union = (wish: readonly string[], now: readonly string[]): string[] => [...new Set([...now, ...wish])];

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
  allowDelete: { key: "workspace.allow_delete", loosens: (wish, now) => wish && !now },
  allowedPaths: {
    key: "workspace.allowed_paths",
    loosens: (wish, now) => wish.some((path) => !now.includes(path)),
    join: union,
  },
  forbiddenPaths: { key: "workspace.forbidden_paths", loosens: never, join: union },
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
