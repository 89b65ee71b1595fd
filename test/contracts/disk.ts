import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Change, Workspace } from "../../src/core/contracts/workspace.ts";
import type { Place } from "../../src/core/words/touch.ts";
import { type LocalOptions, localWorkspace } from "../../src/workspaces/local.ts";

export type Disk = ReturnType<typeof disk>;

/** A workspace on the disk in a folder of its own, with a folder beside it that is none of its business. */
export function disk(options: Partial<LocalOptions> = {}) {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-disk-")));
  onTestFinished(() => fs.rmSync(top, { recursive: true, force: true }));
  const root = path.join(top, "ws");
  const outside = path.join(top, "outside");
  for (const folder of [root, outside]) fs.mkdirSync(folder);
  const workspace: Workspace = localWorkspace({ root, ...options });
  const on = (file: string): string => path.join(root, file);
  const at = (file: string): Place => workspace.locate(file) as Place;
  const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));
  return {
    top,
    root,
    outside,
    workspace,
    on,
    at,
    put(file: string, content: string | Uint8Array, mode = 0o644): void {
      fs.mkdirSync(path.dirname(on(file)), { recursive: true });
      fs.writeFileSync(on(file), content);
      fs.chmodSync(on(file), mode);
    },
    text: (file: string): string | undefined =>
      fs.existsSync(on(file)) ? fs.readFileSync(on(file), "utf8") : undefined,
    mode: (file: string): number => fs.statSync(on(file)).mode & 0o7777,
    change: (file: string, before: string | null, after: string | null, mode?: number): Change => ({
      place: at(file),
      before: bytes(before),
      after: bytes(after),
      ...(mode !== undefined && { mode }),
    }),
    commit: (changes: readonly Change[], intend: () => unknown = () => {}) =>
      workspace.files.commit(changes, async () => void (await intend())),
    staged: (): string[] => fs.readdirSync(on(".toolgate/tmp")),
    /** Descriptors of this process on anything below. */
    leaks: (): string[] =>
      fs
        .readdirSync("/proc/self/fd")
        .map(targetOf)
        .filter((target) => target.startsWith(top)),
  };
}

export const targetOf = (fd: number | string): string => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
};

export const failure = (code: string) => ({ name: "ToolFailure", code });
export const systemError = (code: string): Error => Object.assign(new Error(`the disk says ${code}`), { code });
