import type { Issue } from "../core/contracts/arguments.ts";
import type { Aliases, Reading } from "../core/words/tool.ts";
import { bare, readInto, readingsBy, refusedUnknown } from "./argument-readings.ts";
import { own, type PlainObject } from "./json-schema.ts";

/** The names under which a tool's arguments may arrive. */
export type Names = {
  known: ReadonlySet<string>;
  /** Undeclared arguments are accepted. */
  open: boolean;
  aliases: ReadonlyMap<string, Meant>;
  spellings: ReadonlyMap<string, string>;
  readings: ReturnType<typeof readingsBy>;
};

/** The argument that a name means; if two names of one argument were sent, the lower rank wins. */
type Meant = { argument: string; rank: number };
type Candidate = Meant & { key: string; value: unknown };

const MOST_TOLD = 10;
// a spelling that is not listed ranks after all that are
const LAST = Number.MAX_SAFE_INTEGER;

export function namesFor(known: ReadonlySet<string>, open: boolean, { args: others = {}, readings }: Aliases): Names {
  const aliases = new Map<string, Meant>();
  for (const [argument, list] of Object.entries(others)) {
    if (!known.has(argument) && !open) continue;
    list.forEach((alias, index) => {
      if (!known.has(alias) && !aliases.has(alias)) aliases.set(alias, { argument, rank: index + 1 });
    });
  }
  const spellings = open ? new Map<string, string>() : spellingsOf(known, aliases);
  return { known, open, aliases, spellings, readings: readingsBy(readings) };
}

/** filePath for file_path, if only one argument can be meant. */
function spellingsOf(known: ReadonlySet<string>, aliases: ReadonlyMap<string, Meant>): Map<string, string> {
  const meant = new Map<string, Set<string>>();
  const add = (name: string, argument: string) => {
    const found = meant.get(bare(name)) ?? new Set();
    meant.set(bare(name), found.add(argument));
  };
  for (const name of known) add(name, name);
  for (const [alias, { argument }] of aliases) add(alias, argument);
  return new Map([...meant].flatMap(([name, found]) => (found.size === 1 ? [[name, [...found][0]!]] : [])));
}

/** Whether a key needs no renaming or reading, and is not dropped. */
export function isSettled({ known, open, aliases, readings }: Names, key: string): boolean {
  return known.has(key) || (open && key !== "approved" && !aliases.has(key) && !readings(key, false));
}

function meaning(names: Names, key: string): Meant | undefined {
  if (isSettled(names, key)) return { argument: key, rank: 0 };
  const alias = names.aliases.get(key);
  if (alias) return alias;
  const spelled = names.spellings.get(bare(key));
  return spelled === undefined ? undefined : { argument: spelled, rank: LAST };
}

/** The common case, made cheap: every key is known or an alias, and no two mean the same. */
export function simplyRenamed(names: Names, given: PlainObject): PlainObject | undefined {
  const named: PlainObject = {};
  for (const key in given) {
    const argument = meaning(names, key)?.argument;
    if (argument === undefined || argument === "__proto__" || Object.hasOwn(named, argument)) return undefined;
    named[argument] = given[key];
  }
  return named;
}

type Naming = {
  tool: string;
  names: Names;
  preset: PlainObject;
  /** Whether the value of an argument counts as absent. */
  isAbsent(argument: string, value: unknown): boolean;
};

/** The arguments under their own names, notes about the others, and what is refused. */
export function rename(given: PlainObject, naming: Naming): { named: PlainObject; notes: string[]; refused: Issue[] } {
  const { names, preset, isAbsent } = naming;
  const candidates = new Map<string, Candidate[]>();
  const unknown: string[] = [];
  const read: [string, unknown, Reading][] = [];
  for (const [key, value] of Object.entries(given)) {
    const meant = meaning(names, key);
    const reading = names.readings(key, meant === undefined);
    if (reading) {
      if (value !== null && value !== undefined) read.push([key, value, reading]);
      continue;
    }
    if (meant && value !== undefined) {
      const rivals = candidates.get(meant.argument) ?? [];
      candidates.set(meant.argument, [...rivals, { ...meant, key, value }]);
    }
    // a model cannot approve its own call, and gets no message about trying
    if (!meant && key !== "approved") unknown.push(key);
  }
  const refused = unknown.flatMap((key) => refusedUnknown(key, given[key]) ?? []);
  const notes: string[] = [];
  const named = [...candidates].flatMap(([argument, rivals]): [string, unknown][] => {
    const ranked = rivals.toSorted((one, other) => one.rank - other.rank);
    const winner = ranked.find(({ value }) => !isAbsent(argument, value)) ?? ranked[0]!;
    for (const { key, value } of ranked)
      if (key !== winner.key && value !== null)
        notes.push(`Ignored "${short(key)}": "${short(winner.key)}" is the same argument and was sent too.`);
    const replaced = Object.hasOwn(preset, argument) && isAbsent(argument, winner.value);
    return [[argument, replaced ? own(preset, argument) : winner.value]];
  });
  const implied = Object.entries(preset).filter(([argument]) => !candidates.has(argument));
  if (unknown.length > 0) notes.push(ignored(naming, unknown));
  const whole = Object.fromEntries([...named, ...implied]);
  // our own names come first, because others are read relative to them
  const ordered = read.toSorted(([one], [other]) => Number(names.known.has(other)) - Number(names.known.has(one)));
  return {
    named: whole,
    notes,
    refused: [...readInto(whole, ordered, (name) => names.open || names.known.has(name)), ...refused],
  };
}

function ignored({ tool, names }: Naming, unknown: string[]): string {
  const told = unknown.slice(0, MOST_TOLD).map((key) => `"${short(key)}"`);
  const more = unknown.length > MOST_TOLD ? ` and ${unknown.length - MOST_TOLD} more` : "";
  const takes = names.known.size > 0 ? [...names.known].join(", ") : "no arguments";
  return `Ignored unknown argument${unknown.length > 1 ? "s" : ""} ${told.join(", ")}${more}; ${tool} takes ${takes}.`;
}

const short = (key: string) => (key.length > 60 ? `${key.slice(0, 60)}…` : key);
