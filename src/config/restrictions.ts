/** How a key restricts: which change loosens it, and how the values of two files are combined. */
export type Rule<Value> = {
  /** For people: which change is looser, and so counts only in a trusted file. Absent if none is. */
  readonly looser?: string;
  /** Whether a wish would remove a restriction that is in force. */
  loosens(wish: Value, now: Value | undefined): boolean;
  /** Combines both values. Without it, the later file replaces the earlier. */
  join?(wish: Value, now: Value | undefined): Value;
  /** The part of a loosening wish that still restricts. Without it, such a wish is dropped entirely. */
  narrow?(wish: Value, now: Value | undefined): Value | undefined;
  /** Combines two keys of one file that mean the same setting. Without it, `join` is used. */
  together?(a: Value, b: Value): Value;
};

/** Restricts nothing, so any file may set it. */
export const harmless = { loosens: () => false };

/** Names from strict to loose; unset is as loose as the last. */
export const ladder = <Name extends string>(order: readonly Name[]): Rule<Name> => ({
  looser: "a later one",
  loosens: (wish, now) => now !== undefined && order.indexOf(wish) > order.indexOf(now),
  together: (a, b) => (order.indexOf(a) < order.indexOf(b) ? a : b),
});

/** A switch that restricts when it is on. */
export const restriction: Rule<boolean> = { looser: "false", loosens: (wish, now) => !wish && now === true };
/** A switch that restricts when it is off. */
export const permission: Rule<boolean> = { looser: "true", loosens: (wish, now) => wish && now !== true };

/** The smallest value wins, even among trusted files. */
export const limit: Rule<number> = {
  looser: "more",
  loosens: (wish, now) => now !== undefined && wish > now,
  join: (wish, now) => Math.min(wish, now ?? wish),
};

/** A limit with a default, which a trusted file may raise. */
export const atMost: Rule<number> = { looser: "more", loosens: (wish, now) => now !== undefined && wish > now };

/** A lower bound: something must not be kept for less. */
export const atLeast: Rule<number> = { looser: "less", loosens: (wish, now) => now !== undefined && wish < now };

type Names = readonly string[];
const adds = (wish: Names, now: Names = []): boolean => wish.some((each) => !now.includes(each));
const union = (wish: Names, now: Names = []): Names => [...new Set([...now, ...wish])];

/** Every entry allows something more. */
export const opens: Rule<Names> = { looser: "every entry", loosens: adds, join: union };

/** Every entry forbids something more. */
export const forbids: Rule<Names> = { loosens: () => false, join: union };

type Things = readonly object[];
const has = (list: Things, thing: object): boolean =>
  list.some((each) => JSON.stringify(each) === JSON.stringify(thing));
const allOf = (wish: Things, now: Things = []): Things => [...now, ...wish.filter((each) => !has(now, each))];

/** Like `forbids`, for entries that are objects. */
export const forbidsAll = { loosens: () => false, join: allOf } as unknown as Rule<readonly never[]>;

/** Like `opens`, for entries that are objects. */
export const opensAll = {
  looser: "every entry",
  loosens: (wish: Things, now: Things = []) => wish.some((each) => !has(now, each)),
  join: allOf,
} as unknown as Rule<readonly never[]>;

/** An allow-list; absent and `*` allow everything. */
export const allowsOnly: Rule<Names> = {
  looser: "more entries",
  loosens: (wish, now) => now !== undefined && !now.includes("*") && adds(wish, now),
  narrow: (wish, now) => (wish.includes("*") ? now : now?.filter((each) => wish.includes(each))),
};

/** Says where data goes, so another value counts only in a trusted file. */
export const leads = {
  looser: "another value",
  loosens: (wish: unknown, now: unknown) => JSON.stringify(wish) !== JSON.stringify(now),
} as Rule<never>;

type Fields = Readonly<Record<string, Names>>;

/** Every entry of every field allows something more. */
export const opensFields: Rule<Fields> = {
  looser: "every entry",
  loosens: (wish, now = {}) => Object.entries(wish).some(([name, list]) => adds(list, now[name])),
  join: (wish, now = {}) => ({
    ...now,
    ...Object.fromEntries(Object.entries(wish).map(([name, list]) => [name, union(list, now[name])])),
  }),
};
