import { beforeEach, describe, expect, test } from "vitest";
import { at, run } from "../../test/judging.ts";
import { done, HandClock } from "../../test/stepping.ts";
import type { FileInfo, Stamp, Workspace } from "../core/contracts/workspace.ts";
import { Life } from "../core/journey/life.ts";
import type { Ready } from "../core/words/ready.ts";
import type { Result } from "../core/words/result.ts";
import type { Definition } from "../core/words/tool.ts";
import type { Touch } from "../core/words/touch.ts";
import { readCache } from "./read-cache.ts";

const OLD: Stamp = { size: 3, mtimeMs: 1_000, ctimeMs: 1_000, ino: 7 };
const NOW = 10_000;

let clock: HandClock;
let disk: Map<string, Partial<FileInfo>>;
beforeEach(() => {
  clock = new HandClock();
  clock.time = NOW;
  disk = new Map([
    ["/ws/a", { kind: "file", stamp: OLD }],
    ["/ws/b", { kind: "file", stamp: OLD }],
  ]);
});

const workspaceOf = (files: typeof disk) =>
  ({ files: { stat: async ({ real }: { real: string }) => files.get(real) } }) as unknown as Workspace;

type Given = {
  touches?: Touch[];
  definition?: Partial<Definition>;
  input?: unknown;
  tool?: string;
  sessionID?: string;
};
const readyOf = (given: Given) => {
  const { touches = [at("read", "a")], definition = { idempotent: true }, input = {}, tool = "t" } = given;
  const call = { sessionID: given.sessionID ?? "s" };
  return { call, tool: { name: tool, definition }, input, touches, changes: [] } as unknown as Ready;
};

/** A cache, and how often it let a call through to the tool. */
function cache(workspace = workspaceOf(disk)) {
  const step = readCache();
  const runs: number[] = [];
  const call = async (given: Given = {}, answer: () => Result | Promise<Result> = () => done, here = workspace) => {
    const ready = readyOf(given);
    expect(step.applies(ready)).toBe(true);
    return step.around({ ready, life: new Life(clock), clock, workspace: here }, async () => {
      runs.push(runs.length);
      return answer();
    });
  };
  return { call, runs };
}

describe("to whom it applies", () => {
  test.each<[string, Given, boolean]>([
    ["reads of a tool that gives the same for the same", {}, true],
    ["a tool that does not say so", { definition: {} }, false],
    ["a tool that denies it", { definition: { idempotent: false } }, false],
    ["a tool that nearly says so", { definition: { idempotent: "yes" as never } }, false],
    ["nothing touched: what it depends on is unknown", { touches: [] }, false],
    ["a listing", { touches: [at("list", "a")] }, false],
    ["a read and a write", { touches: [at("read", "a"), at("write", "b")] }, false],
    ["a read inside a command", { touches: [run(at("read", "a"))] }, false],
    ["a fetch", { touches: [{ action: "fetch", url: "http://x", method: "GET" }] }, false],
    ["what is unknown", { touches: [{ action: "unknown", permissions: ["read"] }] }, false],
  ])("%s", (_, given, applies) => {
    expect(readCache().applies(readyOf(given))).toBe(applies);
  });
});

