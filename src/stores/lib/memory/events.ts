import type { Events, KeptEvent } from "../../../core/contracts/store/events.ts";
import { merged } from "../following.ts";
import { copy } from "../json.ts";
import type { Using } from "../usage.ts";
import type { MemoryRecords, Sequence } from "./records.ts";

export function memoryEvents(using: Using, next: Sequence, find: MemoryRecords["find"]): Events {
  const told: KeptEvent[] = [];
  return {
    tell: (events) =>
      using(() => {
        for (const event of events.map(copy)) told.push({ ...event, seq: next() });
      }),
    events: ({ after = 0, session, limit }) =>
      using(() => {
        const isWanted = (event: KeptEvent): boolean =>
          event.seq > after && (session === undefined || event.session === session);
        const recorded = find({
          ...{ after, order: "oldest-first" },
          ...(session !== undefined && { session }),
          ...(limit !== undefined && { limit }),
        });
        return merged(told.filter(isWanted).map(copy), recorded, limit);
      }),
  };
}
