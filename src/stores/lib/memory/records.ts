import type { Chains } from "../../../core/contracts/store/chains.ts";
import type { CallRecord, RecordQuery, Records, UnderWay } from "../../../core/contracts/store/records.ts";
import { copy } from "../json.ts";
import { matcherOf, type Numbered } from "../record-query.ts";
import type { Using } from "../usage.ts";

/** Numbers records and events. */
export type Sequence = () => number;

export type MemoryRecords = Records &
  Chains & {
    find(query: RecordQuery): Numbered[];
    /** What `begin` does, at once. */
    noteBegun(call: UnderWay): void;
  };

/** Memory is more expensive than disk. */
const MOST_KEPT = 100_000;

export function memoryRecords(using: Using, next: Sequence, most = MOST_KEPT): MemoryRecords {
  const records: Numbered[] = [];
  const begun = new Map<string, UnderWay>();
  let pruned = 0;

  const find = (query: RecordQuery): Numbered[] => {
    const meets = matcherOf(query);
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const found: Numbered[] = [];
    for (let step = 0; step < records.length && found.length < limit; step++) {
      const record = records[query.order === "oldest-first" ? step : records.length - 1 - step] as Numbered;
      if (meets(record)) found.push(copy(record));
    }
    return found;
  };

  const noteBegun = (call: UnderWay): void => {
    begun.set(call.id, copy(call));
  };

  return {
    find,
    noteBegun,
    record: (added) =>
      using(() => {
        const copies = added.map((record: CallRecord) => copy(record));
        for (const record of copies) records.push({ ...record, seq: next() });
        // in large batches, because each one moves all remaining records
        if (records.length >= 1.1 * most) pruned += records.splice(0, records.length - most).length;
      }),
    records: (query) => using(() => find(query)),
    // nobody else can reach what is in memory
    verify: () => using(() => ({ records: records.length, writers: 1, unchained: 0, pruned, findings: [] })),

    begin: (calls) =>
      using(() => {
        for (const call of calls.map(copy)) begun.set(call.id, call);
      }),
    finish: (ids) =>
      using(() => {
        for (const id of ids) begun.delete(id);
      }),
    underWay: () => using(() => [...begun.values()].map(copy)),
    // a process that died took this store with it, so nothing was interrupted
    interrupted: () => using(() => []),
  };
}
