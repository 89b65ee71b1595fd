import type { Facts, Policy } from "../core/contracts/policy.ts";
import { type Bytes, type Stamp, sameStamp } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import type { Place } from "../core/words/touch.ts";
import { decode } from "../text/decode.ts";

export type WriteSafety = "off" | "warn" | "strict";

const BY = "write-safety";

/**
 * A file must have been read in this session, and be unchanged since then, before it is changed. `describing`: the tool
 * to look with at what cannot be read as text.
 */
export function writeSafety(setting: WriteSafety, describing: string): Policy {
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
          next: isText(first)
            ? `Read ${first.shown} first, then edit it.`
            : `${first.shown} is not text: look at it with ${describing} first.`,
        };
      return { by: BY, notes: blind.map(({ shown, why }) => `[${shown} ${why} before this call changed it.]`) };
    },
  };
}

/** `before`: the content, if it is known. */
type Blind = { shown: string; why: string; before?: Bytes };

const isText = ({ before }: Blind): boolean => before === undefined || decode(before) !== undefined;

function blindChanges({ changes, replaces = [] }: Ready, facts: Facts): Blind[] {
  const found: Blind[] = [];
  // undo and redo know the content that they restore
  for (const { place, before, after, stamp, undoes, redoes, whole = after === null } of changes)
    if (before !== null && !undoes && !redoes) {
      const why = whyBlind(place, stamp, whole, facts);
      if (why) found.push({ shown: place.shown, why, before });
    }
  for (const { place, stamp } of replaces) {
    const why = whyBlind(place, stamp, true, facts);
    if (why) found.push({ shown: place.shown, why });
  }
  return found;
}

/** `whole`: what was not read would be lost or changed as well. */
function whyBlind({ real }: Place, now: Stamp | undefined, whole: boolean, facts: Facts): string | undefined {
  const seen = facts.seen(real);
  if (!seen) return "was not read in this session";
  if (now && !sameStamp(seen, now)) return "has changed since it was read";
  return whole && seen.inPart ? "was read only in part in this session" : undefined;
}
