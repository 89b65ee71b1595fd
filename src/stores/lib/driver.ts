import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export type Value = null | number | bigint | string | Uint8Array;
export type Row = Record<string, Value>;

export interface Statement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
}

/** What node:sqlite and its replacement for older Node versions have in common. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type Driver = new (file: string) => Database;

/** Always one driver per process: two SQLite libraries on one file would break each other's file locks. */
export async function loadDriver(): Promise<Driver> {
  return builtIn() ?? nearby() ?? ((await import("@photostructure/sqlite")).DatabaseSync as unknown as Driver);
}

function builtIn(): Driver | undefined {
  const { emitWarning } = process;
  // Node 22 warns that its SQLite is experimental; loading is synchronous, so no other warning is lost
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule("node:sqlite") as { DatabaseSync: Driver } | undefined;
    return sqlite?.DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const PACKAGE = "node_modules/@photostructure/sqlite";

/** The same library without its package, whose resolving and loading takes longer than opening a database. */
function nearby(): Driver | undefined {
  if (process.platform !== "linux") return undefined;
  // a CommonJS bundle does not know where it is
  let folder: string | undefined = import.meta.dirname;
  if (folder === undefined) return undefined;
  while (!existsSync(join(folder, PACKAGE))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  const found = join(folder, PACKAGE);
  // one that was built on this machine takes precedence
  if (existsSync(join(found, "build"))) return undefined;
  const loaded: { exports: { DatabaseSync?: Driver } } = { exports: {} };
  try {
    process.dlopen(loaded, join(found, `prebuilds/linux-${process.arch}/@photostructure+sqlite.glibc.node`));
  } catch {
    // another libc or another layout: the package can handle it
    return undefined;
  }
  return loaded.exports.DatabaseSync;
}
