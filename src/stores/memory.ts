import type { Store } from "../core/contracts/store/store.ts";
import { memoryApprovals } from "./lib/memory/approvals.ts";
import { memoryChanges } from "./lib/memory/changes.ts";
import { memoryContents } from "./lib/memory/contents.ts";
import { memoryEvents } from "./lib/memory/events.ts";
import { memoryGrants } from "./lib/memory/grants.ts";
import { memoryHolds } from "./lib/memory/holds.ts";
import { memoryLocks } from "./lib/memory/locks.ts";
import { memoryPlans } from "./lib/memory/plans.ts";
import { memoryRecords } from "./lib/memory/records.ts";
import { memoryReservations } from "./lib/memory/reservations.ts";
import { memoryTables } from "./lib/memory/tables.ts";
import { usage } from "./lib/usage.ts";

/** A store for one process, gone with it. Values are copied on the way in and out. */
export function memoryStore(): Store {
  const { using, end } = usage();
  let last = 0;
  const next = (): number => ++last;
  const contents = memoryContents();
  const { find, noteBegun, ...records } = memoryRecords(using, next);
  const { needed, ...plans } = memoryPlans(using, contents);
  const { noteEnd, ...changes } = memoryChanges(using, contents, needed, noteBegun);
  const { end: freeLocks, ...locks } = memoryLocks(using, noteEnd);
  return {
    ...records,
    ...plans,
    ...locks,
    ...changes,
    ...memoryApprovals(using),
    ...memoryGrants(using),
    ...memoryHolds(using),
    ...memoryReservations(using),
    ...memoryTables(using),
    ...memoryEvents(using, next, find),
    close: async () => {
      end();
      freeLocks();
    },
  };
}
