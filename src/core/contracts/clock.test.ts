import { expect, test } from "vitest";
import { type Clock, turnsBy } from "./clock.ts";

test("others get a turn after a while, and not before", async () => {
  let now = 0;
  let waited = 0;
  const clock: Clock = {
    now: () => now,
    ticks: () => now,
    after: (_, callback) => {
      waited += 1;
      callback();
      return () => {};
    },
  };
  const turn = turnsBy(clock);
  for (let step = 0; step < 100; step += 1) {
    now += 1;
    await turn();
  }
  expect(waited).toBeGreaterThan(3);
  expect(waited).toBeLessThan(10);
  expect(turn()).toBeUndefined();
});
