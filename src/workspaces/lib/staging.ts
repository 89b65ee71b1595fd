import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { type Bytes, isLinkMode } from "../../core/contracts/workspace.ts";
import { pathIn } from "../../core/words/containment.ts";
import { errorCode } from "./failures.ts";
import { type Folder, openOrMakeFolder } from "./opened.ts";
import { processSpace } from "./platform.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants;
const STAGED = /^\.staged\.(\d+)\.(\d+)\.[0-9a-f]{24}$/;
const DAY = 86_400_000;
const IGNORE_ALL = "*\n";

/** The attributes of a staged file; without a mode it gets that of a new file. */
export type Likeness = { mode?: number; uid?: number; gid?: number };

/** Contains the pid of the process that made it, so that leftovers of a dead one can be recognized. */
export const stagedName = (): string =>
  `.staged.${process.pid}.${processSpace}.${randomUUID().replaceAll("-", "").slice(0, 24)}`;

const settled = (act: (done: (error: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));

// up to this size writing is quick, and the fsync can overlap with recording the intent
const QUICK = 1 << 23;

async function writeAll(fd: number, content: Bytes): Promise<void> {
  for (let written = 0; written < content.length; ) written += await writeLater(fd, content, written);
}

function writeAtOnce(fd: number, content: Bytes): void {
  for (let written = 0; written < content.length; )
    written += fs.writeSync(fd, content, written, content.length - written, written);
}

const writeLater = (fd: number, content: Bytes, from: number): Promise<number> =>
  new Promise((resolve, reject) => {
    fs.write(fd, content, from, content.length - from, from, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });

function giveOwner(fd: number, like: Likeness): void {
  if (like.uid === undefined && like.gid === undefined) return;
  try {
    fs.fchownSync(fd, like.uid ?? -1, like.gid ?? -1);
  } catch {
    // without the right to change the owner, it stays as it is
  }
}

/** Writes a new file, and returns it open when it is on disk. This is the file's only fsync. A link is not opened. */
export async function stageOpen(
  folder: Folder,
  name: string,
  content: Bytes,
  like: Likeness,
): Promise<number | undefined> {
  if (isLinkMode(like.mode)) {
    fs.symlinkSync(Buffer.from(content), folder.at(name));
    return undefined;
  }
  const fd = fs.openSync(
    folder.at(name),
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    like.mode === undefined ? 0o666 : 0o600,
  );
  try {
    if (content.length <= QUICK) writeAtOnce(fd, content);
    else await writeAll(fd, content);
    // changing the owner clears setuid bits, so the mode is set after it
    giveOwner(fd, like);
    if (like.mode !== undefined) fs.fchmodSync(fd, like.mode);
    await settled((done) => fs.fsync(fd, done));
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Writes a new file and resolves when it is on disk. */
export async function stage(...file: Parameters<typeof stageOpen>): Promise<void> {
  const fd = await stageOpen(...file);
  if (fd !== undefined) fs.closeSync(fd);
}

export function discard(folder: Folder, name: string): void {
  try {
    fs.unlinkSync(folder.at(name));
  } catch {
    // already gone
  }
}

/** Opens the staging folder, created on first use and never through a link. */
export const openStaging = (state: string, root: string): Folder =>
  openOrMakeFolder(pathIn(state, "tmp"), root, state, [], 0o700);

/** Makes git ignore the state folder, whatever a cloned repository has in its place. */
export function ignoreByGit(state: string, root: string): void {
  const folder = openOrMakeFolder(state, root, state, [], 0o700);
  const file = folder.at(".gitignore");
  try {
    if (holdsText(file, IGNORE_ALL)) return;
    fs.rmSync(file, { recursive: true, force: true });
    fs.writeFileSync(file, IGNORE_ALL, { flag: "wx" });
  } catch (error) {
    // two processes created it at once, and either version will do
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    folder.close();
  }
}

const holdsText = (file: string, text: string): boolean => {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === text.length && fs.readFileSync(file, "utf8") === text;
};

const isDead = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
};

/** Removes what processes left that died while staging. Leftovers of other pid namespaces go after a day. */
export function sweep(folder: Folder): void {
  for (const name of fs.readdirSync(folder.self)) {
    const [, pid, itsSpace] = STAGED.exec(name) ?? [];
    if (pid === undefined) continue;
    const age = Date.now() - (fs.lstatSync(folder.at(name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (itsSpace === processSpace ? isDead(Number(pid)) : age > DAY) discard(folder, name);
  }
}
