import { setImmediate } from "node:timers/promises";
import { ticks } from "./ticks.ts";

/** Yields at the latest after `MOST` files; the elapsed time is checked every `EVERY` files. */
const MOST = 256;
const EVERY = 8;
const LONGEST_MS = 15;
let count = 0;
let last = 0;

/**
 * Files are read synchronously because that is faster, but reading very many in a row would block the event loop. Now
 * and then this returns a promise to wait for, which lets others run.
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
