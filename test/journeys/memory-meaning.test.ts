import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import type { Recalled } from "../../src/tools/lib/memories.ts";
import { type Asked, dataOf, embedder, meant, type Reply } from "../agents/embedder.ts";
import { bench, folder } from "./harness.ts";

const foundIn = (result: { metadata: Record<string, unknown> }): Recalled[] => result.metadata.memories as Recalled[];
const why = (found: Recalled[]) => found.map(({ key, by }) => `${key}: ${by}`);

const FACTS = {
  "release day": "Every Tuesday, after the tests.",
  pets: "The office has one kitten.",
  storage: "Everything lies in postgres.",
  "ship it": "Deploy by hand on Fridays.",
};

/** A gate whose memories are searched by meaning, and what the model was asked. */
async function remembering(
  reply?: (asked: Asked, count: number) => Reply | undefined,
  given: { store?: ReturnType<typeof memoryStore>; name?: string; facts?: Record<string, string>; dir?: string } = {},
) {
  const { url, asked } = await embedder(reply);
  const embeddings = { name: given.name ?? "e5", base_url: url };
  const { store = memoryStore(), facts = FACTS } = given;
  const place = { ...(given.dir && { dir: given.dir }) };
  const it = await bench({}, { toolset: "memory", store, ...place, config: { memory: { embeddings } } });
  for (const [key, content] of Object.entries(facts)) await it.call("memory_store", { key, content });
  const recall = (query: string, more: object = {}) => it.call("memory_recall", { query, ...more });
  return { ...it, url, asked, store, recall };
}

