import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

const MOST_BYTES = 1_000_000;

/** The folder of the user's own configuration. */
export function userConfigFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CONFIG_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), ".config"), "toolgate");
}

/** The user's folder, by name and by real path, even if it does not exist. */
export function userConfigPlaces(): string[] {
  const folder = userConfigFolder();
  return [...new Set([folder, realPlace(folder)])];
}

/** Where a path really leads, resolving as much of it as exists. */
export function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPlace(dirname(path)), basename(path));
  }
}

export const isMissing = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
};

/** The bytes of a regular file; undefined if nothing is there. Never blocks on a FIFO. */
export async function readRegularFile(file: string, flags = 0): Promise<Uint8Array | undefined> {
  let opened: number;
  try {
    // synchronous, because such files are small and starting a thread takes longer
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const info = fstatSync(opened);
    if (!info.isFile()) throw new Error("it is not a regular file");
    if (info.size > MOST_BYTES) throw new Error(`it has ${info.size} bytes; at most ${MOST_BYTES} are accepted`);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}
