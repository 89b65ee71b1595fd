import { realPlace, userConfigFolder } from "./config/files.ts";
import { fileOf } from "./config/options.ts";
import { sealFor } from "./config/seal-key.ts";
import type { Settings } from "./config/settings.ts";
import type { Store } from "./core/contracts/store/store.ts";
import type { Tables } from "./core/contracts/store/tables.ts";
import { forgetDryRuns } from "./core/gate-plans.ts";
import { STATE_FOLDER } from "./core/words/governing.ts";
import { ToolFailure } from "./core/words/result.ts";
import { lateTables } from "./stores/late-tables.ts";
import { memoryStore } from "./stores/memory.ts";
import { sqliteStore } from "./stores/sqlite.ts";
import { machineClock } from "./workspaces/machine.ts";
import { stateFolder } from "./workspaces/state.ts";

/** Opens the store that a word or a URL names, for the workspace in this folder. */
export async function storeOf(store: string | Store, journal: Settings["journal"], root = "."): Promise<Store> {
  if (typeof store === "object") return store;
  const file = fileOf(store, `${root}/${STATE_FOLDER}/store.db`);
  if (file === undefined) return tidiedMeanwhile(memoryStore(), journal, root);
  try {
    if (store === "sqlite") stateFolder(root);
    return tidiedMeanwhile(await sqliteStore(file, sealFor(root)), journal, root);
  } catch (error) {
    if (error instanceof ToolFailure) throw new ToolFailure("CONFIG_ERROR", error.message, error.hint);
    throw new ToolFailure(
      "CONFIG_ERROR",
      `The record cannot be kept in ${store === "sqlite" ? `${root}/${STATE_FOLDER}` : file} (${(error as { code?: string }).code ?? error}).`,
      "Make the folder writable, or keep none: store: memory, in your own configuration or a file given by --config.",
    );
  }
}

/** The files of a record that is kept outside the state folder: the database, and what is written beside it. */
export function filesOf(store: string | Store): readonly string[] {
  const file = typeof store === "string" && store !== "sqlite" ? fileOf(store, "") : undefined;
  if (!file) return [];
  const place = realPlace(file);
  const contents = place.replace(/[^/\\]*$/, "contents");
  return [...["", "-wal", "-shm", "-journal"].map((ending) => place + ending), contents];
}

/** In the person's own folder if our store is on disk, else in the store itself. */
export function personalTables(kept: string | Store, store: Store): Tables & { close(): Promise<void> } {
  if (typeof kept === "string" && fileOf(kept, "file") !== undefined)
    return lateTables(() => sqliteStore(`${userConfigFolder()}/personal.db`));
  return { table: (name) => store.table(`personal/${name}`), close: async () => {} };
}

/** A store is tidied after this many records. */
const TIDY_EVERY = 10_000;

/** A store may stay open for weeks, so it is also tidied while it is open. */
function tidiedMeanwhile(store: Store, journal: Settings["journal"], root: string): Store {
  let written = 0;
  return {
    ...store,
    async record(records) {
      await store.record(records);
      written += records.length;
      if (written < TIDY_EVERY) return;
      written = 0;
      await tidy(store, journal, root);
    },
  };
}

/** Drops what exceeds the age or size that is kept. */
async function tidy(store: Store, { maxAge, maxSize }: Settings["journal"], root: string): Promise<void> {
  const now = machineClock.now();
  await forgetDryRuns(store, root, now - maxAge).catch(() => {});
  await store.tidy({ maxAgeMs: maxAge, maxBytes: maxSize, now }).catch(() => {});
}

export async function tidied(store: Store, journal: Settings["journal"], root = ""): Promise<void> {
  await tidy(store, journal, root);
  await store.close();
}

/** For doors that read the record without a gate. */
export const openStore = (folder: string): Promise<Store> =>
  sqliteStore(`${folder}/${STATE_FOLDER}/store.db`, sealFor(folder));
