import fs from "node:fs";
import path from "node:path";
import { STATE_FOLDER } from "../core/words/governing.ts";
import { type Folder, openOrMakeFolder } from "./lib/opened.ts";
import { ignoreByGit } from "./lib/staging.ts";

const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;
const MOST_KEPT_BYTES = 200_000_000;

/** Where a workspace's own state lives, out of version control; never behind a link. */
export function stateFolder(root: string): string {
  const folder = path.join(root, STATE_FOLDER);
  ignoreByGit(folder, root);
  return folder;
}

/** Keeps outputs that were too long to be shown, as files that can be read page by page; old ones go. */
export function keptOutputs(root: string): (id: string, text: string) => Promise<string> {
  let pruned = false;
  return async (id, text) => {
    const folder = openOrMakeFolder(path.join(stateFolder(root), "output"), root, "output", [], 0o700);
    try {
      if (!pruned) await prune(folder);
      pruned = true;
      const name = `${id.replace(/[^\w-]/g, "_")}.txt`;
      await fs.promises.writeFile(folder.at(name), text, { flag: "wx", mode: 0o600 });
      return `${STATE_FOLDER}/output/${name}`;
    } finally {
      folder.close();
    }
  };
}

async function prune(folder: Folder): Promise<void> {
  const files = await Promise.all(
    (await fs.promises.readdir(folder.self)).map(async (name) => {
      const file = folder.at(name);
      const { mtimeMs, size } = await fs.promises.lstat(file);
      return { file, mtimeMs, size };
    }),
  );
  let bytes = 0;
  for (const { file, mtimeMs, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (Date.now() - mtimeMs > KEPT_DAYS * DAY_MS || bytes > MOST_KEPT_BYTES)
      await fs.promises.rm(file, { force: true });
  }
}