describe("what is given again", () => {
  test("the same answer, marked as such, and nothing else of it changed", async () => {
    const { call, runs } = cache();
    const first = { ...done, output: "text", metadata: { lines: 1 } };
    expect(await call({}, () => first)).toBe(first);
    expect(await call({})).toEqual({ ...first, metadata: { lines: 1, cached: true } });
    expect(first.metadata).toEqual({ lines: 1 });
    expect(runs).toHaveLength(1);
  });

  test.each<[string, Given]>([
    ["another session", { sessionID: "other" }],
    ["another tool", { tool: "u" }],
    ["other input", { input: { limit: 1 } }],
    ["another file by the same input", { touches: [at("read", "b")] }],
    ["one file more", { touches: [at("read", "a"), at("read", "b")] }],
  ])("not to %s", async (_, given) => {
    const { call, runs } = cache();
    await call();
    expect((await call(given)).metadata.cached).toBeUndefined();
    expect(runs).toHaveLength(2);
  });

  test("not in another workspace, whose file may look the same", async () => {
    const { call, runs } = cache();
    await call();
    await call({}, () => done, workspaceOf(disk));
    expect(runs).toHaveLength(2);
  });

  test.each<[string, Partial<Stamp>]>([
    ["size", { size: 4 }],
    ["time of change", { mtimeMs: 1_001 }],
    ["time of its entry", { ctimeMs: 1_001 }],
    ["number on the disk", { ino: 8 }],
  ])("not after the file has another %s", async (_, change) => {
    const { call, runs } = cache();
    await call({ touches: [at("read", "b"), at("read", "a")] });
    disk.set("/ws/a", { kind: "file", stamp: { ...OLD, ...change } });
    await call({ touches: [at("read", "b"), at("read", "a")] });
    expect(runs).toHaveLength(2);
  });

  test.each<[string, Partial<FileInfo> | undefined]>([
    ["nothing is there", undefined],
    ["a folder is there", { kind: "folder", stamp: OLD }],
    ["a device is there", { kind: "other", stamp: OLD }],
  ])("nothing while %s", async (_, info) => {
    if (info) disk.set("/ws/a", info);
    else disk.delete("/ws/a");
    const { call, runs } = cache();
    for (let n = 0; n < 2; n++) await call();
    expect(runs).toHaveLength(2);
  });
});

describe("what is not kept", () => {
  test.each<[string, () => Result | Promise<Result>]>([
    ["a failure", () => ({ ...done, success: false, status: "failed" })],
    ["one with attachments", () => ({ ...done, attachments: [{ mime: "image/png", data: "" }] })],
    ["a very long one", () => ({ ...done, output: "x".repeat(256 * 1024 + 1) })],
    [
      "one whose file changed while it was read",
      () => {
        disk.set("/ws/a", { kind: "file", stamp: { ...OLD, size: OLD.size + 1 + disk.get("/ws/a")!.stamp!.size } });
        return done;
      },
    ],
    [
      "one whose file changed and was put back while it was read",
      () => {
        disk.set("/ws/a", { kind: "file", stamp: { ...OLD, ctimeMs: disk.get("/ws/a")!.stamp!.ctimeMs + 1 } });
        return done;
      },
    ],
  ])("%s", async (_, answer) => {
    const { call, runs } = cache();
    for (let n = 0; n < 2; n++) await call({}, answer);
    expect(runs).toHaveLength(2);
  });

  test("one whose file was gone when it had been read, though it came back", async () => {
    const { call, runs } = cache();
    await call({}, () => {
      disk.delete("/ws/a");
      return done;
    });
    disk.set("/ws/a", { kind: "file", stamp: OLD });
    await call();
    expect(runs).toHaveLength(2);
  });

  test("one of just the greatest length is", async () => {
    const { call, runs } = cache();
    for (let n = 0; n < 2; n++) await call({}, () => ({ ...done, output: "x".repeat(256 * 1024) }));
    expect(runs).toHaveLength(1);
  });

  test.each<[string, Partial<Stamp>, number]>([
    ["changed 50 ms ago", { mtimeMs: NOW - 50 }, 2],
    ["changed 51 ms ago", { mtimeMs: NOW - 51 }, 1],
    ["its entry changed 50 ms ago", { ctimeMs: NOW - 50 }, 2],
    ["from the future", { mtimeMs: NOW + 60_000 }, 2],
  ])("a file that is too young: %s", async (_, change, times) => {
    disk.set("/ws/a", { kind: "file", stamp: { ...OLD, ...change } });
    const { call, runs } = cache();
    for (let n = 0; n < 2; n++) await call({ touches: [at("read", "b"), at("read", "a")] });
    expect(runs).toHaveLength(times);
  });

  test("more than 256: the one that was not asked for the longest goes", async () => {
    const { call, runs } = cache();
    for (let n = 0; n < 256; n++) await call({ input: n });
    await call({ input: 0 });
    expect(runs).toHaveLength(256);
    await call({ input: "one more" });
    await call({ input: 0 });
    expect(runs).toHaveLength(257);
    await call({ input: 1 });
    expect(runs).toHaveLength(258);
  });
});
