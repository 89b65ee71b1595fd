import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import type { Store } from "../../src/core/contracts/store/store.ts";
import { loadDriver, type Row, type Value } from "../../src/stores/lib/driver.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { folder } from "../journeys/harness.ts";

/** A file of its own for each test, opened as often as a test likes; `raw` reads and writes it behind the stores' backs. */
export function storeFile() {
  const at = { file: "" };
  beforeEach(() => {
    at.file = join(folder(), "store.db");
  });
  return {
    at,
    async opened(): Promise<Store> {
      const store = await sqliteStore(at.file);
      onTestFinished(() => store.close());
      return store;
    },
    async raw(text: string, ...values: Value[]): Promise<Row[]> {
      const database = new (await loadDriver())(at.file);
      try {
        database.exec("PRAGMA foreign_keys = ON");
        return database.prepare(text).all(...values);
      } finally {
        database.close();
      }
    },
  };
}
