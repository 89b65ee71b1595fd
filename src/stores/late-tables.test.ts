import { expect, test, vi } from "vitest";
import { lateTables } from "./late-tables.ts";
import { memoryStore } from "./memory.ts";

test("the store is opened by the first use, once", async () => {
  const open = vi.fn(async () => memoryStore());
  const table = lateTables(open).table("t");
  expect(open).not.toHaveBeenCalled();
  await Promise.all([table.put("a", 1), table.put("b", 2)]);
  expect(await table.get("a")).toMatchObject({ value: 1 });
  expect(await table.remove("a", { ifVersion: 9 }), "of another version").toBe(false);
  expect(await table.remove("a")).toBe(true);
  expect(await table.list({ prefix: "b" })).toMatchObject([{ key: "b", value: 2 }]);
  expect(await table.put("b", 3, { ifVersion: 9 })).toBeUndefined();
  expect(open).toHaveBeenCalledOnce();
});

test("one that cannot be opened fails the use, and the next use tries again", async () => {
  const open = vi.fn(async () => memoryStore()).mockRejectedValueOnce(new Error("no disk"));
  const tables = lateTables(open);
  await expect(tables.table("t").get("a")).rejects.toThrow("no disk");
  expect(await tables.table("t").get("a")).toBeUndefined();
  expect(open).toHaveBeenCalledTimes(2);
});

test("closes what was opened, and opens nothing for that", async () => {
  const open = vi.fn(async () => memoryStore());
  await lateTables(open).close();
  expect(open).not.toHaveBeenCalled();
  const tables = lateTables(open);
  await tables.table("t").put("a", 1);
  await tables.close();
  await expect(tables.table("t").get("a")).rejects.toThrow(/closed/);
});

test("closing while the store cannot be opened is no failure of its own", async () => {
  const tables = lateTables(() => Promise.reject(new Error("no disk")));
  const use = expect(tables.table("t").get("a")).rejects.toThrow("no disk");
  await tables.close();
  await use;
});
