import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Store } from "../../src/core/contracts/store/store.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { asked } from "../contracts/store-driver.ts";
import { bench } from "../journeys/harness.ts";

vi.mock("../../src/stores/lib/driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("../../src/stores/lib/driver.ts")>();
  const { watched } = await import("../contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

const INTENT = /INSERT INTO changes/;

/** What reached the disk and what became visible, in the order in which it happened. */
beforeEach(() => {
  const { fsync, renameSync, unlinkSync } = fs;
  vi.spyOn(fs, "fsync").mockImplementation((fd, done) => {
    fsync(fd, (error) => {
      asked.texts.push("fsync");
      done(error);
    });
  });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    asked.texts.push(`visible ${path.basename(String(to))}`);
    renameSync(from, to);
  });
  vi.spyOn(fs, "unlinkSync").mockImplementation((file) => {
    asked.texts.push(`visible ${path.basename(String(file))}`);
    unlinkSync(file);
  });
});
afterEach(() => void vi.restoreAllMocks());

describe("the intent and the new content are on the disk before anything is seen of a change", () => {
  const patch = (text: string): object => ({ patch: text });
  test.each<[string, { name: string; args: object }, string[]]>([
    ["a new file", { name: "write_file", args: { path: "new", content: "new" } }, ["new"]],
    ["a file that is written over", { name: "write_file", args: { path: "a", content: "new" } }, ["a"]],
    ["an edit", { name: "edit_file", args: { path: "a", old_str: "one", new_str: "two" } }, ["a"]],
    ["a removal", { name: "apply_patch", args: patch("--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n") }, ["a"]],
    [
      "two files at once",
      {
        name: "apply_patch",
        args: patch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-one\n+two\n"),
      },
      ["a", "b"],
    ],
  ])("%s", async (_, { name, args }, files) => {
    const { call } = await bench({ a: "one\n", b: "one\n" }, { config: { workspace: { allow_delete: true } } });
    asked.clear();
    expect(await call(name, args)).toMatchObject({ status: "done" });
    const visible = files.map((file) => asked.texts.indexOf(`visible ${file}`));
    const first = Math.min(...visible);
    expect(first, asked.texts.join("\n")).toBeGreaterThanOrEqual(0);
    const before = asked.texts.slice(0, first);
    expect(before.filter((text) => INTENT.test(text))).toHaveLength(files.length);
    const intended = before.findLastIndex((text) => INTENT.test(text));
    expect(before.slice(intended).find((text) => text.startsWith("COMMIT"))).toBe("COMMIT full");
    const written = (args as { patch?: string }).patch?.includes("/dev/null") ? 0 : files.length;
    expect(before.filter((text) => text === "fsync")).toHaveLength(written);
  });

  test("taking it back is a change like any other", async () => {
    const { call } = await bench({ a: "one\n" });
    await call("write_file", { path: "a", content: "two\n" });
    asked.clear();
    expect(await call("undo_file", { path: "a" })).toMatchObject({ status: "done" });
    const before = asked.texts.slice(0, asked.texts.indexOf("visible a"));
    expect(before.filter((text) => INTENT.test(text) || text === "COMMIT full" || text === "fsync").sort()).toEqual([
      "COMMIT full",
      expect.stringMatching(INTENT),
      "fsync",
    ]);
  });
});

/** A store whose method waits, each time, until it is let go on or told to fail. */
function held<K extends "intend" | "record">(method: K) {
  const base = memoryStore();
  const waiting: Waiting[] = [];
  const store: Store = {
    ...base,
    [method]: async (...given: Parameters<Store[K]>) => {
      await new Promise<void>((resolve, reject) => void waiting.push({ resolve, reject }));
      return (base[method] as (...given: unknown[]) => unknown)(...given);
    },
  };
  return { store, waiting };
}
type Waiting = { resolve: () => void; reject: (error: Error) => void };

describe("an intent that takes its time", () => {
  const writing = { name: "write_file", args: { path: "a", content: "two\n" } };
  const begun = async () => {
    const { store, waiting } = held("intend");
    const { gate, text } = await bench({ a: "one\n" }, { store });
    const call = gate.call(writing);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    // the new content is staged meanwhile; that alone shows nothing
    await vi.waitFor(() => expect(fs.fsync).toHaveBeenCalled());
    expect(text("a")).toBe("one\n");
    return { call, text, intent: waiting[0] as Waiting };
  };

  test("is waited for: the file changes after it, and not before", async () => {
    const { call, text, intent } = await begun();
    intent.resolve();
    expect(await call).toMatchObject({ status: "done" });
    expect(text("a")).toBe("two\n");
  });

  test("and fails in the end leaves the file as it was", async () => {
    const { call, text, intent } = await begun();
    intent.reject(new Error("no room"));
    expect(await call).toMatchObject({ status: "failed" });
    expect(text("a")).toBe("one\n");
  });
});

describe("the records of calls that change nothing", () => {
  const kept = async (dir: string): Promise<string[]> => {
    const other = await sqliteStore(path.join(dir, ".toolgate/store.db"));
    try {
      return (await other.records({})).map(({ call }) => call).reverse();
    } finally {
      await other.close();
    }
  };

  test("are kept while the gate is still open: a crash later loses none of them", async () => {
    const { gate, dir } = await bench({ a: "one\n" });
    for (const id of ["1", "2", "3"]) await gate.call({ id, name: "read_file", args: { path: "a" } });
    await vi.waitFor(async () => expect(await kept(dir)).toEqual(["1", "2", "3"]));
    await gate.call({ id: "4", name: "read_file", args: { path: "a" } });
    await vi.waitFor(async () => expect(await kept(dir), "and again").toEqual(["1", "2", "3", "4"]));
  });

  test("come in the order of the calls, also in large groups, and are all there when the gate is closed", async () => {
    const { gate, dir } = await bench({ a: "one\n" });
    const ids = Array.from({ length: 600 }, (_, index) => String(index));
    for (const id of ids) await gate.call({ id, name: "read_file", args: { path: "a", offset: Number(id) + 1 } });
    await gate.close();
    expect(await kept(dir)).toEqual(ids);
  });

  test("a group waits for the one before it, and the gate for all of them", async () => {
    const { store, waiting } = held("record");
    const { gate } = await bench({ a: "one\n" }, { store });
    const read = (id: string) => gate.call({ id, name: "read_file", args: { path: "a" } });
    await read("1");
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await read("2");
    let closed = false;
    const closing = gate.close().then(() => {
      closed = true;
    });
    await new Promise(setImmediate);
    expect([waiting.length, closed]).toEqual([1, false]);
    waiting[0]?.resolve();
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    expect(closed).toBe(false);
    waiting[1]?.resolve();
    await closing;
    expect((await store.records({})).map(({ call }) => call)).toEqual(["2", "1"]);
  });
});
