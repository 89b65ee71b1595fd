import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Claim, Definition, Permission } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain } from "./harness.ts";

const run = (kind: "safe" | "dev" | "dangerous", ...inner: Claim[]): Claim => ({
  action: "run",
  command: "x",
  class: kind,
  inner,
});
const unknown = (...permissions: Permission[]): Claim => ({ action: "unknown", permissions });
const says = (level: unknown): Partial<Definition> => ({ getDangerLevel: () => level as never });

describe("how dangerous a call is", () => {
  const cases: [what: string, definition: Partial<Definition>, danger: string][] = [
    ["nothing", { touches: () => [] }, "safe"],
    ["a read", { touches: () => [{ action: "read", target: "a" }] }, "safe"],
    ["a listing", { touches: () => [{ action: "list", target: "." }] }, "safe"],
    ["a write", { touches: () => [{ action: "write", target: "a" }] }, "moderate"],
    ["a removal", { touches: () => [{ action: "delete", target: "a" }] }, "moderate"],
    ["a fetch", { touches: () => [{ action: "fetch", url: "http://example.com:8001/" }] }, "moderate"],
    ["a server's tool", { touches: () => [{ action: "use", source: "mcp", name: "x" }] }, "moderate"],
    ["a schedule", { touches: () => [{ action: "schedule", target: "x" }] }, "moderate"],
    ["a signal", { touches: () => [{ action: "signal", target: "x" }] }, "moderate"],
    ["an agent", { touches: () => [{ action: "delegate", target: "x" }] }, "safe"],
    ["a memory", { touches: () => [{ action: "remember", target: "x" }] }, "safe"],
    ["a question", { touches: () => [{ action: "ask", target: "x" }] }, "safe"],
    ["a safe command", { touches: () => [run("safe")] }, "safe"],
    ["a safe command that writes", { touches: () => [run("safe", { action: "write", target: "a" })] }, "safe"],
    ["a command of every day", { touches: () => [run("dev")] }, "moderate"],
    ["a dangerous command", { touches: () => [run("dangerous")] }, "dangerous"],
    ["a dangerous command in a safe one", { touches: () => [run("safe", run("dangerous"))] }, "dangerous"],
    ["one deep inside", { touches: () => [run("safe", run("safe", run("dev")))] }, "moderate"],
    ["the worst counts, wherever it stands", { touches: () => [run("dangerous"), run("safe")] }, "dangerous"],
    ["the worst counts, also at the end", { touches: () => [run("safe"), run("dangerous")] }, "dangerous"],
    ["unknown reading", { touches: () => [unknown("read")] }, "safe"],
    ["unknown writing", { touches: () => [unknown("read", "write")] }, "moderate"],
    ["unknown fetching", { touches: () => [unknown("network")] }, "moderate"],
    ["unknown running", { touches: () => [unknown("execute", "read")] }, "dangerous"],
    ["unknown, without permissions", { touches: () => [unknown()] }, "moderate"],
    ["its own word raises it", { touches: () => [], dangerLevel: "dangerous" }, "dangerous"],
    ["its own word does not lower it", { touches: () => [run("dangerous")], dangerLevel: "safe" }, "dangerous"],
    ["its word for this input raises it", { touches: () => [], ...says("moderate") }, "moderate"],
    ["its word for this input does not lower it", { touches: () => [run("dev")], ...says("safe") }, "moderate"],
    [
      "its word for this input comes before the general one",
      { touches: () => [], ...says("safe"), dangerLevel: "dangerous" },
      "safe",
    ],
    ["a word that nobody understands", { touches: () => [], ...says("harmless") }, "dangerous"],
    ["no word at all", { touches: () => [], ...says(undefined) }, "dangerous"],
    ["only permissions: reading", silent("read"), "safe"],
    ["only permissions: running", silent("execute"), "dangerous"],
    ["only permissions, and its word that is milder", { ...silent("execute"), dangerLevel: "safe" }, "dangerous"],
    ["neither touches nor permissions", { ...silent(), permissions: undefined as never }, "moderate"],
    ["neither, and its word", { ...silent(), permissions: undefined as never, dangerLevel: "safe" }, "safe"],
    [
      "neither, and its word for this input",
      { ...silent(), permissions: undefined as never, ...says("dangerous") },
      "dangerous",
    ],
  ];
  function silent(...required: Permission[]): Partial<Definition> {
    return { touches: undefined as never, permissions: { required } };
  }
  test.each(cases)("%s", async (_, definition, danger) => {
    const { gate } = await bench({ a: "" }, { tools: [plain("odd", definition)], store: "memory" });
    const told = await gate.explain({ name: "odd" });
    expect(told.danger).toBe(danger);
    if (definition.touches === undefined)
      expect(told.touches).toEqual([{ action: "unknown", permissions: definition.permissions?.required ?? [] }]);
  });
});

