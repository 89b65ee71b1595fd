import { describe, expect, test, vi } from "vitest";
import type { Claim, Definition, OpenOptions, Workspace } from "../../src/index.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, door, folder, plain, settled } from "./harness.ts";

const never = () => new Promise<never>(() => {});
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a stopped call", () => {
  test.each(["grep", "find_files", "list_files"])("stops its search (%s)", async (name) => {
    const local = localWorkspace({ root: folder({ "a.txt": "alpha\n" }) });
    const begun = door();
    const ended = door();
    const endless = (_place: unknown, _query: unknown, signal?: AbortSignal) => ({
      report: { engine: "", tookAsText: false, excluded: 0, unreadable: 0 },
      async *[Symbol.asyncIterator]() {
        begun.open();
        await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
        ended.open();
      },
    });
    const search = { files: endless, lines: endless } as unknown as Workspace["search"];
    const { gate } = await bench({}, { workspace: { ...local, search }, store: "memory" });
    const stop = new AbortController();
    const running = gate.call({ name, args: { pattern: "alpha", recursive: true } }, { signal: stop.signal });
    await begun.opened;
    stop.abort();
    expect((await running).status).toBe("cancelled");
    await ended.opened;
    await local.close();
  });

  const plans = ["plan", "dryRun"] as const;
  const write = { name: "write_file", args: { path: "a.txt", content: "new\n" } };
  test.each(plans)("leaves nothing in the overlay of a %s, if it was stopped before", async (kind) => {
    const { gate, call } = await bench({ "a.txt": "old" }, { [kind]: true, store: "memory" });
    expect((await gate.call(write, { signal: AbortSignal.abort() })).status).toBe("cancelled");
    expect((await gate.callAll([write], { signal: AbortSignal.abort() }))[0]?.status).toBe("cancelled");
    expect((await call("read_file", { path: "a.txt" })).output).toBe("1\told");
  });

  test.each(plans)("leaves nothing in the overlay of a %s, if it was stopped while it looked ahead", async (kind) => {
    const stop = new AbortController();
    const slow = plain("slow", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "a.txt" }],
      preview: async () => {
        stop.abort();
        return [{ path: "a.txt", after: bytes("new\n") }];
      },
    });
    const { gate, call } = await bench({ "a.txt": "old" }, { [kind]: true, tools: [slow], store: "memory" });
    expect((await gate.call({ name: "slow" }, { signal: stop.signal })).status).toBe("cancelled");
    expect((await call("read_file", { path: "a.txt" })).output).toBe("1\told");
  });

  test("is not even looked at, if it was stopped before", async () => {
    const asked: string[] = [];
    const tool = plain("asked", {
      touches: () => {
        asked.push("touches");
        return [];
      },
      preview: async () => {
        asked.push("preview");
        return [];
      },
    });
    const { gate } = await bench({}, { tools: [tool], store: "memory" });
    expect((await gate.call({ name: "asked" }, { signal: AbortSignal.abort() })).status).toBe("cancelled");
    expect(asked).toEqual([]);
  });

  test("changes nothing, if it was stopped while it looked ahead", async () => {
    const stop = new AbortController();
    let ran = false;
    const slow = plain("slow", {
      permissions: { required: ["write"] },
      touches: () => [{ action: "write", target: "a.txt" }],
      preview: async () => {
        stop.abort();
        return [{ path: "a.txt", after: bytes("new\n") }];
      },
      execute: () => {
        ran = true;
        return "";
      },
    });
    const { gate, text } = await bench({ "a.txt": "old" }, { tools: [slow], store: "memory" });
    expect((await gate.call({ name: "slow" }, { signal: stop.signal })).status).toBe("cancelled");
    expect([ran, text("a.txt")]).toEqual([false, "old"]);
  });

  const endings: [what: string, execute: (abort: AbortSignal, stop: () => void) => Promise<string>, output: string][] =
    [
      [
        "hands over what it had",
        (abort, stop) =>
          new Promise((resolve) => {
            abort.addEventListener("abort", () => resolve("what I had"));
            stop();
          }),
        "what I had",
      ],
      [
        "may fail in its own way",
        (abort, stop) =>
          new Promise((_, reject) => {
            abort.addEventListener("abort", () => reject(new Error("interrupted")));
            stop();
          }),
        "",
      ],
    ];
  test.each(endings)("%s, and is cancelled all the same", async (_, work, output) => {
    const stop = new AbortController();
    const execute: Definition["execute"] = (_input, { abort }) => work(abort, () => setImmediate(() => stop.abort()));
    const { gate } = await bench({}, { tools: [plain("worker", { execute })], store: "memory" });
    const result = await gate.call({ name: "worker" }, { signal: stop.signal });
    expect(result).toMatchObject({ success: false, status: "cancelled", output, error: { code: "CANCELLED" } });
  });

  test("whose tool stops it and returns at once is cancelled all the same", async () => {
    const stop = new AbortController();
    const execute = () => {
      stop.abort();
      return "all of it";
    };
    const { gate } = await bench({}, { tools: [plain("worker", { execute })], store: "memory" });
    expect((await gate.call({ name: "worker" }, { signal: stop.signal })).status).toBe("cancelled");
  });

  test("of a batch takes the later ones along, if it was stopped by the batch's signal", async () => {
    const stop = new AbortController();
    const stopping = plain("stopping", {
      permissions: { required: ["write"] },
      touches: (): Claim[] => [{ action: "write", target: "a.txt" }],
      execute: () => {
        stop.abort();
        return "";
      },
    });
    const { gate, text } = await bench({ "a.txt": "old" }, { tools: [stopping], store: "memory" });
    const results = await gate.callAll([{ name: "stopping" }, write, write], { signal: stop.signal });
    expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(text("a.txt")).toBe("old");
  });

  test("is told why by whoever stopped it", async () => {
    const { gate } = await bench({}, { tools: [plain("hang", { execute: never })], store: "memory" });
    const running = gate.call({ name: "hang" });
    await settled();
    await gate.close();
    expect((await running).error?.message).toBe("The gate was closed while the call ran.");
  });
});

