import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Claim, Context, Definition, Result } from "../../src/index.ts";
import { type GateEvent, ToolFailure } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain, sleep } from "../journeys/harness.ts";

const bytes = new TextEncoder().encode("late\n");
const claims: Claim[] = [
  { action: "write", target: "a.txt" },
  { action: "delete", target: "a.txt" },
  { action: "list", target: "." },
  { action: "run", command: "touch made", class: "dev", inner: [{ action: "write", target: "made" }] },
];
const config = { workspace: { allow_delete: true } };

/** A tool that keeps its context and hands it out once its call is over. */
async function keptContext(touch: (context: Context) => unknown = () => {}, ending: "done" | "cancelled" = "done") {
  let kept: Context | undefined;
  const stop = new AbortController();
  const keeper = plain("keeper", {
    permissions: { required: ["read", "write", "execute"] },
    touches: () => claims,
    execute: async (_, context) => {
      kept = context;
      await touch(context);
      if (ending === "cancelled") stop.abort();
      return "kept";
    },
  });
  const store = memoryStore();
  const it = await bench({ "a.txt": "old\n" }, { tools: [keeper], config, store });
  expect((await it.gate.call({ name: "keeper" }, { signal: stop.signal })).status).toBe(ending);
  return { ...it, store, context: kept as Context };
}

describe("after its call has ended, a tool can do nothing more by its context", () => {
  const deeds: [what: string, deed: (context: Context) => unknown][] = [
    ["read a file", ({ files }) => files.read("a.txt")],
    ["look at a file", ({ files }) => files.stat("a.txt")],
    ["list a folder", ({ files }) => files.list(".")],
    ["write a file", ({ files }) => files.write("a.txt", bytes)],
    ["remove a file", ({ files }) => files.remove("a.txt")],
    ["start its command", ({ commands }) => commands.start({ command: "touch made", cwd: "." })],
  ];
  const first: [when: string, touch: (context: Context) => unknown][] = [
    ["having used it before", ({ files }) => files.read("a.txt")],
    ["for the first time", () => {}],
  ];
  const cases = deeds.flatMap(([what, deed]) => first.map(([when, touch]) => ({ what, deed, when, touch })));

  test.each(cases)("$what, $when", async ({ deed, touch }) => {
    const { context, text, dir } = await keptContext(touch);
    const late = await Promise.resolve(deed(context)).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(ToolFailure);
    expect(late).toMatchObject({ code: "CANCELLED" });
    expect([text("a.txt"), existsSync(path.join(dir, "made"))]).toEqual(["old\n", false]);
  });

  test.each(["done", "cancelled"] as const)("call other tools, when it was %s", async (ending) => {
    const { context, text, store } = await keptContext(() => {}, ending);
    const write = { name: "write_file", args: { path: "a.txt", content: "late\n" } };
    const late = [
      await context.gate.call(write),
      ...(await context.gate.callAll([write, write])),
      await context.gate.child({ agent: "below" }).call(write),
    ];
    expect(late.map(({ status }) => status)).toEqual(late.map(() => "cancelled"));
    expect(text("a.txt")).toBe("old\n");
    expect(await store.locks()).toEqual([]);
  });

  test("use a gate that it had made for somebody below", async () => {
    let below: ReturnType<Context["gate"]["child"]> | undefined;
    const { text } = await keptContext(({ gate }) => {
      below = gate.child({ agent: "below" });
    });
    const late = await below?.call({ name: "write_file", args: { path: "a.txt", content: "late\n" } });
    expect(late?.status).toBe("cancelled");
    expect(text("a.txt")).toBe("old\n");
  });
});

