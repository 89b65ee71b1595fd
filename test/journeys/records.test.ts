import { describe, expect, test } from "vitest";
import type { CallRecord, Claim, Definition, GateEvent, IncomingCall, OpenOptions } from "../../src/index.ts";
import { ToolFailure } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain } from "./harness.ts";

/** What is kept of one call. */
async function recorded(call: IncomingCall, options: OpenOptions = {}): Promise<CallRecord> {
  const store = memoryStore();
  const { gate } = await bench({ "a.txt": "one\n" }, { ...options, store });
  await gate.call(call);
  await gate.close();
  const [record, ...more] = await store.records({});
  expect(more).toEqual([]);
  return record as CallRecord;
}

describe("what is kept of a call", () => {
  test("who called what, when, in which turn", async () => {
    const call = { id: "c", name: "Read", args: { file_path: "./a.txt" } };
    const before = Date.now();
    const record = await recorded({ ...call, messageID: "m", sessionID: "s", agent: "explore" });
    expect(record).toMatchObject({ call: "c", session: "s", message: "m", agent: "explore", tool: "read_file" });
    expect(record).toMatchObject({ status: "done", target: "a.txt", input: { path: "./a.txt" } });
    expect(record.touches).toMatchObject([{ action: "read", place: { shown: "a.txt" } }]);
    expect(record.verdict).toEqual({ answer: "allow", by: "mode", reason: expect.any(String) });
    expect(record.at).toBeGreaterThanOrEqual(before);
    expect(record.trace.map(({ stage }) => stage)).toEqual(["touches", "judged", "end"]);
    expect(record.microseconds).toBe(record.trace.at(-1)?.microseconds);
    expect(record).not.toHaveProperty("error");
    expect(record).not.toHaveProperty("alerts");
  });

  test("where nothing is said, the gate's own session and agent, and a turn of its own", async () => {
    const store = memoryStore();
    const { gate } = await bench({}, { store, tools: [plain("quick")] });
    for (const name of ["quick", "quick"]) await gate.call({ name });
    await gate.close();
    const [second, first] = await store.records({});
    expect([first?.session, first?.agent]).toEqual([gate.sessionID, "main"]);
    expect(new Set([first?.call, second?.call, first?.message, second?.message, first?.id, second?.id]).size).toBe(6);
  });

  test("of an unknown tool, its name and what came", async () => {
    const record = await recorded({ name: "nobody", args: { a: 1 } });
    expect(record).toMatchObject({ tool: "nobody", status: "unknown", target: "", input: { a: 1 }, touches: [] });
    expect(record.error).toMatchObject({ code: "UNKNOWN_TOOL" });
    expect(record).not.toHaveProperty("verdict");
  });

  test("of a change: under locks it was settled, and how long each stage took", async () => {
    const args = { path: "a.txt", content: "two\n" };
    const record = await recorded({ name: "write_file", args }, { mode: "confirm-sensitive", approve: () => "once" });
    expect(record.trace.map(({ stage, verdict }) => (verdict ? `${stage} ${verdict}` : stage))).toEqual([
      "touches",
      "judged ask",
      "preview",
      "answered once",
      "settled",
      "end",
    ]);
    const times = record.trace.map(({ microseconds }) => microseconds);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every(Number.isInteger)).toBe(true);
    expect(record.verdict).toMatchObject({ answer: "allow", by: "person", reason: "a person allowed it (once)" });
  });

  const targets: [what: string, touches: Claim[], target: string][] = [
    ["nothing", [], ""],
    ["a file", [{ action: "read", target: "./a.txt" }], "a.txt"],
    [
      "the first of several",
      [
        { action: "list", target: "." },
        { action: "read", target: "a.txt" },
      ],
      ".",
    ],
    ["a command", [{ action: "run", command: "make all", class: "safe" }], "make all"],
    ["an address", [{ action: "fetch", url: "http://example.com:8001/x" }], "http://example.com:8001/x"],
    ["a server's tool", [{ action: "use", source: "mcp", name: "weather" }], "weather"],
    ["something unknown", [{ action: "unknown", permissions: ["read"] }], ""],
    ["an agent", [{ action: "delegate", target: "explore" }], "explore"],
    ["a memory", [{ action: "remember", target: "key" }], "key"],
    ["a process", [{ action: "signal", target: "p1" }], "p1"],
  ];
  test.each(targets)("what it was about, for people: %s", async (_, touches, target) => {
    const tool = plain("about", { permissions: { required: [] }, touches: () => touches });
    expect(await recorded({ name: "about" }, { tools: [tool] })).toMatchObject({ target, status: "done" });
  });
});

