import type { CallRecord, RecordQuery } from "../../core/contracts/store/records.ts";

const FIELDS = ["session", "workspace", "message", "call", "parent", "status", "tool"] as const;

export type Condition = { field: (typeof FIELDS)[number]; value: string };

/** A record as a store returns it. */
export type Numbered = CallRecord & { seq: number };

export const conditionsOf = (query: RecordQuery): Condition[] =>
  FIELDS.flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, value }];
  });

export function matcherOf(query: RecordQuery): (record: Numbered) => boolean {
  const conditions = conditionsOf(query);
  const { since, until, after, before } = query;
  return (record) =>
    (since === undefined || record.at > since) &&
    (until === undefined || record.at < until) &&
    (after === undefined || record.seq > after) &&
    (before === undefined || record.seq < before) &&
    conditions.every(({ field, value }) => record[field] === value);
}