describe("a tool runs the command that it declared, and no other", () => {
  const starting =
    (command: string): Definition["execute"] =>
    async (_, { commands }) =>
      String((await (await commands.start({ command, cwd: "." })).exited).code);
  test.each([
    ["touch made", "done"],
    ["touch made ", "failed"],
    ["touch other", "failed"],
    ["", "failed"],
  ])("%j", async (command, status) => {
    const runner = plain("runner", {
      permissions: { required: ["execute"] },
      touches: () => claims,
      execute: starting(command),
    });
    const { call, dir } = await bench({ "a.txt": "" }, { tools: [runner], store: "memory", config });
    const result = await call("runner");
    expect(result.status).toBe(status);
    if (status === "failed") expect(result.error?.code).toBe("PERMISSION_DENIED");
    expect([existsSync(path.join(dir, "made")), existsSync(path.join(dir, "other"))]).toEqual([
      status === "done",
      false,
    ]);
  });

  test("without any declared, none; with none in its touches, the one inside another", async () => {
    const sly = plain("sly", { touches: () => [], execute: starting("touch made") });
    const wrapping = plain("wrapping", {
      permissions: { required: ["execute"] },
      touches: () => [{ action: "run", command: "sudo-like touch made", class: "dev", inner: [claims[3]!] }],
      execute: starting("touch made"),
    });
    const { call, text } = await bench({}, { tools: [sly, wrapping], store: "memory" });
    expect(await call("sly")).toMatchObject({ status: "failed", error: { code: "PERMISSION_DENIED" } });
    expect(text("made")).toBeUndefined();
    expect((await call("wrapping")).status).toBe("done");
  });

  test("a command that is started while the call is being stopped does not outlive it", async () => {
    const stop = new AbortController();
    let running: { exited: Promise<unknown> } | undefined;
    const claim: Claim = { action: "run", command: "sleep 30; touch made", class: "dev" };
    const runner = plain("runner", {
      permissions: { required: ["execute"] },
      touches: () => [claim],
      execute: async (_, { commands }) => {
        const starting = commands.start({ command: claim.action === "run" ? claim.command : "", cwd: "." });
        stop.abort();
        running = await starting;
        return "started";
      },
    });
    const { gate, dir } = await bench({}, { tools: [runner], store: "memory" });
    expect((await gate.call({ name: "runner" }, { signal: stop.signal })).status).toBe("cancelled");
    await Promise.race([running?.exited, sleep(5_000).then(() => expect.unreachable("it still runs"))]);
    expect(existsSync(path.join(dir, "made"))).toBe(false);
  });
});

describe("secrets in what a tool gives back as its failure", () => {
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const thrown = (error: unknown) => () => {
    throw error;
  };
  const failures: [what: string, execute: Definition["execute"]][] = [
    ["a returned text", () => ({ output: "", error: `cannot use ${secret}` })],
    ["a returned error", () => ({ output: "", error: new Error(`cannot use ${secret}`) })],
    ["a returned object", () => ({ output: "", error: { code: "IO_ERROR", message: `not ${secret}`, hint: secret } })],
    ["success false", () => ({ output: "", success: false, error: `cannot use ${secret}` })],
    ["a thrown error", thrown(new Error(`cannot use ${secret}`))],
    ["a thrown failure", thrown(new ToolFailure("IO_ERROR", `cannot use ${secret}`, `not ${secret}`))],
    ["a thrown text", thrown(`cannot use ${secret}`)],
  ];
  test.each(failures)("%s", async (_, execute) => {
    const store = memoryStore();
    const { gate, call } = await bench({}, { tools: [plain("leaky", { execute })], store });
    const heard: GateEvent[] = [];
    gate.on("event", (event) => heard.push(event));
    const result: Result = await call("leaky");
    expect(result.status).toBe("failed");
    expect(result.error?.message).toMatch(/cannot use|not/);
    await gate.close();
    expect(JSON.stringify([result, heard, await store.records({})])).not.toContain(secret);
  });

  test("a title that is made of the error", async () => {
    const { call } = await bench(
      {},
      { tools: [plain("leaky", { execute: thrown(new Error(`${secret}\nmore`)) })], store: "memory" },
    );
    expect((await call("leaky")).title).not.toContain(secret);
  });
});
