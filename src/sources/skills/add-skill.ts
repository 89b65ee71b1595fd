import { chmod, copyFile, lstat, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isWithin } from "../../core/words/containment.ts";

const MOST_FILES = 500;
const MOST_BYTES = 20_000_000;
const LEFT_OUT = new Set([".git", "node_modules", ".DS_Store"]);

export type Copied = { readonly folder: string; readonly files: readonly string[] };

/** The files of a skill that would be copied. Throws for anything but plain files, and for too many or too much. */
export async function filesOfSkill(folder: string): Promise<string[]> {
  const files: string[] = [];
  let bytes = 0;
  const look = async (below: string): Promise<void> => {
    for (const name of (await readdir(join(folder, below))).sort()) {
      if (LEFT_OUT.has(name)) continue;
      const path = join(below, name);
      const info = await lstat(join(folder, path));
      if (info.isDirectory()) await look(path);
      else if (!info.isFile()) throw new Error(`${path} is no plain file: links and devices are not copied`);
      else {
        files.push(path);
        bytes += info.size;
      }
      if (files.length > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
      if (bytes > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    }
  };
  await look("");
  return files;
}

/** Copies a skill into a folder of skills, below `root`, completely or not at all. Throws if it already exists. */
export async function copySkill(from: string, name: string, into: string, root?: string): Promise<Copied> {
  const files = await filesOfSkill(from);
  const folder = join(into, name);
  if (await lstat(folder).catch(() => undefined)) throw new Error(`${folder} is already there; remove it first`);
  const made = join(into, `.${name}-${process.pid}`);
  await mkdir(into, { recursive: true });
  // a cloned repository may contain a link in its place
  if (root !== undefined && !isWithin(await realpath(into), await realpath(root)))
    throw new Error(`${into} leads out of the workspace`);
  try {
    for (const file of files) {
      await mkdir(join(made, file, ".."), { recursive: true });
      await copyFile(join(from, file), join(made, file));
      const { mode } = await lstat(join(from, file));
      await chmod(join(made, file), mode & 0o111 ? 0o755 : 0o644);
    }
    await rename(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return { folder, files };
}
