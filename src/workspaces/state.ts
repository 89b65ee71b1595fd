import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Pictures } from "../core/contracts/workspace.ts";
import { STATE_FOLDER } from "../core/words/governing.ts";
import { openOrMakeFolder } from "./lib/opened.ts";
import { outputsIn } from "./lib/outputs.ts";
import { ignoreByGit } from "./lib/staging.ts";

/** The state folder of a workspace, ignored by git and never reached through a link. */
export function stateFolder(root: string): string {
  const folder = path.join(root, STATE_FOLDER);
  ignoreByGit(folder, root);
  return folder;
}

/** Keeps outputs that were too long to show as files that can be read page by page. Old ones are removed. */
export function keptOutputs(
  root: string,
): (session: string, id: string, content: string | Uint8Array, ending?: string) => Promise<string | undefined> {
  return async (session, id, content, ending = "txt") => {
    const outputs = outputsIn(stateFolder(root), root);
    const bytes = Buffer.from(content as string);
    const name = `${id.replace(/[^\w-]/g, "_").slice(0, 150)}.${ending.replace(/\W/g, "").slice(0, 20) || "bin"}`;
    const { file, fd, grant, done } = outputs.reserve(session, name);
    let isWhole = false;
    try {
      if (grant(bytes.length) < bytes.length) return undefined;
      await writeAll(fd, bytes);
      isWhole = true;
      return path.relative(root, file);
    } finally {
      fs.closeSync(fd);
      if (!isWhole) fs.rmSync(file, { force: true });
      done();
    }
  };
}

const writeAll = promisify<number, Uint8Array>(fs.writeFile);

const PICTURES = "handed";

/** Watch pictures, passed from the process that hands a call over to the one that is told of its end. */
export function keptPictures(root: string): Pictures {
  const folder = () => path.join(stateFolder(root), PICTURES);
  const fileOf = (id: string) => path.join(folder(), id.replace(/[^\w-]/g, "_"));
  return {
    async keep(id, picture) {
      openOrMakeFolder(folder(), root, PICTURES, [], 0o700).close();
      // synchronous, because the caller has nothing else to wait for, and a thread takes longer to start
      fs.writeFileSync(fileOf(id), picture, { flag: "wx", mode: 0o600 });
    },
    async take(id) {
      const file = fileOf(id);
      const stats = fs.lstatSync(file, { throwIfNoEntry: false });
      if (!stats?.isFile()) return undefined;
      const bytes = fs.readFileSync(file);
      fs.rmSync(file, { force: true });
      return bytes;
    },
  };
}
