/**
 * A row of a tool's own table. `version` rises with every change. `orphaned`: it was bound to a process that died
 * without closing the store. `sealed`: it was put with a seal, and is unchanged.
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
 * `ifVersion`: only if the row still has that version (0: it does not exist). `bound`: to this process, until the store
 * is closed or the row changes. `sealed`: with a mark that only the person's key can make, for rows that decide what
 * runs.
 */
export type PutOptions = { ifVersion?: number; bound?: boolean; sealed?: boolean };

/** `after`: a key. `unchangedSince`: only rows last put before that time. */
export type RowQuery = { prefix?: string; after?: string; limit?: number; unchangedSince?: number };

/** A table of a tool's own: small JSON values by key. */
export interface Table {
  get<T = unknown>(key: string): Promise<Stored<T> | undefined>;
  /** Returns the row, or undefined if it had another version. */
  put<T = unknown>(key: string, value: T, options?: PutOptions): Promise<Stored<T> | undefined>;
  /** Returns false if there was no such row, or it had another version. */
  remove(key: string, options?: { ifVersion?: number }): Promise<boolean>;
  /** Sorted by key. */
  list<T = unknown>(query?: RowQuery): Promise<Stored<T>[]>;
}

/** The tables of tools, kept apart by name. */
export interface Tables {
  table(name: string): Table;
}
