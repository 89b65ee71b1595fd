import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadDriver } from "./driver.ts";

const disk = vi.hoisted(() => ({ exists: (_: string): boolean | undefined => undefined }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  return { ...real, existsSync: (file: string) => disk.exists(file) ?? real.existsSync(file) };
});

beforeEach(() => {
  disk.exists = () => undefined;
});
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

  describe("of the package, without the package", () => {
    class Direct {}
    const loading = (platform: NodeJS.Platform) => {
      vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
      vi.spyOn(process, "platform", "get").mockReturnValue(platform);
      return vi.spyOn(process, "dlopen").mockImplementation((module) => {
        (module as { exports: object }).exports = { DatabaseSync: Direct };
      });
    };

    test("is the library that lies there for this machine", async () => {
      const load = loading("linux");
      disk.exists = (file) => (file.endsWith("/build") ? false : undefined);
      expect(await loadDriver()).toBe(Direct);
      const file = String(load.mock.calls[0]?.[1]);
      expect(file).toMatch(new RegExp(`/linux-${process.arch}/[^/]+\\.node$`));
      expect(fs.statSync(file).isFile()).toBe(true);
    });

    test.each<[what: string, platform: NodeJS.Platform, exists: (file: string) => boolean | undefined]>([
      ["on another system", "darwin", () => undefined],
      ["where the package is in no folder above", "linux", () => false],
      ["where the package was built on this machine", "linux", (file) => file.endsWith("/build") || undefined],
    ])("is not looked for %s", async (_, platform, exists) => {
      const { DatabaseSync } = await import("@photostructure/sqlite");
      const load = loading(platform);
      disk.exists = exists;
      expect(await loadDriver()).toBe(DatabaseSync);
      expect(load).not.toHaveBeenCalled();
    });
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
