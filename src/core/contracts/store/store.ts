import type { Approvals } from "./approvals.ts";
import type { Chains } from "./chains.ts";
import type { Changes } from "./changes.ts";
import type { Events } from "./events.ts";
import type { Grants } from "./grants.ts";
import type { Holds } from "./holds.ts";
import type { Locks } from "./locks.ts";
import type { Plans } from "./plans.ts";
import type { Records } from "./records.ts";
import type { Reservations } from "./reservations.ts";
import type { Tables } from "./tables.ts";

/**
 * Where everything is kept. Every method may fail; the journey then fails closed. Times are compared by the store's own
 * clock, because the clocks of two processes may differ.
 */
export interface Store
  extends Records,
    Chains,
    Changes,
    Locks,
    Holds,
    Approvals,
    Grants,
    Reservations,
    Plans,
    Tables,
    Events {
  close(): Promise<void>;
}
