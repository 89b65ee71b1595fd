import { expect, test } from "vitest";
import { HandClock } from "../../../test/stepping.ts";
import { cancelled, Life } from "./life.ts";

const stop = cancelled("stopped here");
const GRACE_MS = 2000;

test("what ends first is taken out, and the rest is still stopped", async () => {
  const clock = new HandClock();
  const life = new Life(clock);
  let end = (_: string) => {};
  const first = life.race(new Promise<string>((resolve) => (end = resolve)));
  const second = life.race(new Promise(() => {})).catch((error) => error);
  end("over");
  await first;
  life.stop(stop);
  expect(clock.waiting, "only the second has a grace period").toBe(1);
  await clock.pass(GRACE_MS);
  expect(await second).toBe(stop);
});

test("work that outlives its call still hands over what it made", async () => {
  const life = new Life(new HandClock());
  let end = (_: string) => {};
  const raced = life.race(new Promise<string>((resolve) => (end = resolve)));
  life.end();
  end("late");
  expect(await raced).toEqual({ value: "late" });
});

test.each([
  ["ended", async () => 1],
  ["failed", () => Promise.reject(new Error("own"))],
])("fails if what is made of it fails, once the work has %s", async (_, work) => {
  const broken = () => {
    throw new Error("broken");
  };
  const raced = new Life(new HandClock()).raceThen<unknown, never>(work(), { done: broken, failed: broken });
  await expect(raced).rejects.toThrow("broken");
});

test("what stops a call for good stops all that it belongs to, and nothing beside them", () => {
  const clock = new HandClock();
  const session = new Life(clock);
  const batch = new Life(clock, undefined, session);
  const beside = new Life(clock);
  new Life(clock, undefined, batch).stopAbove(stop);
  expect([session.stopped, batch.stopped, beside.stopped]).toEqual([stop, stop, undefined]);
});
