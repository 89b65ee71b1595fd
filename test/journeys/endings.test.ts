import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Definition, type Status, Tool, ToolFailure, z } from "../../src/index.ts";
import { bench, plain, sleep } from "./harness.ts";

const never = () => new Promise<never>(() => {});

describe("however a tool ends, the call ends as a well-formed result", () => {
  const cases: [what: string, execute: Definition["execute"], status: Status, says: RegExp][] = [
    ["a text", async () => "plain text", "done", /plain text/],
    ["a text at once", () => "no promise", "done", /no promise/],
    ["an object as output", async () => ({ output: { a: 1 } }), "done", /{"a":1}/],
    [
      "success false",
      async () => ({ success: false, output: "partial", error: "the pump is jammed" }),
      "failed",
      /the pump is jammed/,
    ],
    [
      "an error object",
      async () => ({ output: "", error: { code: "NOT_FOUND", message: "no such pump" } }),
      "failed",
      /no such pump/,
    ],
    [
      "an error",
      async () => {
        throw new Error("wrong colour");
      },
      "failed",
      /wrong colour/,
    ],
    [
      "a throw before any promise",
      () => {
        throw new Error("at once");
      },
      "failed",
      /at once/,
    ],
    [
      "a foreseen failure",
      async () => {
        throw new ToolFailure("NOT_FOUND", "no such thing", "try another");
      },
      "failed",
      /no such thing/,
    ],
    [
      "a thrown text",
      async () => {
        throw "just words";
      },
      "failed",
      /just words/,
    ],
    [
      "a thrown null",
      async () => {
        throw null;
      },
      "failed",
      /null/,
    ],
    [
      "a thrown thing that cannot be read",
      async () => {
        throw {
          get message() {
            throw new Error("trap");
          },
          toString() {
            throw new Error("trap");
          },
        };
      },
      "failed",
      /cannot be read/,
    ],
    ["undefined", async () => undefined as never, "failed", /undefined/],
    ["null", async () => null as never, "failed", /null/],
    ["a number", async () => 42 as never, "failed", /number/],
    ["an empty object", async () => ({}) as never, "failed", /object/],
    [
      "a cycle as output",
      async () => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return { output: cycle };
      },
      "done",
      /./,
    ],
    ["a hang", never, "timed-out", /0\.05 s/],
    [
      "a hang that hears the signal",
      (_, { abort }) => new Promise((resolve) => abort.addEventListener("abort", () => resolve("what I had"))),
      "timed-out",
      /what I had/,
    ],
  ];
  test.each(cases)("%s", async (_, execute, status, says) => {
    const { call } = await bench({}, { tools: [plain("odd", { execute, timeLimit: 50 })], store: "memory" });
    const result = await call("odd");
    expect(result.status).toBe(status);
    expect(result.success).toBe(status === "done");
    expect(typeof result.output).toBe("string");
    expect(typeof result.title).toBe("string");
    expect(result.metadata).toBeTypeOf("object");
    expect(`${result.output}\n${result.error?.message}`).toMatch(says);
    if (!result.success)
      for (const key of ["code", "message", "hint"] as const) expect(result.error?.[key]).toBeTypeOf("string");
  });

  test("a huge output is cut with exact counts", async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n}`);
    const { call, text } = await bench(
      {},
      { tools: [plain("flood", { execute: async () => lines.join("\n") })], store: "memory" },
    );
    const { output, truncated, success } = await call("flood");
    expect(success).toBe(true);
    expect(output.length).toBeLessThan(70_000);
    expect(output.startsWith("line 0\n")).toBe(true);
    expect(output).toMatch(/line 99999\n\n\[All \d+ bytes are in \.toolgate\/output\/\S+\.txt\.\]$/);
    expect(text(truncated?.path ?? "")).toBe(lines.join("\n"));
    const page = await call("read_file", { path: truncated?.path, offset: 50_001, limit: 1 });
    expect(page.output).toMatch(/^50001\tline 50000\n/);
    expect(truncated?.totalLines).toBe(100_000);
    const shown = output.split("\n").filter((line) => line.startsWith("line ")).length;
    expect(shown + (truncated?.omittedLines ?? 0)).toBe(100_000);
  });

  test("secrets in an error are redacted; the output stays exact", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const execute = async () => {
      throw new ToolFailure("IO_ERROR", `cannot use ${secret}`, `not ${secret}`, { output: secret });
    };
    const { call } = await bench({}, { tools: [plain("leaky", { execute })], store: "memory" });
    const { error, output } = await call("leaky");
    expect(JSON.stringify(error)).not.toContain(secret);
    expect(output).toBe(secret);
  });
});

describe("being stopped", () => {
  test("an aborted call ends as cancelled, and what it left running can touch nothing more", async () => {
    let late: unknown;
    const slow = plain("slow", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "x.txt" }],
      execute: async (_, { files }) => {
        await sleep(1300);
        late = await files.write("x.txt", new TextEncoder().encode("too late")).catch((error: unknown) => error);
        return "done";
      },
    });
    const { gate, text } = await bench({}, { tools: [slow] });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const result = await gate.call({ name: "slow", args: {} }, { signal: stop.signal });
    expect(result.status).toBe("cancelled");
    await sleep(500);
    expect(late).toBeInstanceOf(ToolFailure);
    expect(text("x.txt")).toBeUndefined();
  });

  test("a call with a signal that is already aborted does not run", async () => {
    let ran = false;
    const { gate } = await bench(
      {},
      {
        tools: [
          plain("mark", {
            execute: async () => {
              ran = true;
              return "";
            },
          }),
        ],
        store: "memory",
      },
    );
    expect((await gate.call({ name: "mark" }, { signal: AbortSignal.abort() })).status).toBe("cancelled");
    expect(ran).toBe(false);
  });

  test("closing the gate stops what runs, and later calls are cancelled", async () => {
    const { gate } = await bench({}, { tools: [plain("hang", { execute: never })], store: "memory" });
    const running = gate.call({ name: "hang" });
    await sleep(20);
    await gate.close();
    expect((await running).status).toBe("cancelled");
    const late = await gate.call({ name: "hang" });
    expect(late).toMatchObject({ status: "cancelled", error: { message: "The gate is closed." } });
  });

  test("the time a person thinks does not count, also inside a call below", async () => {
    let thinksFor = 0;
    const approve = async () => {
      await sleep(thinksFor);
      return "once";
    };
    const outer = plain("outer", {
      timeLimit: 1_000,
      execute: async (_, { gate }) => {
        const inner = await gate.call({ name: "write_file", args: { path: "n.txt", content: "x" } });
        return inner.status;
      },
    });
    const { call, text } = await bench({}, { tools: [outer], mode: "confirm-sensitive", approve });
    // the first question loads what questions need, which takes a while on a busy machine
    await call("write_file", { path: "first.txt", content: "x" });
    thinksFor = 1_200;
    expect((await call("outer")).output).toBe("done");
    expect(text("n.txt")).toBe("x");
  });
});

describe("whatever comes in, call and explain do not throw", () => {
  test("odd calls", async () => {
    const { gate } = await bench({}, { store: "memory" });
    for (const odd of [
      undefined,
      null,
      7,
      "read_file",
      [],
      {},
      { name: 3 },
      { name: "read_file", args: Symbol("x") },
    ]) {
      expect((await gate.call(odd as never)).success).toBe(false);
      expect((await gate.explain(odd as never)).verdict).toBe("deny");
    }
  });

  test("a call without a name is told so, and no name is guessed", async () => {
    const { gate } = await bench({}, { store: "memory", tools: [plain("undefined_things", { execute: never })] });
    for (const odd of [undefined, null, {}, { name: 3 }, { name: "" }]) {
      const { status, error } = await gate.call(odd as never);
      expect(status).toBe("unknown");
      expect(error).toMatchObject({
        message: "The call names no tool.",
        hint: expect.stringMatching(/^The tools are /),
      });
    }
  });

  test("calls that cannot even be looked at", async () => {
    const { gate } = await bench({}, { store: "memory" });
    const trap = {
      get name(): string {
        throw new Error("trap");
      },
    };
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => ["name"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: () => {
          throw new Error("trap");
        },
      },
    );
    for (const odd of [trap, proxy, { name: "read_file", sessionID: {}, messageID: 7, agent: null }]) {
      expect((await gate.call(odd as never)).success).toBe(false);
      expect((await gate.explain(odd as never)).verdict).toBe("deny");
    }
    expect(await gate.callAll(undefined as never)).toEqual([]);
    expect((await gate.callAll([undefined as never])).map(({ status }) => status)).toEqual(["unknown"]);
  });

  test("arbitrary arguments", async () => {
    const { gate } = await bench({ "a.txt": "one\n" }, { store: "memory" });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("read_file", "write_file", "edit_file", "undo_file", "undo_turn", "x"),
        fc.anything(),
        async (name, args) => {
          const result = await gate.call({ name, args });
          expect(result.success).toBe(result.status === "done" || result.status === "planned");
          if (!result.success) expect(result.error?.message).toBeTruthy();
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a page in place of a tool's name", async () => {
    const { call } = await bench({}, { store: "memory" });
    const { status, error } = await call("n".repeat(1 << 20));
    expect(status).toBe("unknown");
    expect(error?.message.length).toBeLessThan(200);
  });

  test("a tool whose definition cannot be made", async () => {
    const broken = Tool.define("broken", async () => {
      throw new Error("no such module");
    });
    const { call } = await bench({}, { tools: [broken], store: "memory" });
    const { status, error } = await call("broken");
    expect(status).toBe("failed");
    expect(error?.message).toMatch(/no such module/);
  });

  test("touches, danger and schemas that throw", async () => {
    const boom = () => {
      throw new Error("boom");
    };
    const tools = [
      plain("bad_touches", { touches: boom }),
      plain("bad_danger", { getDangerLevel: boom }),
      plain("bad_schema", { input: z.object({ a: z.string().refine(boom) }) }),
      plain("bad_action", { touches: () => [{ action: "explode", target: "x" } as never] }),
    ];
    const { call } = await bench({}, { tools, store: "memory" });
    for (const { name } of tools) expect((await call(name, { a: "x" })).success, name).toBe(false);
  });
});
