import fs from "node:fs";
import { vi } from "vitest";
import type { Found, Watch } from "../../src/core/contracts/workspace.ts";
import type { PathTouch } from "../../src/core/words/touch.ts";
import { type Disk, targetOf } from "./disk.ts";

const hash = (bytes: Uint8Array) => `#${Buffer.from(bytes)}`;

export const watching = (one: Disk, ...touches: PathTouch[]): Promise<Watch> =>
  one.workspace.watch?.(touches, hash) as Promise<Watch>;

const told = ({ place, before, after, modeBefore, modeAfter }: Found) => ({
  file: place.shown,
  before: before && Buffer.from(before).toString(),
  after,
  ...(modeBefore !== modeAfter && { modes: [modeBefore, modeAfter] }),
});

/** What a command that does this is found to have done. */
export async function aftermath(one: Disk, act: () => void, ...touches: PathTouch[]) {
  const watch = await watching(one, ...touches);
  act();
  const { found, lost, whole } = await watch.end();
  return { found: found.map(told), lost: [...lost].sort(), whole };
}

/** From now on the disk's clock stands still for this file: whoever looks sees one and the same time. */
export function stopClock(file: string, ms: number): void {
  const { ino } = fs.lstatSync(file);
  const frozen = { mtimeMs: ms, ctimeMs: ms, ino };
  const [byName, byNumber] = [fs.lstatSync, fs.fstatSync] as ((...given: unknown[]) => fs.Stats)[];
  vi.spyOn(fs, "lstatSync").mockImplementation(((...given: unknown[]) => {
    const stats = byName?.(...given);
    return stats && given[0] === file ? Object.assign(stats, frozen) : stats;
  }) as never);
  vi.spyOn(fs, "fstatSync").mockImplementation(((...given: unknown[]) => {
    const stats = byNumber?.(...given);
    return stats && targetOf(given[0] as number) === file ? Object.assign(stats, frozen) : stats;
  }) as never);
}

// a clock that is ahead leaves the same doubt as one that has just moved, at any speed of this machine
export const young = () => Date.now() + 60_000;
export const old = () => Date.now() - 60_000;