describe("memories are found by meaning", () => {
  test("also where no word is the same, and the answer says why each was found", async () => {
    const { recall } = await remembering();
    const cats = await recall("feline");
    expect(why(foundIn(cats))).toEqual(["pets: meaning"]);
    expect(cats.output).toMatch(/- \[core\] pets: The office has one kitten\.\n {2}\[100%: by meaning \(1\.00\); /);
    expect(cats.metadata).toMatchObject({ embeddings: "e5" });

    const both = await recall("when do we deploy");
    expect(why(foundIn(both))).toEqual(["ship it: both", "release day: meaning"]);
    expect(both.output).toMatch(/\[100%: deploy in content, by meaning \(1\.00\); /);

    const words = await recall("office tuesday");
    expect(why(foundIn(words)).sort()).toEqual(["pets: words", "release day: words"]);
    expect((await recall("zebra")).output).toBe("No matching memories found.");
  });

  test("what is forgotten or replaced is not found by what it meant", async () => {
    const { call, recall } = await remembering();
    await call("memory_store", { key: "pets", content: "There is no animal here." });
    expect(foundIn(await recall("feline"))).toEqual([]);
    await call("memory_forget", { key: "storage" });
    expect(foundIn(await recall("sql"))).toEqual([]);
  });

  test("the newest come without a model, and no answer holds a vector", async () => {
    const { recall, asked } = await remembering();
    const before = asked.length;
    const all = await recall("*");
    expect(asked).toHaveLength(before);
    expect(all.metadata).not.toHaveProperty("embeddings");
    for (const memory of [...foundIn(all), ...foundIn(await recall("feline"))]) {
      expect(memory).not.toHaveProperty("vector");
      expect(memory).not.toHaveProperty("version");
    }
  });

  test("both scopes are, each where it is kept", async () => {
    vi.stubEnv("XDG_CONFIG_HOME", folder());
    const { call, recall } = await remembering(undefined, { facts: {} });
    await call("memory_store", { key: "mine", content: "a kitten", scope: "user" });
    await call("memory_store", { key: "ours", content: "a cat" });
    expect(why(foundIn(await recall("feline"))).sort()).toEqual(["mine: meaning", "ours: meaning"]);
    expect(why(foundIn(await recall("feline", { scope: "user" })))).toEqual(["mine: meaning"]);
    vi.unstubAllEnvs();
  });

  test("vectors lie in the store: another process asks for the query alone", async () => {
    const dir = folder();
    const file = path.join(dir, "store.db");
    const one = await sqliteStore(file);
    await (await remembering(undefined, { store: one })).gate.close();
    await one.close();
    const two = await sqliteStore(file);
    const { recall, asked } = await remembering(undefined, { store: two, facts: {} });
    expect(why(foundIn(await recall("feline")))).toEqual(["pets: meaning"]);
    expect(asked.map(({ input }) => input)).toEqual([["feline"]]);
    await two.close();
  });
});

describe("vectors are made where they are missing", () => {
  test("for what was kept before there was a model, once", async () => {
    const store = memoryStore();
    const before = await bench({}, { toolset: "memory", store });
    for (const [key, content] of Object.entries(FACTS)) await before.call("memory_store", { key, content });
    const { recall, asked } = await remembering(undefined, { store, facts: {} });
    expect(why(foundIn(await recall("feline")))).toEqual(["pets: meaning"]);
    await recall("sql");
    expect(asked.map(({ input }) => input.length)).toEqual([1, 4, 1]);
  });

  test("anew for another model, or for one that has changed", async () => {
    const { store } = await remembering();
    const other = await remembering(undefined, { store, name: "other", facts: {} });
    expect(why(foundIn(await other.recall("feline")))).toEqual(["pets: meaning"]);
    expect(other.asked.map(({ model, input }) => [model, input.length])).toEqual([
      ["other", 1],
      ["other", 4],
    ]);
    const longer = ({ input }: Asked) => ({ body: dataOf(input.map((text) => meant(text, 3))) });
    const changed = await remembering(longer, { store, name: "other", facts: {} });
    expect(why(foundIn(await changed.recall("feline")))).toEqual(["pets: meaning"]);
    expect(changed.asked.map(({ input }) => input.length)).toEqual([1, 4]);
  });

  test("so many at a time, the newest first, and it says how many are left", async () => {
    const store = memoryStore();
    const rows = store.table("memory/");
    const row = { category: "core", agent: "main", session: "s" };
    for (let at = 0; at < 300; at++) await rows.put(`n${at}`, { ...row, content: "something", at });
    await rows.put("old", { ...row, content: "a kitten", at: -1 });
    const { recall, asked } = await remembering(undefined, { store, facts: {} });
    const first = await recall("feline");
    expect(foundIn(first)).toEqual([]);
    expect(first.output).toContain("[45 memories were searched by words alone: the next search goes on");
    const second = await recall("feline");
    expect(why(foundIn(second))).toEqual(["old: meaning"]);
    expect(second.output).not.toContain("words alone");
    expect(asked.map(({ input }) => input.length)).toEqual([1, 64, 64, 64, 64, 1, 45]);
  });

  test("a memory that somebody replaced meanwhile keeps what it says now", async () => {
    const store = memoryStore();
    const rows = store.table("memory/");
    const row = { category: "core", agent: "main", session: "s", at: 1 };
    await rows.put("pets", { ...row, content: "a kitten" });
    let replaced: Promise<unknown> | undefined;
    const { recall } = await remembering(
      () => {
        replaced ??= rows.put("pets", { ...row, content: "a database" });
        return undefined;
      },
      { store, facts: {} },
    );
    await recall("feline");
    await replaced;
    expect(foundIn(await recall("feline"))).toEqual([]);
    expect(why(foundIn(await recall("sql")))).toEqual(["pets: meaning"]);
  });
});

describe("without an answer words are enough", () => {
  const BROKEN: [what: string, reply: Reply, said: RegExp][] = [
    ["an error", { status: 500 }, /e5 at 127\.0\.0\.1:\d+ answered 500/],
    ["no right", { status: 401 }, /answered 401/],
    ["nonsense", { body: "nonsense" }, /gave no vectors that can be read/],
  ];
  test.each(BROKEN)("%s: it is found by words, and said so", async (_what, reply, said) => {
    const { call, recall, asked } = await remembering(() => reply, { facts: {} });
    const stored = await call("memory_store", { key: "pets", content: "The office has one kitten." });
    expect(stored).toMatchObject({ success: true });
    expect(stored.output).toMatch(/^Stored memory: pets\nIt is found by its words alone until its meaning is known: /);
    expect(stored.output).toMatch(said);
    const found = await recall("kitten");
    expect(why(foundIn(found))).toEqual(["pets: words"]);
    expect(found.output).toMatch(/\n\n\[Searched by words alone: e5 at .*\]$/);
    expect(found.output).toMatch(said);
    expect(found.metadata.note).toMatch(said);
    expect((await recall("zebra")).output).toMatch(/^No matching memories found\.\n\n\[Searched by words alone: /);
    // not every call waits for a service that failed
    expect(asked).toHaveLength(1);
  });

  test("a model that knows nothing of a text is no failure", async () => {
    const { recall } = await remembering(({ input }) => ({ body: dataOf(input.map(() => [0, 0])) }));
    const found = await recall("kitten");
    expect(why(foundIn(found))).toEqual(["pets: words"]);
    expect(found.output).not.toContain("words alone");
  });
});

describe("secrets", () => {
  const token = `ghp_${"a1".repeat(20)}`;
  test("are not sent: neither what is kept, nor what lies there, nor what is looked for", async () => {
    const store = memoryStore();
    const row = { category: "core", agent: "main", session: "s", at: 1 };
    await store.table("memory/").put("left", { ...row, content: `the kitten is ${token}` });
    const { call, recall, asked } = await remembering(undefined, { store, facts: {} });
    await call("memory_store", { key: "door", content: `open with ${token}` });
    const found = await recall(`kitten ${token}`);
    expect(why(foundIn(found))).toContain("left: words");
    expect(found.output).toContain("[Searched by words alone: what looks like a secret is not sent to a model.]");
    await recall("feline");
    expect(JSON.stringify(asked)).not.toContain(token);
    expect(asked.map(({ input }) => input)).toEqual([["door\nopen with [redacted GitHub token]"], ["feline"]]);
  });
});

test("a workspace's own file names no model unless it is accepted", async () => {
  const { url, asked } = await embedder();
  const dir = folder({ "toolgate.yaml": `memory:\n  embeddings: { name: e5, base_url: "${url}" }\n` });
  const { open } = await import("../../src/index.ts");
  await using gate = await open({ workspace: dir, mode: "yolo", toolset: "memory", store: "memory" });
  await gate.call({ name: "memory_store", args: { key: "pets", content: "a kitten" } });
  const { metadata } = await gate.call({ name: "memory_recall", args: { query: "feline" } });
  expect(metadata.memories).toEqual([]);
  expect(asked).toEqual([]);
  expect(gate.notes.join()).toContain("memory.embeddings");
});
