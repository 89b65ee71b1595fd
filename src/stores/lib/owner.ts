import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process. `host` includes the pid namespace: pids mean nothing across containers. */
export type Owner = { pid: number; started: string; host: string; boot: string };

/** A process that we cannot inspect counts as alive until it has renewed nothing for this long. */
const UNSEEN_MS = 10 * 60_000;
export const RENEW_MS = 2 * 60_000;

type ProcessState = { state: string; started: string };

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Returns undefined if there is no /proc or it does not show the process. */
function stateOf(pid: number | "self"): ProcessState | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // the second field is a name in parentheses, which may itself contain blanks and parentheses
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields?.[0], fields?.[19]];
  return state && started ? { state, started } : undefined;
}

let own: Owner | undefined;

export function thisProcess(): Owner {
  own ??= {
    pid: process.pid,
    started: stateOf("self")?.started ?? "",
    host: `${hostname()} ${attempt(() => readlinkSync("/proc/self/ns/pid")) ?? ""}`,
    boot: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? "",
  };
  return own;
}

export const isFar = (owner: Owner): boolean => owner.host !== thisProcess().host;

/**
 * Whether the owner is gone, so that what it holds is free. If in doubt, it is alive. `unrenewedFor` counts from when
 * this process first saw the owner in its current state, by its own clock: another host's clock may be wrong.
 */
export function isGone(owner: Owner, unrenewedFor: number): boolean {
  const me = thisProcess();
  if (owner.host !== me.host) return unrenewedFor > UNSEEN_MS;
  if (owner.boot !== me.boot) return true;
  if (owner.pid === me.pid) return owner.started !== me.started;
  const seen = stateOf(owner.pid);
  // a killed process that its parent has not yet reaped is shown as Z
  if (seen) return "ZX".includes(seen.state) || seen.started !== owner.started;
  return !exists(owner.pid);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
