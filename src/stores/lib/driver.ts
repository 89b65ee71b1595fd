import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export type Value = null | number | bigint | string | Uint8Array;
export type Row = Record<string, Value>;

export interface Statement {
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
}

/** What node:sqlite and its stand-in for older Nodes have in common. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type Driver = new (file: string) => Database;

/** One driver a process, always the same: two SQLite libraries on one file would lose each other's file locks. */
export async function loadDriver(): Promise<Driver> {
  return builtIn() ?? nearby() ?? ((await import("@photostructure/sqlite")).DatabaseSync as unknown as Driver);
}

function builtIn(): Driver | undefined {
  const { emitWarning } = process;
  // Node 22 warns that its SQLite is experimental; loading is synchronous, so nobody else's warning is lost
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule("node:sqlite") as { DatabaseSync: Driver } | undefined;
    return sqlite?.DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const PACKAGE = "node_modules/@photostructure/sqlite";

/** The same library without its package, which takes longer to find and to read than a database to open. */
function nearby(): Driver | undefined {
  if (process.platform !== "linux") return undefined;
  // a bundle in CommonJS does not say where it is
  let folder: string | undefined = import.meta.dirname;
  if (folder === undefined) return undefined;
  while (!existsSync(join(folder, PACKAGE))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  const found = join(folder, PACKAGE);
  // one that was built on this machine comes first
  if (existsSync(join(found, "build"))) return undefined;
  const loaded: { exports: { DatabaseSync?: Driver } } = { exports: {} };
  try {
    process.dlopen(loaded, join(found, `prebuilds/linux-${process.arch}/@photostructure+sqlite.glibc.node`));
  } catch {
    // another libc or another layout: the package knows
    return undefined;
  }
  return loaded.exports.DatabaseSync;
}