describe("where a call leads", () => {
  test.each([
    ["outside", "../x", "refused", "PERMISSION_DENIED"],
    ["a name that no file can have", "a\0b", "invalid", "VALIDATION_ERROR"],
    ["through a link that leads out", "out/x", "refused", "PERMISSION_DENIED"],
    ["in a circle", "circle", undefined, undefined],
  ])("%s ends the call there", async (_, target, status, code) => {
    let ran = false;
    const tool = plain("reader", {
      touches: () => [{ action: "read", target }],
      execute: () => {
        ran = true;
        return "";
      },
    });
    const { call, dir } = await bench({}, { tools: [tool], store: "memory" });
    symlinkSync("/", path.join(dir, "out"));
    symlinkSync("circle", path.join(dir, "circle"));
    const result = await call("reader");
    expect([result.success, ran]).toEqual([false, false]);
    if (status) expect([result.status, result.error?.code]).toEqual([status, code]);
    expect(result.error?.hint).toMatch(/./);
  });

  test("a place that cannot be found out is a failure of its own kind", async () => {
    const local = localWorkspace({ root: folder({ a: "" }) });
    const locate = () => Promise.reject(Object.assign(new Error("the disk is gone"), { code: "ENOSPC" }));
    const { call } = await bench({}, { workspace: { ...local, locate }, store: "memory" });
    expect(await call("read_file", { path: "a" })).toMatchObject({ status: "failed", error: { code: "IO_ERROR" } });
    await local.close();
  });

  test("a claim keeps what it says of itself, and nothing it does not say", async () => {
    const claims: Claim[] = [
      { action: "write", target: "a", scope: "**", certain: false, brings: "tracked", restores: true },
      { action: "write", target: "a" },
      { action: "fetch", url: "http://example.com:8001/" },
      { action: "fetch", url: "http://example.com:8001/", method: "POST" },
    ];
    const { gate } = await bench({ a: "" }, { tools: [plain("odd", { touches: () => claims })], store: "memory" });
    const { touches } = await gate.explain({ name: "odd" });
    const place = expect.objectContaining({ shown: "a", exists: true });
    expect(touches).toEqual([
      { action: "write", place, scope: "**", certain: false, brings: "tracked", restores: true },
      { action: "write", place, certain: true },
      { action: "fetch", url: "http://example.com:8001/", method: "GET" },
      { action: "fetch", url: "http://example.com:8001/", method: "POST" },
    ]);
  });

  test("a tool's word that its command is contained counts for nothing", async () => {
    const lying = Object.assign(run("dev"), { contained: true });
    const { gate } = await bench({}, { tools: [plain("odd", { touches: () => [lying] })], store: "memory" });
    expect((await gate.explain({ name: "odd" })).touches[0]).not.toHaveProperty("contained");
  });

  test("an action that nobody knows is a mistake of the tool, and it does not run", async () => {
    const tool = plain("odd", { touches: () => [{ action: "explode", target: "x" } as never] });
    const { call } = await bench({}, { tools: [tool], store: "memory" });
    const { status, error } = await call("odd");
    expect([status, error?.code]).toEqual(["failed", "CONFIG_ERROR"]);
    expect(error?.message).toContain("explode");
  });
});
