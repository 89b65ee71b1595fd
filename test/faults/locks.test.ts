import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Claim, OpenOptions, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain, settled } from "../journeys/harness.ts";

afterEach(() => void vi.restoreAllMocks());

const write = { name: "write_file", args: { path: "a.txt", content: "new\n" } };
const other = { token: "theirs", call: "their call", ancestors: [] };

/** A gate whose file somebody else holds; `waiting` hears when it begins to wait, and what would end that. */
async function held(waiting: (signal: AbortSignal | undefined) => void, options: OpenOptions = {}) {
  const inner = memoryStore();
  let attempts = 0;
  const store: Store = {
    ...inner,
    lock(paths, holder, patience) {
      attempts += 1;
      const answer = inner.lock(paths, holder, patience);
      if (patience) waiting(patience.signal);
      return answer;
    },
  };
  const it = await bench({ "a.txt": "old\n" }, { ...options, store });
  await inner.lock([path.join(it.dir, "a.txt")], other);
  return { ...it, inner, attempts: () => attempts };
}

describe("a file that somebody else holds", () => {
  test("is waited for, and then changed", async () => {
    const it = await held(() => void it.inner.unlock("theirs"));
    expect((await it.gate.call(write)).status).toBe("done");
    expect([it.text("a.txt"), it.attempts()]).toEqual(["new\n", 2]);
  });

  test("is waited for half a minute, and then told with who holds it", async () => {
    const patiences: number[] = [];
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      // as if all the time had passed
      lock(paths, holder, patience) {
        if (patience) patiences.push(patience.milliseconds);
        return inner.lock(paths, holder);
      },
    };
    const it = await bench({ "a.txt": "old\n" }, { store });
    await inner.lock([path.join(it.dir, "a.txt")], other);
    const { status, error } = await it.gate.call(write);
    expect([status, error?.code, patiences]).toEqual(["failed", "CONFLICT", [30_000]]);
    expect(error?.message).toContain(path.join(it.dir, "a.txt"));
    expect(error?.message).toContain("their call");
    expect(error?.message).toMatch(/held it for more than 30 s/);
    expect(it.text("a.txt")).toBe("old\n");
    expect((await inner.locks()).map(({ token }) => token)).toEqual(["theirs"]);
  });

  test.each(["a signal", "closing the gate"])("is waited for no longer once the call is stopped by %s", async (way) => {
    const stop = new AbortController();
    let wait: AbortSignal | undefined;
    const it = await held((signal) => {
      wait = signal;
      if (way === "a signal") stop.abort();
      else void it.gate.close();
    });
    expect((await it.gate.call(write, { signal: stop.signal })).status).toBe("cancelled");
    expect([it.attempts(), wait?.aborted]).toEqual([2, true]);
    await it.inner.unlock("theirs");
    await settled();
    expect([it.text("a.txt"), await it.inner.locks()]).toEqual(["old\n", []]);
  });

  test("is not waited for by calls that only read it", async () => {
    const it = await held(() => {});
    expect((await it.call("read_file", { path: "a.txt" })).status).toBe("done");
    expect(it.attempts()).toBe(0);
  });
});

describe("whatever becomes of a call, its locks are free afterwards", () => {
  const touches = (): Claim[] => [{ action: "write", target: "a.txt" }];
  const boom = () => {
    throw new Error("boom");
  };
  let looks = 0;
  const tools = [
    plain("throws", { permissions: { required: ["write"] }, touches, execute: boom }),
    plain("fails", { permissions: { required: ["write"] }, touches, execute: () => ({ output: "", error: "no" }) }),
    plain("hangs", {
      permissions: { required: ["write"] },
      touches,
      timeLimit: 1,
      execute: (_, { abort }) => new Promise((_resolve, reject) => abort.addEventListener("abort", reject)),
    }),
    plain("lies", {
      permissions: { required: ["write"] },
      touches,
      execute: (_, { files }) => files.read("b").then(String),
    }),
    plain("unsure", {
      permissions: { required: ["write"] },
      touches: (_, look) => look.files && (looks++ === 1 ? boom() : touches()),
    }),
    plain("fickle", {
      permissions: { required: ["write"] },
      touches: (_, look) => look.files && [{ action: "write", target: `f${looks++}` }],
    }),
    plain("unseen", {
      permissions: { required: ["write"] },
      touches,
      preview: async (_, { journal }) => {
        await journal.changes({});
        return looks++ === 1 ? boom() : [{ path: "a.txt", after: new Uint8Array(1) }];
      },
    }),
  ];
  test.each(tools.map(({ name }) => name))("%s", async (name) => {
    looks = 0;
    const store = memoryStore();
    const { call } = await bench({ "a.txt": "old\n" }, { tools, store });
    expect((await call(name)).success).toBe(false);
    expect(await store.locks()).toEqual([]);
  });

  test("a budget that is used up", async () => {
    const store = memoryStore();
    const { call } = await bench({}, { store, config: { budget: { max_calls: 1 } } });
    expect((await call("write_file", write.args)).status).toBe("done");
    expect((await call("write_file", write.args)).error?.code).toBe("RATE_LIMITED");
    expect(await store.locks()).toEqual([]);
  });

  test("a tool whose places never stay the same is refused, and never runs", async () => {
    let ran = false;
    let n = 0;
    const fickle = plain("fickle", {
      permissions: { required: ["write"] },
      touches: (_, look) => look.files && [{ action: "write", target: `f${n++}` }],
      execute: () => {
        ran = true;
        return "ran";
      },
    });
    const { call } = await bench({}, { tools: [fickle], store: "memory" });
    const { status, error } = await call("fickle");
    expect([status, error?.code, ran]).toEqual(["refused", "CONFLICT", false]);
    expect(error?.message).toContain("could not be settled");
    // read once, and under the locks of each of three rounds
    expect(n).toBe(4);
  });

  test.each([1, 2, 3])("a store that fails %s times to free them is asked again", async (failures) => {
    const store = memoryStore();
    let tried = 0;
    const unlock = (token: string) => (tried++ < failures ? Promise.reject(new Error("busy")) : store.unlock(token));
    const { gate } = await bench({}, { store: { ...store, unlock } });
    expect((await gate.call(write)).status).toBe("done");
    expect([tried, await store.locks()]).toEqual([failures + 1, []]);
  });

  test("a store that never frees them does not hold up the answer for ever", async () => {
    let tried = 0;
    const unlock = () => {
      tried += 1;
      return Promise.reject(new Error("gone"));
    };
    const { gate } = await bench({}, { store: { ...memoryStore(), unlock } });
    expect((await gate.call(write)).status).toBe("done");
    expect(tried).toBe(4);
  });
});
