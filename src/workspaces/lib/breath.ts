import { setImmediate } from "node:timers/promises";
import { ticks } from "./ticks.ts";

/** After so many files there is a turn for others in any case; how long the last ones took is asked more often. */
const MOST = 256;
const EVERY = 8;
const LONGEST_MS = 15;
let count = 0;
let last = 0;

/**
 * Files are looked at without waiting, because that is quicker; who looks at very many would keep everybody else from their
 * turn. So now and then there is something to wait for.
 */
export const breath = (): Promise<void> | undefined => {
  count += 1;
  if (count % EVERY !== 0 || (count % MOST !== 0 && ticks() - last < LONGEST_MS)) return undefined;
  return turn();
};

async function turn(): Promise<void> {
  await setImmediate();
  last = ticks();
}
