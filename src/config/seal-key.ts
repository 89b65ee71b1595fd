import { createHmac, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userConfigFolder } from "./files.ts";

const KEY_BYTES = 32;

/** Throws if another process was faster. The key exists completely or not at all, even after a power failure. */
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

/** If no key can be stored, a random one lasts for this process: what was sealed in others then does not count. */
function personsKey(userFolder: string): Buffer {
  const file = join(userFolder, "key");
  try {
    if (!readKey(file)) makeKey(userFolder, file);
  } catch {
    // another process made it, or it cannot be stored: the next read decides
  }
  return readKey(file) ?? randomBytes(KEY_BYTES);
}

/** Signs what this person said in this workspace. Reads or creates the key on first use. */
export function sealFor(workspace: string, userFolder?: string): (text: string) => string {
  let known: { key: Buffer; place: string } | undefined;
  return (text) => {
    known ??= { key: personsKey(userFolder ?? userConfigFolder()), place: realpathSync(workspace) };
    return createHmac("sha256", known.key).update(`${known.place}\0${text}`).digest("hex");
  };
}
