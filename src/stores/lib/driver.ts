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
  return builtIn() ?? ((await import("@photostructure/sqlite")).DatabaseSync as unknown as Driver);
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
