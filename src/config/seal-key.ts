import { createHmac, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userConfigFolder } from "./files.ts";

const KEY_BYTES = 32;

/** Fails if another process was quicker; the key is there as a whole or not at all, also after a power cut. */
function makeKey(userFolder: string, file: string): void {
  const temporary = join(userFolder, `.key-${randomBytes(8).toString("hex")}`);
  mkdirSync(userFolder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporary, randomBytes(KEY_BYTES), { flag: "wx", mode: 0o600, flush: true });
    linkSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Where none can be kept, it lasts as long as this process: what was said in others then counts for nothing. */
function personsKey(userFolder: string): Buffer {
  const file = join(userFolder, "key");
  try {
    if (!readKey(file)) makeKey(userFolder, file);
  } catch {
    // another process made it, or it cannot be kept: the next look tells
  }
  return readKey(file) ?? randomBytes(KEY_BYTES);
}

/** Marks what this person said in this workspace; nothing is read or made before the first use. */
export function sealFor(workspace: string, userFolder?: string): (text: string) => string {
  let known: { key: Buffer; place: string } | undefined;
  return (text) => {
    known ??= { key: personsKey(userFolder ?? userConfigFolder()), place: realpathSync(workspace) };
    return createHmac("sha256", known.key).update(`${known.place}\0${text}`).digest("hex");
  };
}
