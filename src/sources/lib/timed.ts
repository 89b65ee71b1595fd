import { Script } from "node:vm";

const CALL = new Script("globalThis[Symbol.for('toolgate.timed')]()");
const SLOT = Symbol.for("toolgate.timed");

/** Runs code whose running time a stranger controls. Throws if it takes too long. */
export function timed<T>(work: () => T, ms: number): T {
  const world = globalThis as { [SLOT]?: (() => void) | undefined };
  const before = world[SLOT];
  let made: { value: T } | undefined;
  world[SLOT] = () => {
    made = { value: work() };
  };
  try {
    CALL.runInThisContext({ timeout: ms });
  } finally {
    world[SLOT] = before;
  }
  if (!made) throw new Error("it did not end");
  return (made as { value: T }).value;
}
