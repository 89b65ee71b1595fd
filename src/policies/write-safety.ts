import type { Facts, Policy } from "../core/contracts/policy.ts";
import { type Stamp, sameStamp } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import type { Place } from "../core/words/touch.ts";

export type WriteSafety = "off" | "warn" | "strict";

const BY = "write-safety";

/** A file must have been read in this session, and be unchanged since then, before it is changed. */
export function writeSafety(setting: WriteSafety): Policy {
  return {
    name: BY,
    content: true,
    speaksOf: ["run"],
    judge(ready, facts) {
      if (setting === "off") return undefined;
      const blind = blindChanges(ready, facts);
      const [first] = blind;
      if (!first) return undefined;
      if (setting === "strict")
        return {
          answer: "deny",
          by: BY,
          reason: `${first.shown} ${first.why}`,
          next: `Read ${first.shown} first, then edit it.`,
        };
      return { by: BY, notes: blind.map(({ shown, why }) => `[${shown} ${why} before this call changed it.]`) };
    },
  };
}

type Blind = { shown: string; why: string };

function blindChanges({ changes, replaces = [] }: Ready, facts: Facts): Blind[] {
  const found: Blind[] = [];
  // undo and redo know the content that they restore
  for (const { place, before, after, stamp, undoes, redoes, whole = after === null } of changes)
    if (before !== null && !undoes && !redoes) found.push(...whyBlind(place, stamp, whole, facts));
  for (const { place, stamp } of replaces) found.push(...whyBlind(place, stamp, true, facts));
  return found;
}

/** `whole`: what was not read would be lost or changed as well. */
function whyBlind({ real, shown }: Place, now: Stamp | undefined, whole: boolean, facts: Facts): Blind[] {
  const seen = facts.seen(real);
  if (!seen) return [{ shown, why: "was not read in this session" }];
  if (now && !sameStamp(seen, now)) return [{ shown, why: "has changed since it was read" }];
  if (seen.inPart?.length === 0) return [{ shown, why: "was not read in this session" }];
  return whole && seen.inPart ? [{ shown, why: "was read only in part in this session" }] : [];
}
