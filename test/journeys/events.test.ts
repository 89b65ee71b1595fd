import { describe, expect, test } from "vitest";
import type { GateEvent, OpenOptions } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

async function listening(options: OpenOptions = {}) {
  const it = await bench({ f: "a\n" }, { store: "memory", ...options });
  const events: GateEvent[] = [];
  const stop = it.gate.on("event", (event) => events.push(event));
  return { ...it, events, stop, types: () => events.map(({ type }) => type).join(" ") };
}

describe("what a listener hears of a call", () => {
  const write = { path: "f", content: "b\n" };
  const asking = (answer: unknown): OpenOptions => ({ mode: "confirm-sensitive", approve: () => answer as string });
  const cases: [what: string, options: OpenOptions, name: string, args: object, types: string][] = [
    ["a read", {}, "read_file", { path: "f" }, "start judged done"],
    ["a change", {}, "write_file", write, "start judged done"],
    ["a change with a yes", asking("once"), "write_file", write, "start judged asked answered done"],
    ["a change with a no", asking("deny"), "write_file", write, "start judged asked answered failed"],
    ["a change with nobody to ask", { mode: "confirm-sensitive" }, "write_file", write, "start judged failed"],
    ["what is denied", { autonomy: "readonly" }, "write_file", write, "start judged failed"],
    ["a failure", {}, "read_file", { path: "none" }, "start judged failed"],
    ["an unknown tool", {}, "nobody", {}, "start failed"],
    ["arguments that do not fit", {}, "read_file", { offset: "x" }, "start failed"],
    ["a plan", { plan: true }, "write_file", write, "start judged done"],
    ["progress", {}, "busy", {}, "start judged progress progress done"],
  ];
  const busy = plain("busy", {
    execute: async (_, { metadata }) => {
      metadata({ title: "half way" });
      metadata({ title: "nearly", metadata: { percent: 90 } });
      return "done";
    },
  });
  test.each(cases)("%s", async (_, options, name, args, types) => {
    const { call, events, types: heard } = await listening({ ...options, tools: [busy] });
    const result = await call(name, args, { id: "c1", messageID: "m1", sessionID: "s1", agent: "tester" });
    expect(heard()).toBe(types);
    for (const event of events)
      if ("call" in event)
        expect(event.call).toMatchObject({ id: "c1", name, messageID: "m1", sessionID: "s1", agent: "tester" });
    const last = events.at(-1);
    expect(last).toMatchObject({ type: result.success ? "done" : "failed", result });
    if (last?.type === "done" || last?.type === "failed") expect(last.trace.at(-1)?.stage).toBe("end");
    if (name === "busy")
      expect(events.filter(({ type }) => type === "progress")).toMatchObject([
        { title: "half way" },
        { title: "nearly", metadata: { percent: 90 } },
      ]);
    if (types.includes("asked"))
      expect(events.find(({ type }) => type === "asked")).toMatchObject({
        call: { tool: "write_file", touches: [{ action: "write" }], diff: expect.stringContaining("+b") },
        verdict: { answer: "ask", by: "mode" },
      });
  });
});

describe("listeners", () => {
  test("hear of tools that come and go", async () => {
    const { gate, events } = await listening();
    await gate.registry.register(plain("extra"));
    gate.registry.unregister("extra");
    gate.registry.unregister("extra");
    expect(events).toMatchObject([
      { type: "register", tool: "extra" },
      { type: "unregister", tool: "extra" },
    ]);
  });

  test("hear of children and of calls below a call, with their agents", async () => {
    const outer = plain("outer", {
      execute: async (_, { gate }) =>
        (await gate.child({ agent: "below" }).call({ name: "read_file", args: { path: "f" } })).status,
    });
    const { gate, events } = await listening({ tools: [outer] });
    await gate.child({ agent: "above" }).call({ name: "outer" });
    const heard = events.flatMap((event) => ("call" in event && event.type === "start" ? [event.call] : []));
    expect(heard.map(({ name, agent }) => `${agent} ${name}`)).toEqual(["above outer", "below read_file"]);
  });

  test("that throw disturb nobody, and those that left hear nothing", async () => {
    const { gate, call, events, stop } = await listening();
    gate.on("event", () => {
      throw new Error("deaf");
    });
    let count = 0;
    gate.on("event", () => {
      count += 1;
    });
    expect((await call("read_file", { path: "f" })).success).toBe(true);
    expect(count).toBe(events.length);
    stop();
    const before = events.length;
    await call("read_file", { path: "f" });
    expect(events.length).toBe(before);
    expect(count).toBe(2 * before);
  });

  test("hear a batch call by call", async () => {
    const { gate, events } = await listening();
    await gate.callAll([
      { id: "1", name: "read_file", args: { path: "f" } },
      { id: "2", name: "nobody" },
    ]);
    const of = (id: string) => events.flatMap((event) => ("call" in event && event.call.id === id ? [event.type] : []));
    expect(of("1")).toEqual(["start", "judged", "done"]);
    expect(of("2")).toEqual(["start", "failed"]);
  });
});
