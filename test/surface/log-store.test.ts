import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { storeContract } from "../contracts/store.ts";
import { logStore } from "./log-store.ts";

storeContract("one of somebody's own", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-log-"));
  return {
    store: logStore(folder),
    again: async () => logStore(folder),
    done: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
