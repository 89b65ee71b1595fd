import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { folder } from "../harness.ts";

export const SCRIPT = fileURLToPath(new URL("./plain-server.mjs", import.meta.url));

export type Plain = {
  /** For `mcp_servers`. */
  setting: { command: string; args: string[] };
  /** Every start of it, and every message that it got. */
  log(): string[];
  /** What it offers and does from its next look on. */
  say(plan: object): void;
};

/** A server by hand, which does what it is told to: no library of ours or of others is in it. */
export function plainServer(plan: object = {}): Plain {
  const dir = folder({ "plan.json": JSON.stringify(plan) });
  const log = path.join(dir, "log");
  return {
    setting: { command: process.execPath, args: [SCRIPT, dir] },
    log: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    say: (next) => writePlan(dir, next),
  };
}

/** At once, or not at all: the server may be reading it. */
function writePlan(dir: string, plan: object): void {
  writeFileSync(path.join(dir, "next.json"), JSON.stringify(plan));
  renameSync(path.join(dir, "next.json"), path.join(dir, "plan.json"));
}
