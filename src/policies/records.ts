import type { Policy } from "../core/contracts/policy.ts";
import { isWithin, isWithinAny } from "../core/words/containment.ts";
import { folded, isShortFor } from "../core/words/folded.ts";
import { OUTPUT_FOLDER, outputFolderOf, SHOWN_OF_STATE, STATE_FOLDER } from "../core/words/governing.ts";
import { belowRoot, eachTouch, isPathTouch, type PathTouch, type Place, type Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";

/**
 * A child may not see what others did: in the state folder it reads its own outputs, and what people put there for it.
 * Otherwise a command that no sandbox keeps from the record asks before it reads it. `storeFiles`: where the record
 * is kept, if that is elsewhere.
 */
export const records = (storeFiles: readonly string[] = []): Policy => ({
  name: "records",
  speaksOf: ["read", "list", "run"],
  minds: (path) => isState(path) && !folded(path).endsWith(STATE_FOLDER),
  judge({ touches, call }, { isChild, ceiling }) {
    const own = outputFolderOf(call.sessionID);
    const isOthers = ({ place, action }: PathTouch): boolean =>
      (action === "read" || action === "list") &&
      (isWithinAny(place.real, storeFiles) || (isState(belowRoot(place)) && !isOwn(place, own)));
    if (isChild) return denied(pathsIn(touches).find(isOthers));
    if (ceiling.mode === "yolo") return undefined;
    const free = touches.filter((touch) => touch.action === "run" && touch.contained !== true);
    return asked(pathsIn(free).find((touch) => touch.action === "read" && isOthers(touch)));
  },
});

const pathsIn = (touches: readonly Touch[]): PathTouch[] => eachTouch(touches).filter(isPathTouch);

const denied = (touch: PathTouch | undefined): Verdict | undefined =>
  touch && {
    answer: "deny",
    by: "records",
    reason: `${touch.place.shown} belongs to the record, and a child may only read its own outputs there`,
  };

const asked = (touch: PathTouch | undefined): Verdict | undefined =>
  touch && {
    answer: "ask",
    by: "records",
    reason: `it would read ${touch.place.shown}, which belongs to the record of all sessions`,
    grantable: true,
    about: [touch],
  };

/** Whether a path is in a state folder, even of a workspace further down, apart from what people put there. */
function isState(path: string): boolean {
  const names = path.split("/");
  const at = names.map(folded).findIndex((name) => name === STATE_FOLDER || isShortFor(name, STATE_FOLDER));
  if (at === -1) return false;
  // another spelling may be the same folder on some disks, so nothing in it is exempt
  return names[at] !== STATE_FOLDER || !SHOWN_OF_STATE.includes(names[at + 1] ?? "");
}

const isOwn = ({ real, root }: Place, own: string): boolean =>
  isWithin(real, `${root}/${STATE_FOLDER}/${OUTPUT_FOLDER}/${own}`);
