import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerSetting } from "../../core/contracts/servers.ts";
import { ManifestCache } from "./cache.ts";
import type { Manifest } from "./manifest.ts";

const SETTING: ServerSetting = {
  type: "stdio",
  command: "server",
  args: ["a"],
  env: { A: "1" },
  url: "",
  headers: {},
  enabled: true,
  timeout: 1,
  startupTimeout: 1,
};
const WEEK_MS = 7 * 24 * 3_600_000;
const TOOL = { name: "t", description: "d", schema: { type: "object" } };
const manifest = (): Manifest => ({ at: Date.now(), era: "modern", tools: [TOOL], notes: ["n"] });

let folder: string;
const cacheAt = (root = "/ws") => new ManifestCache(join(folder, "cache"), root);
const kept = async (at?: number) => {
  const cache = cacheAt();
  cache.write("s", SETTING, { ...manifest(), ...(at !== undefined && { at }) });
  await cache.written;
  return cache;
};
const onlyFile = () => join(folder, "cache", readdirSync(join(folder, "cache"))[0] ?? "");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolgate-manifests-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe("what is known of a server", () => {
  test("is found again, and is for nobody else's eyes", async () => {
    await kept();
    expect(await cacheAt().read("s", SETTING)).toMatchObject({ era: "modern", tools: [TOOL], notes: ["n"] });
    expect(statSync(join(folder, "cache")).mode & 0o077).toBe(0);
    expect(statSync(onlyFile()).mode & 0o077).toBe(0);
    expect(readdirSync(join(folder, "cache"))).toHaveLength(1);
  });

  test.each<[what: string, name: string, setting: Partial<ServerSetting>, root: string, isKnown: boolean]>([
    ["the same", "s", {}, "/ws", true],
    ["other patience", "s", { timeout: 9, startupTimeout: 9 }, "/ws", true],
    ["other code that was accepted", "s", { accepted: { "/ws/a": "x" } }, "/ws", true],
    ["another name", "t", {}, "/ws", false],
    ["another workspace", "s", {}, "/other", false],
    ["another command", "s", { command: "other" }, "/ws", false],
    ["other arguments", "s", { args: ["b"] }, "/ws", false],
    ["other variables", "s", { env: { A: "2" } }, "/ws", false],
    ["another address", "s", { url: "http://127.0.0.1:1" }, "/ws", false],
    ["other headers", "s", { headers: { a: "b" } }, "/ws", false],
    ["only some of its tools", "s", { tools: ["t"] }, "/ws", false],
  ])("holds for a server that is started like that: %s", async (_, name, setting, root, isKnown) => {
    await kept();
    expect((await cacheAt(root).read(name, { ...SETTING, ...setting })) !== undefined).toBe(isKnown);
  });

  test.each<[what: string, at: number, isKnown: boolean]>([
    ["just under a week", -WEEK_MS + 1_000, true],
    ["a week", -WEEK_MS, false],
    ["from a clock that went back", 1_000, false],
  ])("holds for a week: %s", async (_, at, isKnown) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const cache = await kept(Date.now() + at);
    expect((await cache.read("s", SETTING)) !== undefined).toBe(isKnown);
  });

  test.each<[what: string, change: (text: string) => string]>([
    ["torn", (text) => text.slice(0, -5)],
    ["another server's", (text) => text.replace(/"key":"[0-9a-f]+"/, `"key":"${"0".repeat(64)}"`)],
    ["without tools", (text) => text.replace('"tools":[', '"tool":[')],
    ["without notes", (text) => text.replace('"notes":[', '"note":[')],
    ["too large", (text) => text.replace('"notes":[', `"more":"${"x".repeat(16 << 20)}","notes":[`)],
  ])("counts only whole: %s", async (_, change) => {
    const cache = await kept();
    const before = readFileSync(onlyFile(), "utf8");
    writeFileSync(onlyFile(), change(before));
    expect(await cache.read("s", SETTING)).toBeUndefined();
    writeFileSync(onlyFile(), before);
    expect(await cache.read("s", SETTING)).toBeDefined();
  });

  test("is not needed: where it cannot be kept, nothing fails and nothing is left", async () => {
    writeFileSync(join(folder, "cache"), "a file");
    const cache = await kept();
    cache.writeApproved("s", [TOOL]);
    await cache.written;
    expect(await cache.read("s", SETTING)).toBeUndefined();
    expect(readdirSync(folder)).toEqual(["cache"]);
  });
});

describe("how tools were described when they were approved", () => {
  test("is found again, however the server is started, in this workspace alone", async () => {
    const cache = cacheAt();
    cache.writeApproved("s", [TOOL, { ...TOOL, name: "u" }]);
    cache.writeApproved("s", [TOOL]);
    await cache.written;
    expect(await cacheAt().readApproved("s")).toEqual(new Map([["t", TOOL]]));
    expect((await cacheAt().readApproved("other")).size).toBe(0);
    expect((await cacheAt("/other").readApproved("s")).size).toBe(0);
    writeFileSync(onlyFile(), "[{");
    expect((await cacheAt().readApproved("s")).size).toBe(0);
  });
});
