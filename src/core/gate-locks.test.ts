import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { GateLocks } from "./gate-locks.ts";

test("locks of agents are told, and let go by their tokens, whoever holds them", async () => {
  const store = memoryStore();
  const wanted = [{ resources: ["/ws/a"], shown: "a", mode: "exclusive" as const }];
  await store.hold("paths", wanted, { session: "s", agent: "main" }, 60_000);
  await store.hold("names", [{ ...wanted[0]!, resources: ["db"] }], { session: "s", agent: "main" }, 60_000);
  const locks = new GateLocks(store);
  const [lock, ...others] = await locks.list();
  expect([lock?.shown, others]).toEqual(["a", []]);
  expect(await locks.release("none")).toBe(false);
  expect(await locks.release(lock!.token)).toBe(true);
  expect(await locks.release(lock!.token)).toBe(false);
  expect(await locks.list()).toEqual([]);
});
