import { KEYS } from "./keys.ts";
import type { Row, ValueOf } from "./row.ts";

type Rows = (typeof KEYS)[keyof typeof KEYS];
type Target = Rows["to"];

/** All settings in one flat object, by their paths. */
export type Values = { [To in Target]: ValueOf<Extract<Rows, { to: To }>> };

type InSection<Name, Section extends string> = Name extends `${Section}.${infer Field}` ? Field : never;
type SectionOf<Name> = Name extends `${infer Section}.${string}` ? Section : never;
/** Settings that may be unset become optional fields. */
type Present<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & { [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined> };

/** The settings in force, fully resolved: milliseconds, bytes, absolute roots. */
export type Settings = Present<{ [Name in Exclude<Target, `${string}.${string}`>]: Values[Name] }> & {
  [Section in SectionOf<Target>]: Present<{
    [Field in InSection<Target, Section>]: `${Section}.${Field}` extends Target ? Values[`${Section}.${Field}`] : never;
  }>;
};

/** A row without its types: its own kind has checked the values. */
type AnyRow = Row<Target, unknown, unknown, unknown>;
const ROWS = Object.entries(KEYS) as unknown as readonly (readonly [key: string, row: AnyRow])[];

export const DEFAULTS = Object.fromEntries(
  ROWS.map(([, { to, kind, default: written }]) => [to, written === undefined ? undefined : kind.read(written, "/")]),
) as Values;

/** The configuration as people write it, after it was checked. */
export type Config = Readonly<Record<string, unknown>>;

/** What one file says about one setting, by its key as people write it. */
export type Wish = { readonly key: string; readonly row: AnyRow; readonly written: unknown; readonly value: unknown };

/** What one source asks for, converted to our own units. */
export function wishesOf(config: Config, workspace: string): Wish[] {
  return ROWS.flatMap(([key, row]) => {
    const written = key.split(".").reduce<unknown>((found, name) => (found as Config | undefined)?.[name], config);
    return written === undefined ? [] : [{ key, row, written, value: row.kind.read(written, workspace) }];
  });
}

/** A wish that was dropped, as it was written. */
export type LeftOut = { key: string; written: unknown };

/** Applies one source on top of the values so far. If it is not trusted, nothing in it can loosen a restriction. */
export function overlay(
  now: Values,
  wishes: readonly Wish[],
  accepted: boolean,
): { values: Values; leftOut: LeftOut[] } {
  const values: Record<string, unknown> = { ...now };
  const leftOut: LeftOut[] = [];
  for (const to of new Set(wishes.map(({ row }) => row.to))) {
    const about = wishes.filter(({ row }) => row.to === to);
    const { rule } = (about[0] as Wish).row;
    const merge = rule.together ?? rule.join ?? ((later: unknown) => later);
    const wish = about.map(({ value }) => value).reduce((earlier, later) => merge(later, earlier));
    if (accepted || !rule.loosens(wish, now[to])) values[to] = rule.join ? rule.join(wish, now[to]) : wish;
    else {
      leftOut.push(...about.map(({ key, written }) => ({ key, written })));
      if (rule.narrow) values[to] = rule.narrow(wish, now[to]);
    }
  }
  return { values: values as Values, leftOut };
}

export function settingsOf(values: Values): Settings {
  const settings: Record<string, unknown> = {};
  for (const [to, value] of Object.entries(values)) {
    const [first = "", field] = to.split(".");
    const section = (settings[first] ?? {}) as Record<string, unknown>;
    if (field === undefined) {
      if (value !== undefined) settings[first] = value;
      continue;
    }
    if (value !== undefined) section[field] = value;
    settings[first] = section;
  }
  return settings as Settings;
}

/** A setting with the key that people write for it. */
export type Holding = { key: string; value: unknown; isDefault: boolean };

/** All settings in force, as they could be written. A setting with two keys is listed once. */
export function holdingsOf(settings: Settings): Holding[] {
  const told = new Set<string>();
  return ROWS.flatMap(([key, { to, kind, default: usual }]) => {
    if (told.has(to)) return [];
    told.add(to);
    const path = to.split(".");
    const value = path.reduce<unknown>((found, name) => (found as Config | undefined)?.[name], settings);
    if (value === undefined) return [];
    const isDefault = JSON.stringify(value) === JSON.stringify(DEFAULTS[to]);
    return [{ key, value: isDefault ? usual : kind.write ? kind.write(value) : value, isDefault }];
  });
}
