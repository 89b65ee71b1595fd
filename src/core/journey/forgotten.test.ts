import { expect, test } from "vitest";
import { memoryStore } from "../../stores/memory.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import { addForgotten, handedOver } from "./forgotten.ts";
import type { Parts } from "./journey-parts.ts";

const HOUR = 3_600_000;

/** So many calls that were handed over, looked at after some time. */
async function forgetting(count: number, hours: number) {
  const store = memoryStore();
  const rows = handedOver({ store });
  for (let n = 0; n < count; n++) await rows.put(`k${String(n).padStart(4, "0")}`, { record: { id: `r${n}` } });
  const records: CallRecord[] = [];
  const taken: string[] = [];
  const parts = {
    store,
    clock: { now: () => Date.now() + hours * HOUR },
    recorder: { add: (record: CallRecord) => void records.push(record) },
    pictures: { take: (id: string) => Promise.reject(new Error(`gone ${taken.push(id)}`)) },
  } as unknown as Pick<Parts, "store" | "clock" | "pictures" | "recorder">;
  return { rows, parts, records, taken };
}

test.each([0, 1, 99, 100, 101, 250])(
  "%i calls whose end nobody told get a record each, and are gone",
  async (count) => {
    const { rows, parts, records, taken } = await forgetting(count, 7);
    await addForgotten(parts);
    const all = Array.from({ length: count }, (_, n) => `r${n}`);
    expect(records.map(({ id }) => id)).toEqual(all);
    expect(taken, "what was kept for them goes, too").toEqual(all);
    expect(await rows.list()).toEqual([]);
    for (const record of records)
      expect(record).toMatchObject({
        status: "failed",
        error: { code: "UNKNOWN", message: "The agent that made this call did not report how it ended." },
      });
  },
);

test("calls that may still be told of are left alone", async () => {
  const { rows, parts, records } = await forgetting(3, 5);
  await addForgotten(parts);
  expect([records, (await rows.list()).length]).toEqual([[], 3]);
});

test("a call whose end is told meanwhile gets no second record", async () => {
  const { rows, parts, records, taken } = await forgetting(3, 7);
  const table = {
    ...rows,
    list: rows.list.bind(rows),
    remove: async (key: string) => key !== "k0001" && rows.remove(key),
  };
  await addForgotten({ ...parts, store: { ...parts.store, table: () => table } as never });
  expect(records.map(({ id }) => id)).toEqual(["r0", "r2"]);
  expect(taken).toEqual(["r0", "r2"]);
});

test("calls that cannot be taken are not looked at without end", async () => {
  const { rows, parts, records } = await forgetting(150, 7);
  let looks = 0;
  const list: typeof rows.list = (query) => {
    if (++looks > 5) throw new Error("it looks at the same calls again and again");
    return rows.list(query);
  };
  await addForgotten({
    ...parts,
    store: { ...parts.store, table: () => ({ ...rows, list, remove: async () => false }) } as never,
  });
  expect([looks, records]).toEqual([2, []]);
});
