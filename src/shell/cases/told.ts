import type { Claim } from "../../core/words/touch.ts";
import { type AnalyseOptions, analyse } from "../analyse.ts";

const permissions = (claim: Extract<Claim, { action: "unknown" }>): string =>
  claim.permissions.map((permission) => permission[0]).join("");

const touched = (claim: Claim): string => {
  switch (claim.action) {
    case "read":
    case "list":
    case "write":
    case "delete":
      return `${claim.action} ${claim.target}${claim.scope ? `/${claim.scope}` : ""}${claim.certain === false ? "?" : ""}`;
    case "fetch":
      return `fetch ${claim.url}`;
    case "signal":
      return `signal ${claim.target}`;
    case "unknown":
      return `any ${permissions(claim)}`;
    default:
      return claim.action;
  }
};

/** All that an analysis says, in one line: the verdict, each command with its class, what is touched, and why. */
export const told = (line: string, options: AnalyseOptions = {}): string => {
  const { class: kind, risk, segments, touches, reason, parsed } = analyse(line, options);
  const commands = segments.map((segment) => `${segment.program ?? "·"} ${segment.class}`).join(", ");
  const verdict = `${kind} ${risk}${parsed ? "" : " unparsed"}`;
  return [verdict, commands, touches.map(touched).join(", "), reason].join(" | ");
};
