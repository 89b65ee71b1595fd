import { expect, test } from "vitest";
import { storeContract } from "../../test/contracts/store.ts";
import { callRecord } from "../../test/contracts/store-samples.ts";
import { memoryRecords } from "./lib/memory/records.ts";
import { usage } from "./lib/usage.ts";
import { memoryStore } from "./memory.ts";

storeContract("memory", async () => ({ store: memoryStore(), done: async () => {} }));

test("records are dropped beyond so many, the oldest first", async () => {
  let seq = 0;
  const records = memoryRecords(usage().using, () => ++seq, 100);
  for (let at = 0; at < 215; at++) await records.record([callRecord(`c${at}`)]);
  const kept = await records.records({ order: "oldest-first" });
  expect([kept.length, kept[0]?.call, kept.at(-1)?.call]).toEqual([105, "call-c110", "call-c214"]);
  expect(await records.verify()).toMatchObject({ records: 105, pruned: 110 });
});
