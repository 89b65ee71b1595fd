import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AUTONOMIES, MODES } from "../../src/core/words/ceiling.ts";
import { PERMISSIONS } from "../../src/core/words/touch.ts";
import { type ChildOptions, type Claim, type Gate, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, plain, sleep } from "./harness.ts";

const touching = (name: string, required: readonly string[], ...touches: Claim[]) =>
  plain(name, { permissions: { required } as never, touches: () => touches });

const tools = [
  touching("idle", []),
  touching("reader", ["read"], { action: "read", target: "x" }),
  touching("writer", ["write"], { action: "write", target: "x" }),
  touching("liar", ["read"], { action: "write", target: "x" }),
  touching("runner", ["execute"], { action: "run", command: "make", class: "dev" }),
  touching("fetcher", ["network"], { action: "fetch", url: "http://example.com:8001/" }),
  plain("silent", { permissions: undefined as never, touches: undefined as never }),
];
const names = tools.map(({ name }) => name);

const everything = fc.record({
  mode: fc.constantFrom(...MODES),
  autonomy: fc.constantFrom(...AUTONOMIES),
  tools: fc.subarray(names, { minLength: 3 }),
  permissions: fc.subarray([...PERMISSIONS], { minLength: 1 }),
  plan: fc.boolean(),
  dryRun: fc.boolean(),
  agent: fc.constantFrom("explore", "build"),
});
const keys = ["mode", "autonomy", "tools", "permissions", "plan", "dryRun", "agent"] as const;
// few at a time, or everything would soon be denied
const options: fc.Arbitrary<ChildOptions> = fc
  .tuple(everything, fc.subarray([...keys], { maxLength: 2 }))
  .map(([all, chosen]) => Object.fromEntries(chosen.map((key) => [key, all[key]])));
const STRICTNESS = ["allow", "ask", "deny"];

describe("no child may what anybody above it may not", () => {
  test("whatever chain of children is made", async () => {
    const { gate, text } = await bench({ x: "0" }, { tools, store: "memory", config: { web: { rate: 100_000 } } });
    await fc.assert(
      fc.asyncProperty(fc.array(options, { minLength: 1, maxLength: 5 }), async (chain) => {
        let current: Gate = gate;
        const told = new Map<string, number>();
        let planned = false;
        for (const own of chain) {
          current = current.child(own);
          planned ||= Boolean(own.plan || own.dryRun);
          for (const name of names) {
            const { verdict } = await current.explain({ name });
            const strictness = STRICTNESS.indexOf(verdict);
            expect(strictness).toBeGreaterThanOrEqual(told.get(name) ?? 0);
            told.set(name, strictness);
            const { status } = await current.call({ name });
            if (verdict === "deny") expect(status).toBe("refused");
            else if (planned && ["writer", "liar", "runner", "fetcher", "silent"].includes(name))
              expect(status).toBe("planned");
            // nobody answers here, so that a question is a no
            else expect(status).toBe(verdict === "ask" ? "refused" : "done");
          }
          const write = await current.call({ name: "write_file", args: { path: "y", content: "y" } });
          if (planned) expect(write.status).not.toBe("done");
        }
        for (const name of names) {
          const denied = chain.some(({ tools: list }) => list && !list.includes(name));
          if (denied) expect(told.get(name)).toBe(2);
        }
        const unwritable = chain.some(({ permissions }) => permissions && !permissions.includes("write"));
        // its touches count, not what it says that it needs
        if (unwritable) {
          expect(told.get("writer")).toBe(2);
          expect(told.get("liar")).toBe(2);
        }
      }),
      { numRuns: 80 },
    );
    expect(text("x")).toBe("0");
  });

  test.each<[string, ChildOptions, string, string]>([
    ["readonly", { autonomy: "readonly" }, "refused", "done"],
    ["only reading permitted", { permissions: ["read"] }, "refused", "done"],
    ["only one tool, by another name", { tools: ["Read"] }, "refused", "done"],
    ["no tools", { tools: [] }, "refused", "refused"],
    ["plan", { plan: true }, "planned", "done"],
    ["dry run", { dryRun: true }, "planned", "done"],
    ["confirm-sensitive", { mode: "confirm-sensitive" }, "refused", "done"],
    ["confirm-all", { mode: "confirm-all" }, "refused", "refused"],
    ["nothing", {}, "done", "done"],
  ])("%s, and the loosest child below it", async (_, own, writing, reading) => {
    const { gate, text } = await bench({ f: "0" }, { store: "memory" });
    const child = gate.child(own);
    const loosest: ChildOptions = {
      mode: "yolo",
      autonomy: "full",
      tools: ["read_file", "write_file"],
      permissions: PERMISSIONS,
      plan: false,
      dryRun: false,
    };
    for (const each of [child, child.child({}), child.child(loosest), child.child(loosest).child(loosest)]) {
      expect((await each.call({ name: "read_file", args: { path: "f" } })).status).toBe(reading);
      expect((await each.call({ name: "write_file", args: { path: "f", content: "1" } })).status).toBe(writing);
    }
    expect(text("f")).toBe(writing === "done" ? "1" : "0");
    expect((await gate.call({ name: "write_file", args: { path: "f", content: "2" } })).status).toBe("done");
  });

  test("what a child spends counts for everybody above", async () => {
    const { gate } = await bench({}, { tools, config: { budget: { max_calls: 6, max_changes: 2 } }, store: "memory" });
    const child = gate.child({ budget: { maxCalls: 3 } });
    const deeper = child.child({ budget: { maxCalls: 10 } });
    const spend = async (each: Gate, name: string) => (await each.call({ name })).error?.code ?? "ok";
    expect(await spend(deeper, "idle")).toBe("ok");
    expect(await spend(deeper, "writer")).toBe("ok");
    expect(await spend(child, "writer")).toBe("ok");
    expect(await spend(deeper, "idle")).toBe("RATE_LIMITED");
    expect(await spend(child, "idle")).toBe("RATE_LIMITED");
    expect(await spend(gate, "writer")).toBe("RATE_LIMITED");
    for (const end of ["ok", "ok", "ok", "RATE_LIMITED"]) expect(await spend(gate, "idle")).toBe(end);
  });
});

