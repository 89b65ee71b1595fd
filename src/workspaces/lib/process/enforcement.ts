import type { Access, Enforcement } from "../../../core/contracts/process.ts";
import type { Sandbox } from "./bubblewrap.ts";
import type { Narrow } from "./narrow.ts";

/** How a command is contained. `network` says whether commands may have a network at all. */
export function enforcementOf(
  sandbox: Sandbox,
  network: boolean,
  access: Access = "read-write",
  narrow?: Narrow | undefined,
): Enforcement {
  if ("missing" in sandbox) return { sandbox: "none", network: "open", reason: sandbox.missing };
  const isOpen = access === "read-write" && !narrow;
  return {
    sandbox: "bubblewrap",
    network: network && isOpen ? "open" : "none",
    ...(access !== "read-write" && { workspace: access }),
    ...(narrow && { workspace: "named" as const, writes: narrow.shown }),
    ...(sandbox.weaker === undefined ? {} : { reason: sandbox.weaker }),
  };
}
