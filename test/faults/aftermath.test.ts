import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type OpenOptions, open, type Store, Tool, write, z } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { folder, sleep } from "../journeys/harness.ts";
import { ALREADY_MADE, expectWellFormed } from "./audit.ts";

/** A gate on a store that does something else where it is told to. */
async function gateOn(root: string, change: (store: Store) => Partial<Store>, more: OpenOptions = {}) {
  const inner = await sqliteStore(path.join(root, ".toolgate/store.db"));
  const store = { ...inner, ...change(inner) };
  const gate = await open({ workspace: localWorkspace({ root }), store, mode: "yolo", config: {}, ...more });
  return {
    gate,
    store: inner,
    async close() {
      await gate.close();
      await inner.close();
    },
  };
}

const writer = Tool.define("writer", {
  description: "A tool of the tests which writes a file and does not wait for it.",
  permissions: { required: ["write"] },
  input: z.object({ wait: z.boolean() }),
  touches: () => [write("a.txt")],
  async execute({ wait }, { files }) {
    const writing = files.write("a.txt", new TextEncoder().encode("new\n"));
    writing.catch(() => {});
    // long enough for the write to have begun
    await sleep(20);
    if (wait) await new Promise(() => {});
    return "gone already";
  },
});

describe("a change that is under way when its call ends", () => {
  test.each([true, false])("is waited for and told (stopped: %s)", async (wait) => {
    const root = folder({ "a.txt": "old\n" });
    const stop = new AbortController();
    const slow = (store: Store): Partial<Store> => ({
      async intend(changes) {
        setTimeout(() => wait && stop.abort(), 40);
        await sleep(1_300);
        return store.intend(changes);
      },
    });
    const { gate, store, close } = await gateOn(root, slow, { tools: [writer] });
    const result = await gate.call({ name: "writer", args: { wait } }, { signal: stop.signal });
    const content = readFileSync(path.join(root, "a.txt"), "utf8");
    expectWellFormed(result);
    expect(result.status).toBe(wait ? "cancelled" : "done");
    if (wait) expect(result.error?.message).toMatch(ALREADY_MADE);
    expect(content).toBe("new\n");
    await sleep(100);
    expect(readFileSync(path.join(root, "a.txt"), "utf8"), "nothing comes after the end").toBe(content);
    expect(await store.locks()).toEqual([]);
    await close();
  });
});

test("a file that changed before the locks were taken is looked at again, where nobody was asked", async () => {
  const root = folder({ "a.txt": "old\n" });
  let first = true;
  const { gate, close } = await gateOn(root, (store) => ({
    lock(paths, holder) {
      if (first) writeFileSync(path.join(root, "a.txt"), "somebody else's\n");
      first = false;
      return store.lock(paths, holder);
    },
  }));
  const result = await gate.call({ name: "write_file", args: { path: "a.txt", content: "new\n" } });
  expect(result.status).toBe("done");
  expect(await gate.call({ name: "undo_file", args: { path: "a.txt" } })).toMatchObject({ status: "done" });
  expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("somebody else's\n");
  await close();
});

test("a turn of which one change was cut off is taken back by what happened of it", async () => {
  const root = folder({ "a.txt": "old a\n", "b.txt": "old b\n" });
  let intents = 0;
  const { gate, close } = await gateOn(root, (store) => ({
    async intend(changes) {
      const ids = await store.intend(changes);
      if (++intents === 2) throw new Error("the answer was lost, so the change is not made");
      return ids;
    },
  }));
  const call = (name: string, args: object) => gate.call({ name, args, messageID: "turn" });
  expect(await call("write_file", { path: "a.txt", content: "new\n" })).toMatchObject({ status: "done" });
  expect(await call("write_file", { path: "b.txt", content: "new\n" })).toMatchObject({ status: "failed" });
  expect(await call("undo_turn", {})).toMatchObject({ status: "done" });
  expect(readFileSync(path.join(root, "a.txt"), "utf8")).toBe("old a\n");
  expect(readFileSync(path.join(root, "b.txt"), "utf8")).toBe("old b\n");
  await close();
});

test("a turn of which nothing happened has nothing to undo", async () => {
  const root = folder({ "a.txt": "old\n" });
  const { gate, close } = await gateOn(root, (store) => ({
    async intend(changes) {
      await store.intend(changes);
      throw new Error("the answer was lost, so the change is not made");
    },
  }));
  const call = (name: string, args: object) => gate.call({ name, args, messageID: "turn" });
  expect(await call("write_file", { path: "a.txt", content: "new\n" })).toMatchObject({ status: "failed" });
  const result = await call("undo_turn", {});
  expect(result).toMatchObject({ status: "failed", error: { code: "NOT_FOUND" } });
  expect(result.error?.message).toMatch(/[Nn]othing to undo/);
  await close();
});

test("odd calls are answered too", async () => {
  const trap = {
    toString() {
      throw new Error("trap");
    },
  };
  const { gate, close } = await gateOn(folder(), () => ({}));
  for (const call of [
    { name: trap },
    { name: "read_file", id: trap },
    { name: Symbol("s") },
    { name: "x", args: trap },
  ]) {
    expectWellFormed(await gate.call(call as never));
    for (const result of await gate.callAll([call as never])) expectWellFormed(result);
    expect(await gate.explain(call as never)).toMatchObject({ verdict: "deny" });
  }
  await close();
});
