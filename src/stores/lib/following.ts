import type { KeptEvent } from "../../core/contracts/store/events.ts";
import type { Numbered } from "./record-query.ts";

const eventOf = (record: Numbered): KeptEvent => ({
  seq: record.seq,
  id: record.id,
  type: record.status === "done" || record.status === "planned" ? "done" : "failed",
  // the time when it ended
  at: record.at + Math.round(record.microseconds / 1000),
  session: record.session,
  record: record.id,
  body: record,
});

/** Merges events and records, each in order, into one sequence. */
export function merged(told: readonly KeptEvent[], records: readonly Numbered[], limit = Infinity): KeptEvent[] {
  return [...told, ...records.map(eventOf)].sort((a, b) => a.seq - b.seq).slice(0, limit);
}
