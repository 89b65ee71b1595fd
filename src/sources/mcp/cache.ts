import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import type { Manifest, ServedTool } from "./manifest.ts";

/** Cached manifests expire after this time. */
const HOLDS_MS = 7 * 24 * 3_600_000;
const LONGEST = 16 << 20;

type Kept = Manifest & { readonly key: string };

/** Caches what servers said about themselves, per user. The key is how and where a server is started. */
export class ManifestCache {
  readonly #folder: string;
  readonly #root: string;
  #writing: Promise<void> = Promise.resolve();
  constructor(folder: string, root: string) {
    this.#folder = folder;
    this.#root = root;
  }

  #keyOf(name: string, setting: ServerSetting): string {
    const { enabled: _, timeout: __, startupTimeout: ___, accepted: ____, ...start } = setting;
    return createHash("sha256")
      .update(JSON.stringify([name, start, this.#root]))
      .digest("hex");
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${key.slice(0, 32)}.json`);
  }

  /** Independent of how the server is started: a newer version is the same server. */
  #approvedFile(name: string): string {
    const key = createHash("sha256")
      .update(JSON.stringify([name, this.#root]))
      .digest("hex");
    return join(this.#folder, `${key.slice(0, 32)}.approved.json`);
  }

  /** The descriptions of its tools at the time they were approved. */
  async readApproved(name: string): Promise<Map<string, ServedTool>> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#approvedFile(name), "utf8"));
      return new Map((kept as ServedTool[]).map((tool) => [tool.name, tool]));
    } catch {
      return new Map();
    }
  }

  writeApproved(name: string, tools: Iterable<ServedTool>): void {
    const text = JSON.stringify([...tools]);
    this.#writing = this.#writing.then(() => putFile(this.#folder, this.#approvedFile(name), text));
  }

  /** Returns undefined if nothing is cached, or it cannot be read. */
  async read(name: string, setting: ServerSetting): Promise<Manifest | undefined> {
    const key = this.#keyOf(name, setting);
    try {
      const text = await readFile(this.#fileOf(key), "utf8");
      if (text.length > LONGEST) return undefined;
      const kept = JSON.parse(text) as Kept;
      const isWhole = kept.key === key && Array.isArray(kept.tools) && Array.isArray(kept.notes);
      const age = Date.now() - kept.at;
      return isWhole && age >= 0 && age < HOLDS_MS ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  /** Failing to write is harmless: servers are then started more often. */
  write(name: string, setting: ServerSetting, manifest: Manifest): void {
    this.#writing = this.#writing.then(() => this.#write(name, setting, manifest));
  }

  /** Resolves when everything has been written. */
  get written(): Promise<void> {
    return this.#writing;
  }

  #write(name: string, setting: ServerSetting, manifest: Manifest): Promise<void> {
    const key = this.#keyOf(name, setting);
    return putFile(this.#folder, this.#fileOf(key), JSON.stringify({ ...manifest, key } satisfies Kept));
  }
}

/** Writes atomically, readable by the user alone. Failures are ignored. */
export async function putFile(folder: string, file: string, text: string): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}