describe("what a system's error means to a model", () => {
  const codes: [code: unknown, told: string][] = [
    ["ENOENT", "NOT_FOUND"],
    ["EACCES", "PERMISSION_DENIED"],
    ["EPERM", "PERMISSION_DENIED"],
    ["EISDIR", "VALIDATION_ERROR"],
    ["ENOTDIR", "VALIDATION_ERROR"],
    ["EMFILE", "IO_ERROR"],
    ["ENFILE", "IO_ERROR"],
    ["ENOSPC", "IO_ERROR"],
    ["ETIMEDOUT", "TIMEOUT"],
    ["ESOMETHING", "UNKNOWN"],
    ["toString", "UNKNOWN"],
    [7, "UNKNOWN"],
    [undefined, "UNKNOWN"],
  ];
  test.each(codes)("%s", async (code, told) => {
    const execute = () => {
      throw Object.assign(new Error("it broke"), { code });
    };
    const { call } = await bench({}, { tools: [plain("broken", { execute })], store: "memory" });
    const result = await call("broken");
    expect(result).toMatchObject({ status: "failed", title: "broken: it broke", error: { code: told } });
    expect(result.error?.message).toBe("it broke");
  });

  test("an error without a message is told by its name, a foreseen one by its own words", async () => {
    const thrown: [unknown, object][] = [
      [new RangeError(), { message: "RangeError" }],
      [new ToolFailure("NOT_FOUND", "no such pump", "look below"), { message: "no such pump", hint: "look below" }],
      [undefined, { message: "it threw undefined" }],
    ];
    for (const [error, told] of thrown) {
      const execute = () => {
        throw error;
      };
      const { call } = await bench({}, { tools: [plain("broken", { execute })], store: "memory" });
      expect((await call("broken")).error).toMatchObject(told);
    }
  });
});

describe("what a tool gives back", () => {
  const given: [what: string, returned: unknown, result: object][] = [
    ["a text", "words", { title: "odd", output: "words", metadata: {} }],
    ["a title", { title: "Counted", output: "3" }, { title: "Counted", output: "3" }],
    ["a title that is none", { title: 3, output: "3" }, { title: "odd" }],
    ["no output but an error", { error: "no" }, { status: "failed", output: "", error: { message: "no" } }],
    ["an output that is undefined", { output: undefined }, { status: "done", output: "" }],
    ["a number as output", { output: 3 }, { output: "3" }],
    ["a function as output", { output: () => 1 }, { output: expect.stringContaining("=>") }],
    ["metadata", { output: "", metadata: { n: 1 } }, { metadata: { n: 1 } }],
    ["metadata that is none", { output: "", metadata: null }, { metadata: {} }],
    ["metadata that is a text", { output: "", metadata: "n" }, { metadata: {} }],
    ["an error that is null", { output: "fine", error: null }, { status: "done" }],
    ["success without a reason", { output: "", success: false }, { status: "failed", error: { code: "UNKNOWN" } }],
    ["success that is true with an error", { output: "", success: true, error: "no" }, { status: "failed" }],
    [
      "an error in full",
      { output: "half", error: { code: "TIMEOUT", message: "too slow", hint: "be quick" } },
      { output: "half", error: { code: "TIMEOUT", message: "too slow", hint: "be quick" } },
    ],
    [
      "an error with an empty message",
      { output: "", error: { message: "" } },
      { error: { message: expect.stringContaining("failure") } },
    ],
    [
      "an error with odd parts",
      { output: "", error: { code: 3, message: 4, hint: 5 } },
      { error: { code: "UNKNOWN" } },
    ],
  ];
  test.each(given)("%s", async (_, returned, expected) => {
    const execute = (() => returned) as Definition["execute"];
    const { call } = await bench({}, { tools: [plain("odd", { execute })], store: "memory" });
    const result = await call("odd");
    expect(result).toMatchObject(expected);
    if (!result.success)
      for (const each of ["code", "message", "hint"] as const) expect(result.error?.[each]).toMatch(/./);
  });

  test("attachments are passed on, and nothing in place of none", async () => {
    const attachments = [{ mime: "image/png", data: "AA==" }];
    for (const [returned, expected] of [
      [{ output: "", attachments }, attachments],
      [{ output: "", attachments: [] }, undefined],
      [{ output: "", attachments: "x" as never }, undefined],
    ] as const) {
      const { call } = await bench(
        {},
        { tools: [plain("drawing", { execute: () => returned as never })], store: "memory" },
      );
      expect((await call("drawing")).attachments).toEqual(expected);
    }
  });

  test("what was dropped of the arguments is told after the output", async () => {
    const { call } = await bench({ "a.txt": "one\n" }, { store: "memory" });
    const result = await call("read_file", { path: "a.txt", speed: "fast" });
    expect(result.output).toMatch(/^1\tone\n\n.*speed/s);
    expect(result.metadata.notes).toEqual([expect.stringContaining("speed")]);
    expect((await call("read_file", { path: "a.txt" })).metadata).not.toHaveProperty("notes");
  });

  test("a long output that cannot be kept whole is cut all the same", async () => {
    const long = plain("long", { execute: () => "line\n".repeat(100_000) });
    const { call, put } = await bench({}, { tools: [long], store: "memory" });
    // no folder can be made where a file is
    put(".toolgate", "");
    const { truncated, output } = await call("long");
    expect(truncated?.totalLines).toBeGreaterThan(99_000);
    expect(truncated).not.toHaveProperty("path");
    expect(output.length).toBeLessThan(70_000);
  });
});

test("nothing is told to nobody, and progress after the call is still about that call", async () => {
  const noisy = plain("noisy", { execute: (_, { metadata }) => String(metadata({ title: "half" })) });
  const { gate, call } = await bench({}, { tools: [noisy], store: "memory" });
  await call("noisy");
  const heard: GateEvent[] = [];
  const leave = gate.on("event", (event) => heard.push(event));
  await call("noisy", {}, { id: "c" });
  leave();
  await call("noisy");
  expect(heard.map(({ type }) => type)).toEqual(["start", "judged", "progress", "done"]);
});
