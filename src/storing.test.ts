import { expect, test } from "vitest";
import { callRecord } from "../test/contracts/store-samples.ts";
import { folder } from "../test/journeys/harness.ts";
import { storeOf } from "./storing.ts";

const JOURNAL = { maxAge: 3_600_000, maxSize: 100 };

test.each(["sqlite", "memory"])("%s: what is written to for long is tidied before it is closed", async (kind) => {
  const store = await storeOf(kind, JOURNAL, folder());
  try {
    const content = new Uint8Array(200).fill(7);
    const change = { record: "r", call: "c", session: "s", message: "m", tool: "t", shown: "f", at: Date.now() };
    const ids = await store.intend([{ ...change, real: "/f", before: "h", after: "x", content }]);
    await store.conclude(ids, "done");
    const write = (count: number) => store.record(Array.from({ length: count }, (_, at) => callRecord(`c${at}`)));
    await write(9_999);
    expect(await store.content("h")).toEqual(content);
    await write(1);
    expect(await store.content("h")).toBeUndefined();
    expect(await store.records({ limit: 1 })).toHaveLength(1);
  } finally {
    await store.close();
  }
});
