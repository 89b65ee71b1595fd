/**
 * A row of a tool's own table; `version` rises with every change of it. `orphaned`: it was bound to a process that died
 * without closing the store. `sealed`: it was put so, and is as it was put.
 */
export type Stored<T = unknown> = {
  key: string;
  value: T;
  version: number;
  at: number;
  orphaned?: true;
  sealed?: true;
};

/**
 * `ifVersion`: only if the row is still of that version (0: not there). `bound`: to this process; closing the store
 * ends that, and so does the next change of the row. `sealed`: with a mark that nobody without the person's key can
 * make, for rows that decide what is run.
 */
export type PutOptions = { ifVersion?: number; bound?: boolean; sealed?: boolean };

/** `after`: a key. `unchangedSince`: only rows that were last put before that moment. */
export type RowQuery = { prefix?: string; after?: string; limit?: number; unchangedSince?: number };

/** A table of a tool's own: small JSON values by key. */
export interface Table {
  get<T = unknown>(key: string): Promise<Stored<T> | undefined>;
  /** Gives the row, or undefined if it was not of that version. */
  put<T = unknown>(key: string, value: T, options?: PutOptions): Promise<Stored<T> | undefined>;
  /** false: it was not there, or not of that version. */
  remove(key: string, options?: { ifVersion?: number }): Promise<boolean>;
  /** By key, in order. */
  list<T = unknown>(query?: RowQuery): Promise<Stored<T>[]>;
}

/** Tables of tools, apart from each other by name. */
export interface Tables {
  table(name: string): Table;
}
