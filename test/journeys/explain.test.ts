import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "./harness.ts";

/** A store in which everything that would leave a trace is counted. */
function watched() {
  const used: string[] = [];
  const store = memoryStore();
  const writing = ["record", "intend", "conclude", "lock", "grant", "ask", "answer"] as const;
  const watching = Object.fromEntries(
    writing.map((name) => [
      name,
      (...args: unknown[]) => {
        used.push(name);
        return (store[name] as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { used, store: { ...store, ...watching } as Store };
}

type Told = { verdict: string; by?: string; status?: string };
const endings: [what: string, name: unknown, args: unknown, told: Told][] = [
  ["a read", "read_file", { path: "f" }, { verdict: "allow", by: "mode" }],
  ["by another name", "Read", { file_path: "f" }, { verdict: "allow", by: "mode" }],
  ["a read of what is missing", "read_file", { path: "none" }, { verdict: "allow" }],
  ["a change", "write_file", { path: "f", content: "x" }, { verdict: "ask", by: "mode" }],
  ["an edit", "edit_file", { path: "f", old_str: "a", new_str: "b" }, { verdict: "ask", by: "mode" }],
  [
    "an edit that misses",
    "edit_file",
    { path: "f", old_str: "zzz", new_str: "b" },
    { verdict: "ask", status: "failed" },
  ],
  ["nothing to undo", "undo_file", { path: "f" }, { verdict: "ask", status: "failed" }],
  ["no turn to undo", "undo_turn", {}, { verdict: "deny", status: "failed" }],
  ["what is forbidden", "read_file", { path: "secret" }, { verdict: "deny", by: "paths", status: "refused" }],
  ["what is protected", "write_file", { path: "toolgate.yaml", content: "" }, { verdict: "ask", by: "protection" }],
  ["a path outside", "read_file", { path: "../x" }, { verdict: "deny", by: "journey", status: "refused" }],
  ["an unknown tool", "raed_file", { path: "f" }, { verdict: "deny", by: "journey", status: "unknown" }],
  ["arguments that do not fit", "read_file", { limit: "x" }, { verdict: "deny", by: "journey", status: "invalid" }],
  ["a removal", "remover", {}, { verdict: "deny", by: "paths", status: "refused" }],
  ["a command", "runner", {}, { verdict: "ask", by: "mode" }],
  ["touches that fail", "broken", {}, { verdict: "deny", by: "journey", status: "failed" }],
  ["no call at all", undefined, undefined, { verdict: "deny", status: "unknown" }],
];

describe("explain", () => {
  test.each(endings)("%s", async (_, name, args, told) => {
    const { used, store } = watched();
    const ran: string[] = [];
    const asked: unknown[] = [];
    const tool = (its: string, more: object) => plain(its, { ...more, execute: async () => String(ran.push(its)) });
    const { gate, dir, text } = await bench(
      { f: "a\n", secret: "s" },
      {
        mode: "confirm-sensitive",
        config: { workspace: { forbidden_paths: ["secret"] } },
        approve: (question) => String(asked.push(question)),
        store,
        tools: [
          tool("remover", { touches: () => [{ action: "delete", target: "f" }] }),
          tool("runner", { touches: () => [{ action: "run", command: "make", class: "dev" }] }),
          tool("broken", { touches: () => Promise.reject(new Error("cannot tell")) }),
        ],
      },
    );
    const events: string[] = [];
    gate.on("event", ({ type }) => events.push(type));
    const explained = await gate.explain({ name, args } as never);
    expect(explained).toMatchObject(told);
    expect(explained.trace.length).toBeGreaterThan(0);
    expect(explained.reason).not.toBe("");
    expect(explained.leftOut).toEqual(expect.arrayContaining(["approval", "locks"]));
    expect(Boolean(explained.error)).toBe(told.status !== undefined);
    if (name === "runner") expect(explained.class).toBe("dev");
    await gate.close();
    expect({ used, ran, asked, events }).toEqual({ used: [], ran: [], asked: [], events: [] });
    expect([text("f"), readdirSync(dir).sort()]).toEqual(["a\n", ["f", "secret"]]);
  });

  test("says what a call would touch and change", async () => {
    const { gate } = await bench({ f: "a\n" }, { store: "memory" });
    const told = await gate.explain({ name: "Edit", args: { path: "./f", old_str: "a", new_str: "b" } });
    expect(told).toMatchObject({ tool: "edit_file", danger: "moderate", verdict: "allow" });
    expect(told.touches).toMatchObject([{ action: "write", place: { shown: "f", exists: true } }]);
    expect(told.diff).toContain("-a\n+b");
    expect(told.trace.map(({ stage }) => stage)).toEqual(["touches", "judged", "preview", "end"]);
  });

  test("says what other policies say, what the model would be told, and what an always would save", async () => {
    const config = {
      rules: { allow: ["write(src/**)"], ask: ["run(git push *)"] },
      guardrails: { code_rules: [{ pattern: "console", message: "use the logger" }] },
    };
    const { gate } = await bench({}, { mode: "confirm-sensitive", store: "memory", config });
    const told = (name: string, args: object) => gate.explain({ name, args });
    expect(await told("write_file", { path: "src/a.js", content: "console" })).toMatchObject({
      ...{ verdict: "allow", by: "rules", others: [{ by: "mode", answer: "ask" }] },
      notes: [expect.stringContaining("use the logger")],
    });
    const unasked = await told("write_file", { path: "b.js", content: "x" });
    expect(unasked).toMatchObject({ verdict: "ask", by: "mode", others: [], always: ["write(./b.js)"] });
    const firm = await told("run_command", { command: "git push" });
    expect(firm).toMatchObject({ verdict: "ask", by: "rules", others: [{ by: "mode", answer: "ask" }] });
    expect(firm).not.toHaveProperty("always");
    expect(await told("run_command", { command: "python3 -c 1" })).not.toHaveProperty("always");
  });

  test("loads nothing on demand, and says that a call might", async () => {
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return plain(name);
    };
    const { gate } = await bench({}, { resolve, store: "memory" });
    const told = await gate.explain({ name: "elsewhere" });
    expect(told).toMatchObject({ verdict: "deny", status: "unknown" });
    expect(told.leftOut).toContain("tools that are loaded on demand");
    expect(resolved).toEqual([]);
    expect((await gate.call({ name: "elsewhere" })).status).toBe("done");
  });

  test("never throws, and what it allows runs without a question", async () => {
    const { gate } = await bench({ f: "a\n" }, { mode: "confirm-sensitive", store: "memory" });
    const odd = fc.oneof(
      fc.record({ name: fc.constantFrom("read_file", "edit_file", "undo_turn", "x"), args: fc.jsonValue() }),
      fc.record({ name: fc.constant("read_file"), args: fc.record({ path: fc.string() }) }),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (call) => {
        const { verdict, error } = await gate.explain(call as never);
        expect(["allow", "ask", "deny"]).toContain(verdict);
        const { status } = await gate.call(call as never);
        if (verdict === "allow" && !error) expect(["done", "failed"]).toContain(status);
        else expect(status).not.toBe("done");
      }),
      { numRuns: 200 },
    );
  });
});
