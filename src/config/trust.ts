import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile, userConfigFolder } from "./files.ts";
import { ConfigError } from "./problem.ts";

type Accepted = Record<string, string>;

const listIn = (userFolder: string): string => join(userFolder, "trusted.json");
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Returns undefined if the list exists but cannot be parsed. */
async function readAccepted(userFolder: string): Promise<Accepted | undefined> {
  try {
    const bytes = await readRegularFile(listIn(userFolder));
    if (!bytes) return {};
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Accepted) : undefined;
  } catch {
    return undefined;
  }
}

async function writeAccepted(userFolder: string, accepted: Accepted): Promise<void> {
  await mkdir(userFolder, { recursive: true, mode: 0o700 });
  const temporary = join(userFolder, `.trusted-${randomUUID()}`);
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(accepted, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, listIn(userFolder));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Whether a person accepted exactly these bytes as this file. An unreadable list accepts nothing. */
export async function isTrusted(file: string, bytes: Uint8Array, userFolder = userConfigFolder()): Promise<boolean> {
  const accepted = await readAccepted(userFolder);
  const real = realpathSync.native(file);
  return accepted?.[real] === hashOf(bytes);
}

/** Scripts have separate entries, so that accepting one as a script does not accept it as a configuration. */
const SCRIPT = "script:";

/** The accepted scripts that configurations run: hashes by real path. */
export async function acceptedScripts(userFolder = userConfigFolder()): Promise<Record<string, string>> {
  const accepted = Object.entries((await readAccepted(userFolder)) ?? {});
  return Object.fromEntries(
    accepted.filter(([name]) => name.startsWith(SCRIPT)).map(([name, hash]) => [name.slice(SCRIPT.length), hash]),
  );
}

/** `scripts` are what the configuration would run: hashes by real path. */
type Word = { bytes?: Uint8Array; scripts?: Readonly<Record<string, string>>; userFolder?: string };

/** Records that a person accepts a file as it is now, or the `bytes` that were shown, and the scripts that it runs. */
export async function trust(
  file: string,
  { bytes, scripts = {}, userFolder = userConfigFolder() }: Word = {},
): Promise<{ file: string; hash: string }> {
  const content = bytes ?? (await readRegularFile(file));
  if (!content) throw new ConfigError([{ source: file, message: "there is no such file to trust" }]);
  const accepted = await readAccepted(userFolder);
  if (!accepted)
    throw new ConfigError([
      { source: listIn(userFolder), message: "it is not a list of accepted files; remove it and try again" },
    ]);
  const real = realpathSync.native(file);
  const hash = hashOf(content);
  const run = Object.entries(scripts).map(([name, content]) => [`${SCRIPT}${name}`, content]);
  await writeAccepted(userFolder, { ...accepted, [real]: hash, ...Object.fromEntries(run) });
  return { file: real, hash };
}
