import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../test/gating.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Hook } from "./contracts/hook.ts";
import type { Policy } from "./contracts/policy.ts";
import { answerRow } from "./gate-approvals.ts";
import { Sitting } from "./journey/firing.ts";

const looks = tool("looks");
const named = (schemas: readonly object[]) =>
  schemas.map((each) => (each as { function: { name: string } }).function.name);

describe("a gate that is closed", () => {
  test("stops what runs, waits for it, lets go of what its session held, keeps the record, and shuts; once", async () => {
    const order: string[] = [];
    const inner = memoryStore();
    const store = {
      ...inner,
      letGoOf: async (session: string) => void order.push(`let go of ${session}`),
      record: async (rows: readonly { status: string }[]) =>
        void order.push(`kept ${rows.map(({ status }) => status)}`),
    } as typeof inner;
    const waits = tool("waits", {
      execute: (_, { abort }) => new Promise((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
    });
    const { gate, lives } = gateIn({
      tools: [waits],
      parts: { store },
      settings: { shut: async () => void order.push("shut") },
    });
    const running = gate.call({ name: "waits" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(lives.members).toHaveLength(1);
    const closing = gate.close();
    expect(gate.close()).toBe(closing);
    await closing;
    expect((await running).error).toMatchObject({
      code: "CANCELLED",
      message: expect.stringContaining("The gate was closed while the call ran."),
    });
    expect(order).toEqual(["let go of session", "kept cancelled", "shut"]);
  });

  test("shuts even where it cannot let go", async () => {
    const store = { ...memoryStore(), letGoOf: () => Promise.reject(new Error("gone")) };
    const { gate, shut } = gateIn({ parts: { store } });
    await gate[Symbol.asyncDispose]();
    expect(shut).toEqual(["shut"]);
  });

  test("makes no call any more, nor do those below it; those above go on", async () => {
    const { gate } = gateIn({ tools: [looks], parts: { overlay: () => ({}) as never } });
    const child = gate.child();
    const further = child.child();
    await child.close();
    const ended = async (each: typeof gate) => (await each.call({ name: "looks" })).status;
    expect([await ended(child), await ended(further), await ended(gate)]).toEqual(["cancelled", "cancelled", "done"]);
    const [result] = await child.callAll([{ name: "looks" }]);
    expect(result).toMatchObject({
      status: "cancelled",
      error: { message: "The gate is closed.", hint: "Open another one and call again." },
    });
  });
});

describe("what hooks say when a session begins", () => {
  const hook: Hook = {
    name: "ear",
    on: { session_start: ({ details }) => ({ context: `hello${details.source ?? ""}` }) },
  };
  const sitting = () => {
    const { station } = gateIn({ parts: { hooks: [hook] } });
    return gateIn({ tools: [looks], parts: { hooks: [hook] }, settings: { sitting: new Sitting(station) } });
  };
  test("is told with the first call of all", async () => {
    const { gate } = sitting();
    const results = await gate.callAll([{ name: "looks" }, { name: "looks" }]);
    expect(results.map(({ output }) => output.includes("[ear] hello"))).toEqual([true, false]);
    expect((await gate.call({ name: "looks" })).output).toBe("looks");
    const single = sitting();
    expect((await single.gate.call({ name: "looks" })).output).toContain("[ear] hello");
  });

  test("is given to whoever begins it, and not told again", async () => {
    const { gate } = sitting();
    expect((await gate.fire("session_start", { source: "!" })).context).toEqual(["[ear] hello!"]);
    expect((await gate.call({ name: "looks" })).output).toBe("looks");
    expect((await gateIn({ parts: { hooks: [hook] } }).gate.fire("session_start")).context).toEqual(["[ear] hello"]);
  });

  test("is given once to whoever begins it before the first call", async () => {
    const { gate } = sitting();
    expect((await gate.begin()).context).toEqual(["[ear] hello"]);
    expect((await gate.begin()).context).toEqual([]);
    expect((await gate.call({ name: "looks" })).output).toBe("looks");
  });

  test("is not said at other moments", async () => {
    const { gate } = sitting();
    expect((await gate.fire("post_llm_call")).context).toEqual([]);
    expect((await gate.call({ name: "looks" })).output).toContain("[ear] hello");
  });

  test("is not said through a gate that is closed", async () => {
    const { gate } = sitting();
    await gate.close();
    expect((await gate.call({ name: "looks" })).output).toBe("");
  });
});

describe("a child", () => {
  const tools = [looks, tool("other"), tool("alone", { aliases: { names: ["solo"] } })];
  test("works for its parent: in a session of its own, below it, in its name unless it has one", () => {
    const { gate } = gateIn({ tools });
    const child = gate.child({ agent: "small", sessionID: "named" });
    expect([child.sessionID, child.agent, gate.child().agent]).toEqual(["named", "small", "main"]);
    expect(gate.child().sessionID).not.toBe(gate.child().sessionID);
    expect([gate.sessionID, gate.agent]).toEqual(["session", "main"]);
  });

  test.each<[string[] | undefined, string[]]>([
    [undefined, ["alone", "looks", "other"]],
    [["*"], ["alone", "looks", "other"]],
    [["looks"], ["looks"]],
    [["pair"], ["alone", "looks"]],
    [["solo"], ["alone"]],
    [
      ["other", "pair"],
      ["alone", "looks", "other"],
    ],
  ])("with the tools %j is shown %j", (given, wanted) => {
    const toolsets = { pair: [{ name: "looks" }, { name: "alone" }], looks: [{ name: "other" }] };
    const { gate } = gateIn({ tools, settings: { toolsets } });
    expect(named(gate.child(given ? { tools: given } : {}).schemas())).toEqual(wanted);
  });

  test("cannot have what does not exist, unless it may still come", () => {
    const { gate } = gateIn({ tools });
    expect(() => gate.child({ tools: ["looks", "nothing", "constructor"] })).toThrow(
      "A child gate cannot have tools that do not exist: nothing, constructor. The tools are alone, looks, other.",
    );
    for (const parts of [{ resolve: async () => null }, { servers: {} as never }])
      expect(
        named(
          gateIn({ tools, parts })
            .gate.child({ tools: ["later", "looks"] })
            .schemas(),
        ),
      ).toEqual(["looks"]);
  });

  test("has no more than its parent, whatever it asks for", async () => {
    const { gate } = gateIn({ tools, ceiling: { tools: ["looks"] } });
    expect(named(gate.child({ tools: ["other", "looks"] }).schemas())).toEqual(["looks"]);
    expect(named(gate.child({ tools: ["*"] }).schemas())).toEqual(["looks"]);
  });

  test("that plans has somewhere to keep it; below a plan the same", () => {
    let overlays = 0;
    const parts = { overlay: () => ({ roots: ["/ws"], count: ++overlays }) as never };
    const { gate } = gateIn({ tools, parts });
    gate.child();
    expect(overlays).toBe(0);
    const planning = gate.child({ plan: true });
    gate.child({ dryRun: true });
    expect(overlays).toBe(2);
    planning.child();
    planning.child({ dryRun: true });
    const trying = gate.child({ dryRun: true });
    expect(overlays).toBe(3);
    trying.child();
    trying.child({ plan: true });
    expect(overlays).toBe(3);
  });

  test("that is closed is forgotten, unless its session was named", async () => {
    const forgotten: string[] = [];
    const processes = { forget: (session: string) => void forgotten.push(session) } as never;
    const { gate, shut } = gateIn({ workspace: { processes } });
    const child = gate.child();
    await child.close();
    await gate.child({ sessionID: "named" }).close();
    expect([forgotten, shut]).toEqual([[child.sessionID], []]);
  });

  test("has a budget of its own, beside its parents'", async () => {
    const { gate } = gateIn({ tools, budgets: [{ session: "session", limits: { maxTokens: 100 } }] });
    const child = gate.child({ budget: { maxTokens: 10 } });
    expect(await child.spend({ tokens: 10 })).toEqual({ usedUp: "all 10 tokens of this session are used up" });
    expect(await gate.spend({ tokens: 1 })).toEqual({});
    expect(await child.child().spend({ tokens: 89 })).toEqual({ usedUp: "all 10 tokens of this session are used up" });
    expect(await gate.spend({ tokens: 1 })).toEqual({ usedUp: "all 100 tokens of this session are used up" });
    const rich = gate.child({ budget: { maxTokens: 1000 } });
    expect(await rich.spend({ tokens: 1 }), "its parent's holds for it, too").toMatchObject({
      usedUp: expect.any(String),
    });
  });
});

describe("what a model is shown", () => {
  const tools = [looks, tool("writes", { permissions: { required: ["read", "write"] } })];
  const hidden: [ReturnType<typeof tool>, { hidden: true }] = [tool("hidden"), { hidden: true }];
  test.each<[string, object, string[] | undefined, string[]]>([
    ["all but what is hidden", {}, undefined, ["looks", "writes"]],
    ["what is hidden, by name", {}, ["hidden"], ["hidden"]],
    ["what may be called", { tools: ["looks"] }, undefined, ["looks"]],
    ["what may be called, whatever is asked for", { tools: ["looks"] }, ["writes", "looks"], ["looks"]],
    ["what its permissions allow", { permissions: ["read"] }, undefined, ["looks"]],
    ["nothing, of nothing", {}, [], []],
  ])("%s", (_, ceiling, names, wanted) => {
    const { gate } = gateIn({ tools: [...tools, hidden], ceiling });
    expect(named(gate.schemas(names ? { names } : {}))).toEqual(wanted);
  });

  test("in another dialect, or in none that there is", () => {
    const dialects = { plain: {}, other: { looks: { name: "Look" } } };
    const { gate } = gateIn({ tools, settings: { dialects } });
    expect(named(gate.schemas({ dialect: "other" }))).toEqual(["Look", "writes"]);
    expect(gate.schemas({ format: "anthropic" })[0]).toHaveProperty("input_schema");
    expect(() => gate.schemas({ dialect: "none" })).toThrow("There is no dialect none. The dialects are plain, other.");
  });
});

test("closing a gate stops what runs below it", async () => {
  const waits = tool("waits", {
    execute: (_, { abort }) => new Promise((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
  });
  const { gate } = gateIn({ tools: [waits] });
  const running = gate.child().call({ name: "waits" });
  await new Promise((resolve) => setImmediate(resolve));
  await gate.close();
  expect((await running).status).toBe("cancelled");
});

test("what is done below a call counts in the sessions of the gate and of the call", async () => {
  const policies: Policy[] = [
    {
      name: "budget",
      judge: () => ({ answer: "allow", by: "budget", reason: "", reserve: [{ key: "k", limit: 100 }] }),
    },
  ];
  const hands = tool("hands", { execute: async (_, { gate }) => (await gate.call({ name: "looks" })).output });
  const { gate, store } = gateIn({ tools: [hands, looks], policies });
  await gate.call({ name: "hands", sessionID: "theirs" });
  expect([await store.reserved("session budget k"), await store.reserved("theirs budget k")]).toEqual([2, 2]);
});

test("many calls that are no list are none", async () => {
  expect(await gateIn().gate.callAll("x" as never)).toEqual([]);
});

test("a call below another is made in its name, and stops with it", async () => {
  const seen: unknown[] = [];
  const tells = tool("tells", {
    execute: (_, { sessionID, agent, messageID }) => JSON.stringify([sessionID, agent, messageID]),
  });
  const hands = tool("hands", {
    execute: async (_, { gate }) => {
      seen.push(JSON.parse((await gate.call({ name: "tells" })).output));
      return "done";
    },
  });
  const { gate, store } = gateIn({ tools: [tells, hands] });
  await gate.call({ name: "hands", sessionID: "theirs", agent: "small", messageID: "m1" });
  expect(seen).toEqual([["theirs", "small", "m1"]]);
  await gate.close();
  const rows = await store.records({});
  const above = rows.find(({ tool: name }) => name === "hands");
  expect(rows.find(({ tool: name }) => name === "tells")?.parent).toBe(above?.id);
});

test.each<[unknown, unknown[]]>([
  ["once", ["once", undefined, undefined, undefined]],
  [{ decision: "deny", message: "no", who: "Ada" }, ["deny", "no", undefined, "Ada"]],
  [{ decision: "edit", args: { a: 1 } }, ["edit", undefined, { a: 1 }, undefined]],
  [{ decision: "once", args: { a: 1 } }, ["once", undefined, undefined, undefined]],
  ["nonsense", ["deny", expect.anything(), undefined, undefined]],
])("an answer from elsewhere: %j", async (given, wanted) => {
  const told: unknown[] = [];
  const store = { answer: async (...all: unknown[]) => told.push(all) > 0 } as never;
  expect(await answerRow(store, "id", given)).toBe(true);
  const [[id, ...rest]] = told as [unknown[]];
  expect(id).toBe("id");
  expect(rest.slice(0, 1)).toEqual(wanted.slice(0, 1));
  if (given !== "nonsense") expect(rest).toEqual(wanted);
});
