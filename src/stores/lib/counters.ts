import type { Connection } from "./connection.ts";

/** Increases a counter that all processes share, and returns its new value. Call it inside a transaction. */
export function counted({ sql }: Connection, name: string, by: number): number {
  const raise = sql(
    `INSERT INTO counters (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
  );
  return Number(raise.get(name, by)?.value);
}

/** The counter that numbers records and events. */
export const SEQUENCE = "sequence";
