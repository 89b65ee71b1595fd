import type { CallRecord, RecordQuery } from "../../core/contracts/store/records.ts";

const FIELDS = ["session", "message", "call", "status", "tool"] as const;

type Condition = { field: (typeof FIELDS)[number]; value: string };

export const conditionsOf = (query: RecordQuery): Condition[] =>
  FIELDS.flatMap((field) => {
    const value = query[field];
    return value === undefined ? [] : [{ field, value }];
  });

export const meets = (record: CallRecord, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, value }) => record[field] === value);
