import { ARCHIVES, LISTING } from "./archives.ts";
import { BUILDING } from "./building.ts";
import { CHANGING } from "./changing.ts";
import { CONTAINERS } from "./containers.ts";
import { FILTERS } from "./filtering.ts";
import { GIT } from "./git.ts";
import { INSPECTING } from "./inspecting.ts";
import { LOOKING } from "./looking.ts";
import { NETWORK } from "./network.ts";
import { NODE } from "./node.ts";
import { type Entry, type Program, uniform } from "./program.ts";
import { PYTHON } from "./python.ts";
import { SEARCHING } from "./searching.ts";
import { SYSTEM } from "./system.ts";

const LISTED = [
  SYSTEM,
  LOOKING,
  INSPECTING,
  FILTERS,
  SEARCHING,
  GIT,
  NODE,
  PYTHON,
  BUILDING,
  CONTAINERS,
  NETWORK,
  LISTING,
];
const CHANGED = [CHANGING, ARCHIVES];

function inOneShape(tables: readonly Readonly<Record<string, Program>>[]): ReadonlyMap<string, Entry> {
  const known = new Map<Program, Entry>();
  return new Map(
    tables.flatMap((table) => Object.entries(table)).map(([name, program]) => [name, uniform(program, known)]),
  );
}

/** Every program that is known, by its bare name. */
export const PROGRAMS: ReadonlyMap<string, Entry> = inOneShape([...CHANGED, ...LISTED]);

/** What a program touches with options that make it more than read-only. */
export const CHANGING_FORMS: ReadonlyMap<string, Entry> = inOneShape(CHANGED);
