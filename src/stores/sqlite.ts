import { dirname, join, resolve } from "node:path";
import type { Store } from "../core/contracts/store/store.ts";
import { connect } from "./lib/connection.ts";
import { keptFiles } from "./lib/content-files.ts";
import { contentTable } from "./lib/contents.ts";
import { explained } from "./lib/failure.ts";
import { ownerTable } from "./lib/owners.ts";
import type { Seal } from "./lib/seal.ts";
import { sqliteApprovals } from "./lib/sqlite/approvals.ts";
import { sqliteChanges } from "./lib/sqlite/changes.ts";
import { sqliteEvents } from "./lib/sqlite/events.ts";
import { sqliteGrants } from "./lib/sqlite/grants.ts";
import { sqliteHolds } from "./lib/sqlite/holds.ts";
import { sqliteLocks } from "./lib/sqlite/locks.ts";
import { oldRows } from "./lib/sqlite/old-rows.ts";
import { sqlitePlans } from "./lib/sqlite/plans.ts";
import { finder, sqliteRecords } from "./lib/sqlite/records.ts";
import { sqliteReservations } from "./lib/sqlite/reservations.ts";
import { sqliteTables } from "./lib/sqlite/tables.ts";
import { sqliteUnderWay } from "./lib/sqlite/under-way.ts";
import { usage } from "./lib/usage.ts";

/**
 * A file that many processes may use at once. It is created, with its folder, if it does not exist. Without a `seal`,
 * whoever can write the file can also forge grants and answers.
 */
export async function sqliteStore(file: string, seal: Seal = () => ""): Promise<Store> {
  const path = resolve(file);
  const explain = (error: unknown): unknown => explained(error, path);
  const connection = await connect(path, seal).catch((error) => {
    throw explain(error);
  });
  const use = usage(explain);
  const { using, isOpen, end } = use;
  const contents = contentTable(connection, keptFiles(join(dirname(path), "contents")));
  const owners = ownerTable(connection);
  const find = finder(connection);
  const { tidyApprovals, ...approvals } = sqliteApprovals(using, connection, owners, seal);
  const { tidyRecords, ...records } = sqliteRecords(using, connection, find, seal);
  const { noteBegun, ...underWay } = sqliteUnderWay(using, connection, owners);
  const { tidyOldRows } = oldRows(connection);
  const tidyOthers = (): void => {
    tidyRecords();
    tidyApprovals();
    tidyOldRows();
    owners.tidy();
  };
  const { noteEnd, ...changes } = sqliteChanges(use, connection, contents, noteBegun, tidyOthers);
  const { end: leaveLine, ...locks } = sqliteLocks(using, path, connection, owners, noteEnd);
  return {
    ...approvals,
    ...locks,
    ...records,
    ...underWay,
    ...changes,
    ...sqliteGrants(using, connection, seal),
    ...sqliteHolds(using, connection, owners),
    ...sqliteReservations(using, connection),
    ...sqlitePlans(using, connection, contents, seal),
    ...sqliteTables(using, connection, owners, seal),
    ...sqliteEvents(using, connection, find),
    close: async () => {
      if (!isOpen()) return;
      await using(() => {
        end();
        leaveLine();
        try {
          owners.leave();
          connection.checkpoint("TRUNCATE");
        } finally {
          connection.close();
        }
      });
    },
  };
}
