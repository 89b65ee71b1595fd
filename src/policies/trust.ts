import type { Policy } from "../core/contracts/policy.ts";
import { eachTouch, runsReadOnly, type Touch } from "../core/words/touch.ts";

export type TrustSettings = {
  outsideText: "off" | "ask" | "deny";
  /** No command has a network here. */
  commandsOffline: boolean;
};

/**
 * Text from outside may contain instructions for the model. Once some has come in, whatever could carry data out needs
 * a person's yes to that very call.
 */
export function trust({ outsideText, commandsOffline }: TrustSettings): Policy {
  return {
    name: "trust",
    speaksOf: ["run", "fetch", "use", "schedule", "unknown"],
    judge({ touches }, facts) {
      if (outsideText === "off" || !(facts.outside || (facts.reachedOut && !commandsOffline))) return undefined;
      const way = eachTouch(touches).find((touch) => carriesOut(touch, commandsOffline));
      if (!way) return undefined;
      return {
        answer: outsideText,
        by: "trust",
        reason: `text from outside came into this session, and ${told(way)} could carry data out (trust.outside_text)`,
      };
    },
  };
}

function carriesOut(touch: Touch, commandsOffline: boolean): boolean {
  // a command that fetches is not read-only, whatever its class
  if (touch.action === "run") return !commandsOffline && !runsReadOnly(touch);
  if (touch.action === "unknown")
    return touch.permissions.length === 0 || touch.permissions.some((each) => each === "network" || each === "execute");
  // a job runs later, when nobody remembers where it came from
  return touch.action === "fetch" || touch.action === "use" || touch.action === "schedule";
}

const told = (touch: Touch): string => {
  if (touch.action === "run") return "a command";
  if (touch.action === "schedule") return "a job for later";
  return touch.action === "fetch" ? "a request" : touch.action === "use" ? `${touch.source} ${touch.name}` : "a tool";
};
