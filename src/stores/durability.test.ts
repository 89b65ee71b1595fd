import { createHash } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { asked, commits, sqliteError } from "../../test/contracts/store-driver.ts";
import {
  approvalOf,
  begunOf,
  callRecord,
  grantOf,
  holderOf,
  newChange,
  planOf,
} from "../../test/contracts/store-samples.ts";
import { folder } from "../../test/journeys/harness.ts";
import type { Store } from "../core/contracts/store/store.ts";
import { sqliteStore } from "./sqlite.ts";

vi.mock("./lib/driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("./lib/driver.ts")>();
  const { watched } = await import("../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = folder();
  store = await sqliteStore(join(dir, "state/store.db"));
  onTestFinished(() => store.close());
  asked.clear();
});

describe("what is on the disk when a method resolves", () => {
  test.each<[string, (store: Store) => Promise<unknown>, string[]]>([
    ["an intent", (s) => s.intend([newChange("/a")]), ["COMMIT full"]],
    ["an intent of many files, in one go", (s) => s.intend([newChange("/a"), newChange("/b")]), ["COMMIT full"]],
    ["an intent of nothing waits for no disk", (s) => s.intend([]), []],
    [
      "records come in one go, and need not wait",
      (s) => s.record([callRecord("1"), callRecord("2")]),
      ["COMMIT normal"],
    ],
    ["a conclusion of many rows is one", (s) => s.conclude([1, 2, 3], "done"), ["COMMIT normal"]],
    ["locks are freed with the rows that end with them", (s) => s.unlock("t", [1, 2]), ["COMMIT normal"]],
    ["grants are given together", (s) => s.grant([grantOf("1"), grantOf("2")]), ["COMMIT normal"]],
    ["locks are taken together", (s) => s.lock(["/a", "/b"], holderOf("c")), ["COMMIT normal"]],
    ["a question", (s) => s.ask(approvalOf("p")), ["COMMIT normal"]],
    ["calls begin together", (s) => s.begin([begunOf("1"), begunOf("2")]), ["COMMIT normal"]],
    ["calls that may kill their host wait", (s) => s.begin([begunOf("1"), begunOf("2")], true), ["COMMIT full"]],
    ["no calls wait for nothing", (s) => s.begin([], true), []],
    ["no events", (s) => s.tell([]), []],
    ["no plans move", (s) => s.movePlan([], ["planned"], "approved"), []],
    ["no calls end", (s) => s.finish([]), []],
    ["no records", (s) => s.record([]), []],
    ["calls end together", (s) => s.finish(["1", "2"]), ["COMMIT normal"]],
    ["a plan", (s) => s.plan(planOf("1"), new Map([["h", new Uint8Array(9)]])), ["COMMIT full"]],
    ["a plan that moves on", (s) => s.movePlan(["1", "2"], ["planned"], "approved"), ["COMMIT full"]],
    [
      "reservations are one",
      (s) => s.reserve(["a", "b"].map((key) => ({ key, limit: 1, amount: 1 }))),
      ["COMMIT normal"],
    ],
    ["a row of a table", (s) => s.table("t").put("k", 1), ["COMMIT normal"]],
    [
      "events come in one go",
      (s) => s.tell(["1", "2"].map((id) => ({ id, type: "x", at: 1, body: 1 }))),
      ["COMMIT normal"],
    ],
  ])("%s", async (_, use, expected) => {
    await use(store);
    expect(commits()).toEqual(expected);
  });

  test("the intent's rows and contents are inside the commit that is waited for", async () => {
    await store.intend([newChange("/a")]);
    const inside = asked.texts.slice(asked.texts.indexOf("BEGIN IMMEDIATE"), asked.texts.indexOf("COMMIT full"));
    for (const table of ["contents", "blobs", "changes"])
      expect(
        inside.some((text) => new RegExp(`INSERT (OR REPLACE )?INTO ${table}`).test(text)),
        table,
      ).toBe(true);
  });

  test("an intent whose commit fails is none, and the next one waits for the disk again", async () => {
    asked.fail = (text) => (text === "COMMIT" ? sqliteError(10, "disk I/O error") : undefined);
    await expect(store.intend([newChange("/a")])).rejects.toMatchObject({ message: /could not be read or written/ });
    asked.clear();
    expect(await store.changes({})).toEqual([]);
    expect(await store.content("before /a")).toBeUndefined();
    await store.intend([newChange("/a")]);
    await store.record([callRecord("1")]);
    expect(commits()).toEqual(["COMMIT full", "COMMIT normal"]);
  });

  test("a conclusion that fails half way concludes nothing", async () => {
    const ids = await store.intend([newChange("/a"), newChange("/b")]);
    let left = 1;
    asked.fail = (text) => (text.startsWith("UPDATE changes SET state") && left-- === 0 ? new Error("no") : undefined);
    await expect(store.conclude(ids, "done")).rejects.toThrow("no");
    asked.clear();
    expect((await store.changes({})).map(({ state }) => state)).toEqual(["intended", "intended"]);
  });

  test("an unlock that fails half way frees nothing and concludes nothing", async () => {
    await store.lock(["/a"], holderOf("c"));
    const ids = await store.intend([newChange("/a")]);
    asked.fail = (text) => (text.startsWith("DELETE FROM locks") ? new Error("no") : undefined);
    await expect(store.unlock("token-c", ids)).rejects.toThrow("no");
    asked.clear();
    expect((await store.changes({})).map(({ state }) => state)).toEqual(["intended"]);
    expect(await store.locks()).toHaveLength(1);
  });

  test("a kept file goes only after what was in it is on the disk", async () => {
    const large = Buffer.from("a line like any other\n".repeat(10_000));
    const hash = createHash("sha256").update(large).digest("hex");
    writeFileSync(join(dir, "a"), large);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 86_400_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await store.intend([newChange(join(dir, "a"), { before: hash, content: large, replaced: true })]);
    rmSync(join(dir, "a"));
    expect(statSync(join(dir, "state/contents", hash)).size).toBe(large.length);
    asked.clear();
    await store.tidy({ maxAgeMs: 1e9, maxBytes: 1e9, now: 1000 + 601_000 });
    const packed = asked.texts.findIndex((text) => text.includes("INTO blobs"));
    expect(asked.texts.slice(packed).find((text) => text.startsWith("COMMIT"))).toBe("COMMIT full");
  });
});

