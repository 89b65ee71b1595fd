import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Claim } from "../words/touch.ts";

const read = (target: string, scope?: string): Claim => ({ action: "read", target, ...(scope && { scope }) });
const list = (target: string): Claim => ({ action: "list", target });
const write = (target: string, scope?: string): Claim => ({ action: "write", target, ...(scope && { scope }) });
const run = (...inner: Claim[]): Claim => ({ action: "run", command: "x", class: "safe", inner });
const make: Claim = { action: "run", command: "make", class: "dev", inner: [] };

/** Who is under way when each of them begins. */
async function begun(all: { claims: Claim[]; inOrder?: boolean }[], concurrency?: number, roots = ["/ws"]) {
  const running = new Set<number>();
  const order: number[] = [];
  const met: Record<number, number[]> = {};
  const tools = all.map(({ claims, inOrder }, index) =>
    tool(inOrder ? "ordered" : `t${index}`, {
      ...{ touches: () => claims, ...(inOrder && { inOrder: true }) },
      execute: async (input) => {
        const me = inOrder ? Number((input as { path: string }).path) : index;
        order.push(me);
        met[me] = [...running];
        running.add(me);
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        running.delete(me);
        return String(me);
      },
    }),
  );
  const once = tools.filter(({ name }, index) => tools.findIndex((each) => each.name === name) === index);
  const { gate } = gateIn({ tools: once, workspace: { roots } });
  const calls = tools.map(({ name }, index) => ({ name, args: { path: String(index) } }));
  const results = await gate.callAll(calls, concurrency === undefined ? {} : { concurrency });
  expect(
    results.map(({ output }) => output),
    "answers in order",
  ).toEqual(tools.map((_, index) => String(index)));
  return { order, together: (a: number, b: number) => met[b]?.includes(a) || met[a]?.includes(b) || false };
}

