import type { Policy } from "../core/contracts/policy.ts";
import { isWithin } from "../core/words/containment.ts";
import { OUTPUT_FOLDER, outputFolderOf, SHOWN_OF_STATE, STATE_FOLDER } from "../core/words/governing.ts";
import { eachTouch, type Place } from "../core/words/touch.ts";

/** What others did is none of a child's: of the state folder it reads its own outputs, and what people put there for it. */
export const records: Policy = {
  name: "records",
  speaksOf: ["read", "list", "run"],
  judge({ touches, call }, { isChild }) {
    if (!isChild) return undefined;
    const own = outputFolderOf(call.sessionID);
    for (const touch of eachTouch(touches))
      if ((touch.action === "read" || touch.action === "list") && isOthers(touch.place, own))
        return {
          answer: "deny",
          by: "records",
          reason: `${touch.place.shown} belongs to the record, and a child may only read its own outputs there`,
        };
    return undefined;
  },
};

function isOthers({ real, root }: Place, own: string): boolean {
  const state = `${root}/${STATE_FOLDER}`;
  if (!isWithin(real.toLowerCase(), state.toLowerCase())) return false;
  return ![`${OUTPUT_FOLDER}/${own}`, ...SHOWN_OF_STATE].some((name) => isWithin(real, `${state}/${name}`));
}
