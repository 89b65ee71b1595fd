import { afterEach, describe, expect, test, vi } from "vitest";
import { loadDriver } from "./driver.ts";

afterEach(() => void vi.restoreAllMocks());

describe("the driver", () => {
  test("is Node's own where it has one, and its warning reaches nobody, but others' do", async () => {
    class Own {}
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const mocked = process.emitWarning;
    vi.spyOn(process, "getBuiltinModule").mockImplementation(((name: string) => {
      expect(name).toBe("node:sqlite");
      process.emitWarning("SQLite is an experimental feature");
      return { DatabaseSync: Own };
    }) as typeof process.getBuiltinModule);
    expect(await loadDriver()).toBe(Own);
    expect(warned).not.toHaveBeenCalled();
    expect(process.emitWarning).toBe(mocked);
  });

  test("is the stand-in where Node has none", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    const Driver = await loadDriver();
    const database = new Driver(":memory:");
    database.exec("CREATE TABLE kept (name TEXT) STRICT");
    expect(database.prepare("INSERT INTO kept VALUES (?)").run("é").changes).toBe(1);
    expect({ ...database.prepare("SELECT name FROM kept").get() }).toEqual({ name: "é" });
    database.close();
  });

  test("comes from its package where its library cannot be loaded by itself", async () => {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.spyOn(process, "dlopen").mockImplementation(() => {
      throw new Error("another libc");
    });
    expect(await loadDriver()).toBe(DatabaseSync);
  });

  test("that cannot be loaded leaves the warnings as they were", async () => {
    const { emitWarning } = process;
    vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
      throw new Error("no");
    });
    await expect(loadDriver()).rejects.toThrow("no");
    expect(process.emitWarning).toBe(emitWarning);
  });
});
