import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { Bytes } from "../core/workspace.ts";

/** The machine's own time. */
export const machineClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

const prefix = randomBytes(9).toString("base64url");
let made = 0;
/** Unique everywhere, and cheap: one random prefix a process, then a count. */
export const newID = (): string => `${prefix}${(made++).toString(36)}`;

export const sha256 = (bytes: Bytes): string => createHash("sha256").update(bytes).digest("hex");

export const equalBytes = (a: Bytes | null, b: Bytes | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && Buffer.compare(a, b) === 0);
