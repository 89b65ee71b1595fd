import { expect, test } from "vitest";
import { type Opened, withStore } from "./store-suite.ts";

/** Tables of tools. */
export function tableContract(name: string, make: () => Promise<Opened>): void {
  withStore(`tables of the store: ${name}`, make, (at) => {
    test.each([null, 0, "", "text", true, [1, [2]], { a: { b: null } }])("%j comes back as it was", async (value) => {
      const table = at.store.table("t");
      const put = await table.put("k", value);
      expect(put).toEqual({ key: "k", value, version: expect.any(Number), at: expect.any(Number) });
      expect(await table.get("k")).toEqual(put);
    });
    test("a row is sealed if it was put so, and no longer when it is put otherwise", async () => {
      const table = at.store.table("t");
      expect(await table.put("k", { run: "ls" }, { sealed: true })).toMatchObject({ sealed: true });
      expect(await table.get("k")).toMatchObject({ value: { run: "ls" }, sealed: true });
      expect(await table.list()).toMatchObject([{ sealed: true }]);
      await table.put("k", { run: "ls" });
      expect((await table.get("k"))?.sealed).toBeUndefined();
    });
    test("values are copies", async () => {
      const table = at.store.table("t");
      const value = { list: [1] };
      const put = await table.put("k", value);
      value.list.push(2);
      put?.value.list.push(3);
      (await table.get<typeof value>("k"))?.value.list.push(4);
      (await table.list<typeof value>())[0]?.value.list.push(5);
      expect((await table.get("k"))?.value).toEqual({ list: [1] });
    });
    test("a version rises with every change, also over a removal", async () => {
      const table = at.store.table("t");
      const first = await table.put("k", 1);
      const second = await table.put("k", 1);
      expect(await table.remove("k")).toBe(true);
      const third = await table.put("k", 1);
      const versions = [first, second, third].map((row) => row?.version as number);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
      expect(await table.put("k", 2, { ifVersion: versions[0]! }), "of the row before").toBeUndefined();
    });
    test("puts by version: only what is still as it was", async () => {
      const table = at.store.table("t");
      expect(await table.put("k", "x", { ifVersion: 7 })).toBeUndefined();
      expect(await table.get("k")).toBeUndefined();
      const { version } = (await table.put("k", "one", { ifVersion: 0 }))!;
      expect(await table.put("k", "two", { ifVersion: 0 })).toBeUndefined();
      const next = await table.put("k", "two", { ifVersion: version });
      expect(next).toMatchObject({ value: "two" });
      expect(await table.put("k", "three", { ifVersion: version })).toBeUndefined();
      expect(await table.get("k")).toEqual(next);
    });
    test("removes by version", async () => {
      const table = at.store.table("t");
      expect(await table.remove("k")).toBe(false);
      expect(await table.remove("k", { ifVersion: 0 })).toBe(false);
      const { version } = (await table.put("k", 1))!;
      expect(await table.remove("k", { ifVersion: version + 1 })).toBe(false);
      expect(await table.remove("k", { ifVersion: version })).toBe(true);
      expect(await table.get("k")).toBeUndefined();
    });
    test("of two who change the same version one is too late", async () => {
      const table = at.store.table("t");
      const { version } = (await table.put("k", 0))!;
      const puts = await Promise.all([1, 2, 3].map((value) => table.put("k", value, { ifVersion: version })));
      expect(puts.filter(Boolean)).toHaveLength(1);
      expect(await table.get("k")).toEqual(puts.find(Boolean));
    });

    const keys = ["", "a", "a/", "a/1", "a/10", "a/2", "a0", "b", "é", "\u{fffd}", "\u{1f600}"];
    const lists: [Parameters<ReturnType<Opened["store"]["table"]>["list"]>[0], string[]][] = [
      [undefined, keys],
      [{}, keys],
      [{ limit: 3 }, ["", "a", "a/"]],
      [{ limit: 0 }, []],
      [{ prefix: "a/" }, ["a/", "a/1", "a/10", "a/2"]],
      [{ prefix: "a/", limit: 2 }, ["a/", "a/1"]],
      [{ prefix: "a/", after: "a/1" }, ["a/10", "a/2"]],
      [{ prefix: "a/", after: "a/1", limit: 1 }, ["a/10"]],
      [{ after: "b" }, ["é", "\u{fffd}", "\u{1f600}"]],
      [{ after: "a/15" }, ["a/2", "a0", "b", "é", "\u{fffd}", "\u{1f600}"]],
      [{ prefix: "b", after: "b" }, []],
      [{ prefix: "z" }, []],
    ];
    test.each(lists)("lists %j as %j", async (query, found) => {
      const table = at.store.table("t");
      for (const key of [...keys].reverse()) await table.put(key, key);
      const rows = await table.list(query);
      expect(rows.map(({ key }) => key)).toEqual(found);
      expect(rows.map(({ value }) => value)).toEqual(found);
    });
    test("lists rows that were last put before a moment", async () => {
      const table = at.store.table("t");
      const { at: then } = (await table.put("a", 1))!;
      await table.put("b", 1);
      const keysOf = async (query: object) => (await table.list(query)).map(({ key }) => key);
      expect(await keysOf({ unchangedSince: then })).toEqual([]);
      expect(await keysOf({ unchangedSince: Date.now() + 1 })).toEqual(["a", "b"]);
      expect(await keysOf({ unchangedSince: Date.now() + 1, after: "a", limit: 5 })).toEqual(["b"]);
    });
    test("a row that is bound to a process which lives is nobody's orphan", async () => {
      const table = at.store.table("t");
      expect(await table.put("k", 1, { bound: true })).not.toHaveProperty("orphaned");
      expect(await table.get("k")).not.toHaveProperty("orphaned");
      expect((await table.list())[0]).not.toHaveProperty("orphaned");
    });
    test("a name is a table of its own", async () => {
      await at.store.table("one").put("k", 1);
      await at.store.table("two").put("k", 2);
      expect(await at.store.table("one").list()).toMatchObject([{ value: 1 }]);
      expect(await at.store.table("two").remove("k")).toBe(true);
      expect(await at.store.table("one").get("k")).toMatchObject({ value: 1 });
      expect(await at.store.table("three").list()).toEqual([]);
    });
  });
}