describe("of two calls the second waits for the first, or does not", () => {
  test.each<[string, Claim[], Claim[], waits: boolean]>([
    ["two reads of a file", [read("a")], [read("a")], false],
    ["a write after a read", [read("a")], [write("a")], true],
    ["a read after a write", [write("a")], [read("a")], true],
    ["two writes", [write("a")], [write("a")], true],
    ["writes of two files", [write("a")], [write("b")], false],
    ["a read of another", [write("a")], [read("b")], false],
    ["names that begin alike", [write("a")], [write("ab")], false],
    ["a list of the folder", [write("sub/a")], [list("sub")], true],
    ["a list before a write in it", [list("sub")], [write("sub/a")], true],
    ["a list of another folder", [write("sub/a")], [list("other")], false],
    ["a search of the folder", [read("sub", "**")], [write("sub/deep/a")], true],
    ["a read of the folder itself", [read("sub")], [write("sub/a")], false],
    ["a write by a pattern", [write("sub", "*.txt")], [read("sub/a")], true],
    ["a command that reads it", [run(read("a"))], [write("a")], true],
    ["a command that reads another", [run(read("b"))], [write("a")], false],
    ["a command that may change anything", [make], [read("a")], true],
    ["before a command that may change anything", [read("a")], [make], true],
    ["a removal", [{ action: "delete", target: "a" }], [read("a")], true],
    ["a request", [{ action: "fetch", url: "http://a/" }], [write("a")], false],
    ["the second of several touches", [read("x"), write("a")], [read("y"), read("a")], true],
  ])("%s", async (_, first, second, waits) => {
    const { together, order } = await begun([{ claims: first }, { claims: second }]);
    if (waits) expect(order).toEqual([0, 1]);
    expect(together(0, 1)).toBe(!waits);
  });

  test("a tool that is made in order waits for itself, and for nobody else", async () => {
    const { together, order } = await begun([
      { claims: [], inOrder: true },
      { claims: [] },
      { claims: [], inOrder: true },
    ]);
    expect([together(0, 2), together(0, 1), order.indexOf(0) < order.indexOf(2)]).toEqual([false, true, true]);
  });

  test("two calls of a tool that is not made in order go together", async () => {
    let running = 0;
    let top = 0;
    const both = tool("both", {
      execute: async () => {
        top = Math.max(top, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return "x";
      },
    });
    await gateIn({ tools: [both] }).gate.callAll([{ name: "both" }, { name: "both" }]);
    expect(top).toBe(2);
  });

  test("a command may change anything where all of the machine is the workspace", async () => {
    const { together } = await begun([{ claims: [make] }, { claims: [read("a")] }], undefined, ["/"]);
    expect(together(0, 1)).toBe(false);
  });

  test("one that waits for two comes after the later of them, whichever was asked for last", async () => {
    const { order, together } = await begun([
      { claims: [write("a")] },
      { claims: [read("a")] },
      { claims: [write("b")] },
      { claims: [write("a"), write("b")] },
    ]);
    expect([together(0, 2), together(1, 3), order.at(-1)]).toEqual([true, false, 3]);
  });

  test("one that waits comes after all that it waits for", async () => {
    const { order, together } = await begun([
      { claims: [write("a")] },
      { claims: [write("a"), write("b")] },
      { claims: [read("b")] },
      { claims: [read("c")] },
    ]);
    expect(order.indexOf(0)).toBeLessThan(order.indexOf(1));
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
    expect([together(0, 3), together(1, 2)]).toEqual([true, false]);
  });
});

test.each<[number | undefined, number]>([
  [undefined, 8],
  [2, 2],
  [1, 1],
  [0, 1],
])("with a concurrency of %s, %i are made at once", async (concurrency, most) => {
  const all = Array.from({ length: 12 }, () => ({ claims: [] }));
  let running = 0;
  let top = 0;
  const tools = all.map((_, index) =>
    tool(`t${index}`, {
      execute: async () => {
        top = Math.max(top, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return "x";
      },
    }),
  );
  const options = concurrency === undefined ? {} : { concurrency };
  await gateIn({ tools }).gate.callAll(
    tools.map(({ name }) => ({ name })),
    options,
  );
  expect(top).toBe(most);
});

describe("a batch that is stopped", () => {
  const stops = (answers: unknown[]) => {
    const asks: Policy = { name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) };
    const tools = [tool("a", { touches: () => [write("x")] }), tool("b", { touches: () => [write("x")] })];
    const approve = async () => answers.shift() as never;
    return gateIn({ tools, policies: [asks], parts: { approve } });
  };
  test("by a person at its first call is stopped as a whole", async () => {
    const { gate, lives } = stops(["abort", "once"]);
    const results = await gate.callAll([{ name: "a" }, { name: "b" }]);
    expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(results[1]?.error?.message).toContain("A person stopped the work of this call.");
    expect(lives.members, "nothing of it is left").toEqual([]);
  });

  test("by a person at any call of a wave is stopped as a whole", async () => {
    const asks: Policy = { name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) };
    const answers = ["once", "abort", "once"];
    const touching = (target: string) => ({ touches: () => [write(target)] });
    const tools = [tool("a", touching("x")), tool("b", touching("y")), tool("c", touching("x"))];
    const { gate } = gateIn({ tools, policies: [asks], parts: { approve: async () => answers.shift() as never } });
    const results = await gate.callAll(["a", "b", "c"].map((name) => ({ name })));
    expect(results.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(answers).toEqual(["once"]);
  });

  test("or ends leaves nothing on its signal", async () => {
    const { signal } = new AbortController();
    const later = tool("later", { execute: () => new Promise((resolve) => setImmediate(() => resolve("x"))) });
    await gateIn({ tools: [later] }).gate.callAll([{ name: "later" }, { name: "later" }], { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("by a no goes on with the next", async () => {
    const { gate } = stops(["deny", "deny"]);
    const results = await gate.callAll([{ name: "a" }, { name: "b" }]);
    expect(results.map(({ status }) => status)).toEqual(["refused", "refused"]);
  });

  test("when its gate is closed does not begin what waits", async () => {
    const ran: string[] = [];
    const waits = tool("waits", {
      touches: () => [write("x")],
      execute: (_, { abort }) => new Promise((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
    });
    const next = tool("next", { touches: () => [write("x")], execute: () => `${ran.push("next")}` });
    const { gate } = gateIn({ tools: [waits, next] });
    const all = gate.callAll([{ name: "waits" }, { name: "next" }]);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await gate.close();
    expect((await all).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(ran).toEqual([]);
  });

  test("by its signal makes nothing of it", async () => {
    const { gate } = gateIn({ tools: [tool("a")] });
    const results = await gate.callAll([{ name: "a" }], { signal: AbortSignal.abort() });
    expect(results.map(({ status }) => status)).toEqual(["cancelled"]);
  });
});

test("the calls of a batch are one turn, below a call those of its turn; one that cannot be read holds nobody up", async () => {
  const turns: string[] = [];
  const tells = tool("tells", { execute: (_, { messageID }) => `${turns.push(messageID)}` });
  const both = tool("both", {
    execute: async (_, { gate }) => String((await gate.callAll([{ name: "tells" }, { name: "tells" }])).length),
  });
  const { gate } = gateIn({ tools: [tells, both] });
  const results = await gate.callAll([{ name: "tells" }, { name: "nothing" }, { name: "tells" }]);
  expect(results.map(({ status }) => status)).toEqual(["done", "unknown", "done"]);
  expect(new Set(turns).size).toBe(1);
  turns.length = 0;
  await gate.call({ name: "both", messageID: "above" });
  expect(turns).toEqual(["above", "above"]);
});
