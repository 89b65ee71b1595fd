import { setImmediate } from "node:timers/promises";

const EVERY = 256;
let count = 0;

/**
 * Files are looked at without waiting, because that is quicker; who looks at very many would keep everybody else from their
 * turn. So now and then there is something to wait for.
 */
export const breath = (): Promise<void> | undefined => {
  count += 1;
  return count % EVERY === 0 ? setImmediate() : undefined;
};
