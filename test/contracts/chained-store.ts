import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import type { Store } from "../../src/core/contracts/store/store.ts";
import { type Connection, connect } from "../../src/stores/lib/connection.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { folder } from "../journeys/harness.ts";
import { callRecord } from "./store-samples.ts";

export const seal = (text: string): string => createHash("sha256").update(`my key ${text}`).digest("hex");

/** A file for each test, with records that are chained and sealed. */
export function chainedStore() {
  let file = "";
  beforeEach(() => {
    file = join(folder(), "store.db");
  });
  const opened = async (): Promise<Store> => {
    const store = await sqliteStore(file, seal);
    onTestFinished(() => store.close());
    return store;
  };
  return {
    file: () => file,
    opened,
    /** As somebody who can write the file but has no key. */
    async forge<T>(work: (connection: Connection) => T): Promise<T> {
      const connection = await connect(file);
      try {
        return work(connection);
      } finally {
        connection.close();
      }
    },
    /**
     * Three writers. A wrote 1, 2, 4, 5, 7, 8, 10, 11; B wrote 3, 6, 9, 12, and saw A end at 2; C wrote 13, and saw A
     * end at 11 and B at 12.
     */
    async written(): Promise<Store> {
      const [a, b] = [await opened(), await opened()];
      for (let round = 0; round < 4; round++) {
        await a.record([callRecord(`a${round}`), callRecord(`b${round}`, { session: "other" })]);
        await b.record([callRecord(`c${round}`)]);
      }
      const c = await opened();
      await c.record([callRecord("d")]);
      return c;
    },
  };
}
