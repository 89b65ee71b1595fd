import fs from "node:fs";
import path from "node:path";
import { STATE_FOLDER } from "../core/words/governing.ts";
import { outputsIn } from "./lib/outputs.ts";
import { ignoreByGit } from "./lib/staging.ts";

/** Where a workspace's own state lives, out of version control; never behind a link. */
export function stateFolder(root: string): string {
  const folder = path.join(root, STATE_FOLDER);
  ignoreByGit(folder, root);
  return folder;
}

/** Keeps outputs that were too long to be shown, as files that can be read page by page; old ones go. */
export function keptOutputs(root: string): (session: string, id: string, text: string) => Promise<string | undefined> {
  return async (session, id, text) => {
    const outputs = outputsIn(stateFolder(root), root);
    const bytes = Buffer.from(text);
    const { file, grant, done } = outputs.reserve(session, `${id.replace(/[^\w-]/g, "_")}.txt`);
    try {
      if (grant(bytes.length) < bytes.length) return undefined;
      await fs.promises.writeFile(file, bytes, { flag: "wx", mode: 0o600 });
      return path.relative(root, file);
    } finally {
      done();
    }
  };
}