describe("a child", () => {
  test("has a session and an agent of its own, and shares store, registry and approver", async () => {
    const store = memoryStore();
    const asked: string[] = [];
    const approve = ({ agent, sessionID }: { agent: string; sessionID: string }) => {
      asked.push(`${agent} ${sessionID}`);
      return "session";
    };
    const { gate, text } = await bench({ f: "0" }, { mode: "confirm-sensitive", approve, store });
    const child = gate.child({ agent: "helper" });
    expect([child.agent, gate.agent]).toEqual(["helper", "main"]);
    expect(child.sessionID).not.toBe(gate.sessionID);
    expect(gate.child({ sessionID: "given" }).sessionID).toBe("given");
    await child.registry.register(plain("late"));
    expect(gate.registry.has("late")).toBe(true);
    const write = { name: "write_file", args: { path: "f", content: "1" } };
    expect((await child.call(write)).status).toBe("done");
    // a yes for one session is none for another
    expect((await gate.call({ ...write, args: { path: "f", content: "2" } })).status).toBe("done");
    expect(asked).toEqual([`helper ${child.sessionID}`, `main ${gate.sessionID}`]);
    expect((await store.changes({})).map(({ session }) => session)).toEqual([child.sessionID, gate.sessionID]);
    await gate.call({ name: "undo_file", args: { path: "f" } });
    await gate.call({ name: "undo_file", args: { path: "f" } });
    expect(text("f")).toBe("0");
  });

  test("is shown only its own tools", async () => {
    const { gate } = await bench({}, { store: "memory" });
    const shown = (each: Gate) => each.schemas({ format: "mcp" }).map(({ name }) => name);
    expect(shown(gate.child({ tools: ["Read", "edit_file"] }))).toEqual(["edit_file", "read_file"]);
    expect(() => gate.child({ tools: ["Read", "nobody"] })).toThrow(/tools that do not exist: nobody/);
    expect(shown(gate.child({ tools: [] }))).toEqual([]);
    expect(shown(gate.child({ tools: ["Read", "Edit"] }).child({ tools: ["Edit", "Write"] }))).toEqual(["edit_file"]);
    expect(shown(gate.child())).toEqual(shown(gate));
  });

  test("plans on its own: neither its parent nor its sibling sees it, its own child does", async () => {
    const { gate } = await bench({ f: "0" }, { store: "memory" });
    const planning = gate.child({ plan: true });
    await planning.call({ name: "write_file", args: { path: "f", content: "planned" } });
    const seen = async (each: Gate) => (await each.call({ name: "read_file", args: { path: "f" } })).output;
    expect(await seen(planning)).toBe("1\tplanned");
    expect(await seen(planning.child({}))).toBe("1\tplanned");
    expect(await seen(planning.child({ dryRun: true }))).toBe("1\tplanned");
    expect(await seen(gate)).toBe("1\t0");
    expect(await seen(gate.child({ plan: true }))).toBe("1\t0");
  });
});

