import type { Policy } from "../core/contracts/policy.ts";

/** The answer to start from: yolo lets through, confirm-sensitive asks for what is not safe, confirm-all for everything. */
export const mode: Policy = {
  name: "mode",
  judge({ danger }, { ceiling }) {
    if (ceiling.mode === "yolo") return { answer: "allow", by: "mode", reason: "yolo lets everything through" };
    if (ceiling.mode === "confirm-sensitive" && danger === "safe")
      return { answer: "allow", by: "mode", reason: "it changes nothing" };
    const reason = ceiling.mode === "confirm-all" ? "confirm-all asks about every call" : `it is ${danger}, not safe`;
    return { answer: "ask", by: "mode", reason, grantable: true };
  },
};
