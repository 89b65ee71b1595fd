import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { loadConfig } from "./load.ts";

vi.mock("yaml", () => {
  throw new Error("the parser was loaded");
});

const loaded = vi.hoisted(() => [] as string[]);
vi.mock("zod", async (original) => {
  loaded.push("zod");
  return original();
});

test("the YAML parser and the schemas are not loaded where there is no file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolgate-config-"));
  const options = { workspace: folder, userFolder: folder };
  try {
    expect((await loadConfig(options)).sources).toEqual([]);
    expect(loaded).toEqual([]);
    expect((await loadConfig({ ...options, config: { mode: "yolo" } })).settings.mode).toBe("yolo");
    expect(loaded).toEqual(["zod"]);
    await expect(import("./parse.ts")).rejects.toThrow();
  } finally {
    await rm(folder, { recursive: true });
  }
});