describe("nothing is left behind on a signal of the outside", () => {
  const asking: OpenOptions = { mode: "confirm-sensitive", approve: () => "once" };
  const nested = plain("nested", {
    execute: async (_, { gate, abort }) => {
      abort.throwIfAborted();
      const inner = await gate.callAll([{ name: "quick" }, { name: "listening" }]);
      return inner.map(({ status }) => status).join();
    },
  });
  const listening = plain("listening", { execute: async (_, { abort }) => String(abort.aborted) });
  const tools = [nested, listening, plain("quick"), plain("fails", { execute: () => Promise.reject(new Error("no")) })];
  const write = { name: "write_file", args: { path: "a.txt", content: "x" } };
  const cases: [what: string, options: OpenOptions, calls: { name: string; args?: unknown }[]][] = [
    ["a call", {}, [{ name: "quick" }]],
    ["a tool that looks at the signal", {}, [{ name: "listening" }]],
    ["a failure", {}, [{ name: "fails" }]],
    ["a change", {}, [write]],
    ["a question", asking, [write]],
    ["calls below", {}, [{ name: "nested" }]],
    ["what is unknown", {}, [{ name: "nobody" }]],
  ];
  test.each(cases)("%s", async (_, options, calls) => {
    const { gate } = await bench({}, { tools, store: "memory", ...options });
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    for (const call of calls) await gate.call(call, { signal });
    await gate.callAll([...calls, ...calls], { signal });
    const of = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map(([type, listener]) => [type, listener]);
    expect(added.mock.calls.length).toBeLessThanOrEqual(2);
    expect(of(removed)).toEqual(of(added));
  });

  test("a batch listens once, however many calls it has", async () => {
    const { gate } = await bench({}, { tools, store: "memory" });
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    await gate.callAll(
      Array.from({ length: 30 }, () => ({ name: "listening" })),
      { signal },
    );
    expect(added).toHaveBeenCalledTimes(1);
  });
});

describe("closing", () => {
  test("waits for what is being stopped, and for nothing else", async () => {
    const begun = door();
    let over = false;
    const slow = plain("slow", {
      execute: (_, { abort }) =>
        new Promise((resolve) => {
          abort.addEventListener("abort", () =>
            setTimeout(() => {
              over = true;
              resolve("");
            }, 20),
          );
          begun.open();
        }),
    });
    const { gate } = await bench({}, { tools: [slow], store: "memory" });
    void gate.call({ name: "slow" });
    await begun.opened;
    await gate.close();
    expect(over).toBe(true);
  });

  test("twice is once, and a batch that is under way begins nothing more", async () => {
    const begun = door();
    let ran = 0;
    const touches = (): Claim[] => [{ action: "write", target: "a.txt" }];
    const slow = plain("slow", {
      permissions: { required: ["write"] },
      touches,
      execute: (_, { abort }) =>
        new Promise((resolve) => {
          ran += 1;
          abort.addEventListener("abort", () => resolve(""));
          begun.open();
        }),
    });
    const { gate } = await bench({ "a.txt": "" }, { tools: [slow], store: "memory" });
    const running = gate.callAll([{ name: "slow" }, { name: "slow" }]);
    await begun.opened;
    expect(gate.close()).toBe(gate.close());
    await gate.close();
    const results = await running;
    expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(ran).toBe(1);
    expect((await gate.callAll([{ name: "slow" }]))[0]?.status).toBe("cancelled");
  });

  test("is closing for everybody below, and for nobody above", async () => {
    const { gate } = await bench({}, { tools: [plain("quick")], store: "memory" });
    const child = gate.child();
    const [sibling, deeper] = [gate.child(), child.child()];
    const statuses = async () => {
      const gates = [gate, sibling, child, deeper, deeper.child()];
      return Promise.all(gates.map(async (each) => (await each.call({ name: "quick" })).status));
    };
    await child.close();
    expect(await statuses()).toEqual(["done", "done", "cancelled", "cancelled", "cancelled"]);
    await gate.close();
    expect(await statuses()).toEqual(Array.from({ length: 5 }, () => "cancelled"));
  });
});
