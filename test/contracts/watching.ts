import type { Found, Watch } from "../../src/core/contracts/workspace.ts";
import type { PathTouch } from "../../src/core/words/touch.ts";
import type { Disk } from "./disk.ts";

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
