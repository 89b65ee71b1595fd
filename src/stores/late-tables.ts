import type { Store } from "../core/contracts/store/store.ts";
import type { Table, Tables } from "../core/contracts/store/tables.ts";

/** Tables of a store that is opened on first use: most runs never need it. */
export function lateTables(open: () => Promise<Store>): Tables & { close(): Promise<void> } {
  let opening: Promise<Store> | undefined;
  const store = (): Promise<Store> => {
    opening ??= open().catch((error: unknown) => {
      // the next use tries again
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    table: (name): Table => ({
      get: async (key) => (await store()).table(name).get(key),
      put: async (key, value, options) => (await store()).table(name).put(key, value, options),
      remove: async (key, options) => (await store()).table(name).remove(key, options),
      list: async (query) => (await store()).table(name).list(query),
    }),
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
