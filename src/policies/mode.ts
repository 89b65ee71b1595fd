import type { Policy } from "../core/contracts/policy.ts";
import { deedOf } from "../core/words/deed.ts";
import { dangerOf, type Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";

const LOOKS: Verdict = { answer: "allow", by: "mode", reason: "it changes nothing" };

/** The default answer: yolo allows, confirm-sensitive asks about what is not safe, confirm-all about everything. */
export const mode: Policy = {
  name: "mode",
  judge({ danger, touches }, { ceiling }) {
    if (ceiling.mode === "yolo") return { answer: "allow", by: "mode", reason: "yolo lets everything through" };
    if (ceiling.mode === "confirm-sensitive" && danger === "safe") return LOOKS;
    if (ceiling.mode === "confirm-all")
      return { answer: "ask", by: "mode", reason: "confirm-all asks before every call", grantable: true };
    // a tool may declare itself more dangerous than its touches: then the ask is about the whole call
    const about = dangerOf(touches) === danger ? touches.filter(isDangerous) : [];
    return {
      answer: "ask",
      by: "mode",
      reason: `${deedOf(touches, danger)}; confirm-sensitive asks before that`,
      grantable: true,
      ...(about.length > 0 && { about }),
    };
  },
};

const isDangerous = (touch: Touch): boolean => dangerOf([touch]) !== "safe";
