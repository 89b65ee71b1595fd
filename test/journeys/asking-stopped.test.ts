import { afterEach, describe, expect, test, vi } from "vitest";
import type { Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { machineClock } from "../../src/workspaces/machine.ts";
import { bench, door, settled } from "./harness.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const writing = { name: "write_file", args: { path: "n.txt", content: "new\n" } };

/** A gate that asks somebody who never answers, and what it says to its store. */
async function unanswered(meanwhile: Partial<Store> = {}) {
  const inner = memoryStore();
  const said = { asked: 0, looked: 0 };
  const store: Store = {
    ...inner,
    ask: (row) => {
      said.asked += 1;
      return inner.ask(row);
    },
    approval: (id) => {
      said.looked += 1;
      return inner.approval(id);
    },
    ...meanwhile,
  };
  const made = await bench({}, { mode: "confirm-sensitive", approve: () => new Promise(() => {}), store });
  const events: string[] = [];
  made.gate.on("event", ({ type }) => events.push(type));
  return { ...made, inner, said, events };
}

describe("a call that is stopped around its question", () => {
  test("before it: nobody hears of the question", async () => {
    const stop = new AbortController();
    const { grants } = memoryStore();
    const it = await unanswered({
      grants: (query) => {
        stop.abort();
        return grants(query);
      },
    });
    expect((await it.gate.call(writing, { signal: stop.signal })).status).toBe("cancelled");
    expect([it.said.asked, it.events.includes("asked")]).toEqual([0, false]);
  });

  test("while it waits: it is taken back, and nobody looks for its answer any more", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stop = new AbortController();
    const it = await unanswered();
    const running = it.gate.call(writing, { signal: stop.signal });
    while (it.said.looked < 2) {
      await vi.advanceTimersByTimeAsync(250);
      await settled();
    }
    stop.abort();
    await vi.advanceTimersByTimeAsync(250);
    expect((await running).status).toBe("cancelled");
    expect(await it.inner.pending()).toEqual([]);
    await vi.advanceTimersByTimeAsync(250);
    const { looked } = it.said;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(it.said.looked - looked).toBe(0);
  });

  test("a yes to a question that was taken back meanwhile runs nothing, and is nobody's no", async () => {
    const store = memoryStore();
    const approve = async () => {
      await store.withdraw((await store.pending()).map(({ id }) => id));
      return "always";
    };
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve, store });
    const { status, error } = await gate.call(writing);
    expect([status, text("n.txt")]).toEqual(["refused", undefined]);
    expect(error?.message).toMatch(/nobody answered in time/);
    expect(await store.grants({})).toEqual([]);
  });

  const breaks: [what: string, method: "ask" | "answer", when: "before" | "after"][] = [
    ["the question is kept, and the store says that it is not", "ask", "after"],
    ["the answer is not kept", "answer", "before"],
    ["the answer is kept, and the store says that it is not", "answer", "after"],
  ];
  test.each(breaks)("nobody goes on being asked where %s", async (_, method, when) => {
    const inner = memoryStore();
    const breaking = async (...given: unknown[]) => {
      if (when === "after") await (inner[method] as (...values: unknown[]) => Promise<unknown>)(...given);
      throw new Error("the disk is full");
    };
    const store: Store = { ...inner, [method]: breaking };
    const { gate, text } = await bench({}, { mode: "confirm-sensitive", approve: () => "once", store });
    expect(await gate.call(writing)).toMatchObject({ status: "failed", error: { message: "the disk is full" } });
    expect([text("n.txt"), await inner.pending()]).toEqual([undefined, []]);
  });

  const waits: [timeout: string | number | undefined, ms: number, words: string][] = [
    [undefined, 3_600_000, "1 hour"],
    [90, 90_000, "90 seconds"],
    ["2d", 172_800_000, "2 days"],
  ];
  test.each(waits)(
    "in the queue it waits as long as approval.timeout says (%s), and is taken back then",
    async (timeout, ms, words) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const ticks = vi.spyOn(machineClock, "ticks").mockReturnValue(0);
      const store = memoryStore();
      const withdrawn: string[] = [];
      const asked = door();
      const watched: Store = {
        ...store,
        ask: (row) => store.ask(row).finally(asked.open),
        withdraw: (ids) => {
          withdrawn.push(...ids);
          return store.withdraw(ids);
        },
      };
      const config = timeout === undefined ? {} : { approval: { timeout } };
      const { gate } = await bench({}, { mode: "confirm-sensitive", approve: "queue", store: watched, config });
      const running = gate.call(writing);
      await asked.opened;
      await settled();
      const [row] = await store.pending();
      expect(row?.patience).toBe(ms);
      ticks.mockReturnValue(ms);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(withdrawn).toEqual([]);
      ticks.mockReturnValue(ms + 1);
      await vi.advanceTimersByTimeAsync(1_000);
      const { status, error } = await running;
      expect([status, error?.message, error?.hint]).toEqual([
        "refused",
        `This call needs a person's approval, and nobody answered within ${words}.`,
        expect.stringContaining("approval.timeout in toolgate.yaml"),
      ]);
      expect(withdrawn).toEqual([row?.id]);
      expect(await store.answer(row?.id ?? "", "once")).toBe(false);
    },
  );
});
