import { expect, test } from "vitest";
import { type OpenOptions, type Policy, type Store, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "../journeys/harness.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;

/** Has a secret wherever a call can have one. */
const leaky = plain("leaky", {
  permissions: { required: ["write", "execute", "network"] },
  input: z.object({ note: z.string() }),
  touches: () => [
    { action: "write", target: "a.txt" },
    { action: "run", command: `deploy ${SECRET}`, class: "dev", inner: [{ action: "write", target: "b.txt" }] },
    { action: "fetch", url: `https://example.com/?key=${SECRET}` },
  ],
  preview: async () => [{ path: "a.txt", after: new TextEncoder().encode(`${SECRET}\n`) }],
});

const strict: Policy = {
  name: "strict",
  judge: () => ({ answer: "ask", by: "strict", reason: `it names ${SECRET}` }),
};

async function asking(options: OpenOptions) {
  const rows: string[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    ask: (row) => {
      rows.push(JSON.stringify(row));
      return inner.ask(row);
    },
  };
  const it = await bench({}, { mode: "confirm-sensitive", tools: [leaky], approve: () => "always", store, ...options });
  await it.call("leaky", { note: SECRET });
  return { rows, store };
}

test("a question that waits in the store shows no secret, and neither does the standing yes to it", async () => {
  const { rows, store } = await asking({});
  const grants = await store.grants({});
  expect([rows.length, grants.length]).toEqual([1, 3]);
  expect(rows.join()).toMatch(/redacted.*a\.txt|a\.txt.*redacted/s);
  expect(rows.join() + JSON.stringify(grants)).not.toContain(SECRET);
});

test("nor does the reason of the question; what no standing yes may answer is not remembered", async () => {
  const { rows, store } = await asking({ policies: [strict] });
  expect(rows).toHaveLength(1);
  expect(rows.join()).not.toContain(SECRET);
  expect(await store.grants({})).toEqual([]);
});
