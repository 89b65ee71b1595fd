import type { Access, Enforcement } from "../../../core/contracts/process.ts";
import type { Sandbox } from "./bubblewrap.ts";

/** What holds a command; `network`: whether commands may have one at all. */
export function enforcementOf(sandbox: Sandbox, network: boolean, access: Access = "read-write"): Enforcement {
  if ("missing" in sandbox) return { sandbox: "none", network: "open", reason: sandbox.missing };
  const isOpen = access === "read-write";
  return {
    sandbox: "bubblewrap",
    network: network && isOpen ? "open" : "none",
    ...(isOpen ? {} : { workspace: access }),
    ...(sandbox.weaker === undefined ? {} : { reason: sandbox.weaker }),
  };
}
