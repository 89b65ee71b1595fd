import type { Connection } from "./connection.ts";

/** Raises a number that all processes share, and gives what it is then. Inside a transaction. */
export function counted({ sql }: Connection, name: string, by: number): number {
  const raise = sql(
    `INSERT INTO counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
  );
  return Number(raise.get(name, by)?.value);
}

/** The numbers of records and events. */
export const SEQUENCE = "sequence";