test("tidying moves the log into the file, and closing empties it", async () => {
  await store.record([callRecord("1")]);
  asked.clear();
  await store.tidy({ maxAgeMs: 1e9, maxBytes: 1e9, now: 1000 });
  expect(asked.texts.filter((text) => text.includes("wal_checkpoint"))).toEqual(["PRAGMA wal_checkpoint(PASSIVE)"]);
  asked.clear();
  await store.close();
  expect(asked.texts.filter((text) => text.includes("wal_checkpoint"))).toEqual(["PRAGMA wal_checkpoint(TRUNCATE)"]);
});

describe("closing", () => {
  test("writes nothing where nothing was owned", async () => {
    await store.record([callRecord("1")]);
    asked.clear();
    await store.close();
    expect(commits()).toEqual([]);
  });

  test("closes the file also if the locks could not be freed", async () => {
    await store.lock(["/a"], holderOf("c"));
    asked.fail = (text) => (text.startsWith("DELETE FROM locks") ? sqliteError(11, "malformed") : undefined);
    await expect(store.close()).rejects.toThrow(/damaged/);
    expect(asked.closed).toBe(1);
    await store.close();
    expect(asked.closed).toBe(1);
  });

  test("while it tidies ends the tidying, which then touches the file no more", async () => {
    const content = Buffer.from("again ".repeat(1000));
    for (const hash of ["one", "two"])
      await store.conclude(await store.intend([newChange(`/${hash}`, { before: hash, at: 0, content })]), "done");
    const tidying = store.tidy({ maxAgeMs: 1e9, maxBytes: 0, now: 3_600_000 });
    await store.close();
    asked.clear();
    expect(await tidying).toEqual({ compressed: 0, pruned: 0 });
    expect(asked.texts).toEqual([]);
  });
});