describe("a tool that calls tools", () => {
  const holder = (wait: Promise<void>, started: () => void, viaChild: boolean) =>
    plain("holder", {
      permissions: { required: ["write"] },
      input: z.object({}),
      touches: () => [{ action: "write", target: "x" }],
      execute: async (_, { gate }) => {
        const below = viaChild ? gate.child({ agent: "below" }) : gate;
        const inner = await below.call({ name: "write_file", args: { path: "x", content: "inner" } });
        started();
        await wait;
        return inner.error?.message ?? inner.status;
      },
    });

  test.each([false, true])("passes its own locks, while others wait (through a child: %s)", async (viaChild) => {
    let release = () => {};
    let begun = () => {};
    const wait = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { gate, text, call } = await bench(
      { x: "0" },
      { tools: [holder(wait, () => begun(), viaChild)], store: "memory" },
    );
    const holding = call("holder");
    await started;
    expect(text("x")).toBe("inner");
    const waiting = [gate, gate.child()].map((each, n) =>
      each.call({ name: "edit_file", args: { path: "x", old_str: "inner", new_str: `inner ${n}` } }),
    );
    expect((await call("write_file", { path: "free", content: "f" })).status).toBe("done");
    await sleep(60);
    expect(text("x")).toBe("inner");
    release();
    expect((await holding).output).toBe("done");
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(["done", "done"]);
    expect(["inner 1 0", "inner 0 1"]).toContain(text("x"));
  });

  test("its calls belong to its turn and session, and are undone with it", async () => {
    const { call, text } = await bench(
      { x: "0" },
      { tools: [holder(Promise.resolve(), () => {}, false)], store: "memory" },
    );
    await call("holder", {}, { messageID: "m1", sessionID: "s1" });
    expect(text("x")).toBe("inner");
    expect((await call("undo_turn", {}, { messageID: "m1", sessionID: "s1" })).success).toBe(true);
    expect(text("x")).toBe("0");
  });

  test("cannot give what it was given a ceiling for", async () => {
    const { gate, text } = await bench(
      { x: "0" },
      { tools: [holder(Promise.resolve(), () => {}, true)], store: "memory" },
    );
    expect((await gate.child({ tools: ["holder"] }).call({ name: "holder" })).output).toMatch(/not among the tools/);
    expect(text("x")).toBe("0");
  });

  test("a cancelled call takes the calls below it along", async () => {
    const abort = new AbortController();
    const endless = plain("endless", { execute: () => new Promise<never>(() => {}) });
    let inner: Promise<{ status: string }> | undefined;
    const outer = plain("outer", {
      execute: async (_, { gate }) => {
        inner = gate.call({ name: "endless" });
        setTimeout(() => abort.abort(), 20);
        return (await inner).status;
      },
    });
    const { gate } = await bench({}, { tools: [endless, outer], store: "memory" });
    expect((await gate.call({ name: "outer" }, { signal: abort.signal })).status).toBe("cancelled");
    expect((await inner)?.status).toBe("cancelled");
  });
});

describe("closing", () => {
  test("a child's close ends its own calls and leaves the parent alone", async () => {
    const { gate, call } = await bench({}, { tools: [plain("hang", { execute: () => new Promise(() => {}) })] });
    const child = gate.child({ agent: "helper" });
    const stop = new AbortController();
    const above = gate.call({ name: "hang" }, { signal: stop.signal });
    const running = child.call({ name: "hang" });
    await sleep(20);
    await child.close();
    expect((await running).status).toBe("cancelled");
    expect(await Promise.race([above, sleep(0).then(() => "still running")])).toBe("still running");
    stop.abort();
    expect((await call("write_file", { path: "a.txt", content: "x" })).status).toBe("done");
  });

  test("the parent's close ends its children's calls", async () => {
    const { gate } = await bench(
      {},
      { tools: [plain("hang", { execute: () => new Promise(() => {}) })], store: "memory" },
    );
    const running = gate.child({}).child({}).call({ name: "hang" });
    await sleep(20);
    await gate.close();
    expect((await running).status).toBe("cancelled");
  });

  test("a child is shown only what it may call", async () => {
    const { gate } = await bench({}, { store: "memory" });
    const shown = (child: typeof gate, names?: string[]) =>
      child.schemas({ format: "mcp", ...(names && { names }) }).map(({ name }) => name);
    expect(shown(gate.child({ tools: ["Read"] }), ["write_file", "read_file"])).toEqual(["read_file"]);
    expect(shown(gate.child({ permissions: ["read"] }))).not.toContain("write_file");
  });
});

test("records name the ceiling of the child that made the call, as it met those above", async () => {
  const store = memoryStore();
  const { gate } = await bench({ x: "0" }, { tools, store });
  const child = gate.child({ agent: "reader", permissions: ["read"], paths: ["docs/**", "x"] });
  await gate.call({ name: "idle" });
  await child.call({ name: "reader" });
  await child.child({ mode: "confirm-all", paths: ["x"] }).call({ name: "reader" });
  await gate.close();
  const records = await store.records({ order: "oldest-first" });
  expect(records.map(({ ceiling }) => ceiling)).toEqual([
    undefined,
    { mode: "yolo", permissions: ["read"], paths: [["docs/**", "x"]] },
    { mode: "confirm-all", permissions: ["read"], paths: [["docs/**", "x"], ["x"]] },
  ]);
});
