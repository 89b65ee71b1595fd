import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type OpenOptions, open, type Result, type Store, Tool, z } from "../../src/index.ts";
import { processes } from "../faults/processes.ts";
import { folder } from "../journeys/harness.ts";
import { counter } from "./counter.ts";
import { interceptor } from "./interceptor.ts";
import { logStore } from "./log-store.ts";
import { rateLimit } from "./rate-limit.ts";

const run = processes(path.resolve(import.meta.dirname, "process.ts"));
const MINUTE = 60_000;
const count = { name: "count", args: { name: "all" } };

/** Calls others below itself: in its own gate, or in a child of it. */
const relay = Tool.define("relay", {
  description: "Makes a call three times, below itself, maybe as another agent.",
  permissions: { required: [] },
  input: z.object({ child: z.boolean().optional() }),
  touches: () => [],
  async execute({ child }, { gate }) {
    const below = child ? gate.child({ agent: "helper" }) : gate;
    return (await below.callAll([count, count, count])).map(({ status }) => status).join(" ");
  },
});

async function gateOn(store: "sqlite" | "log", more: OpenOptions = {}, root = folder()) {
  const own = store === "log" ? logStore(path.join(root, ".log")) : undefined;
  const gate = await open({
    ...{ workspace: root, mode: "yolo", config: {}, store: own ?? "sqlite", tools: [counter, relay] },
    ...more,
  });
  onTestFinished(async () => {
    await gate.close();
    await own?.close();
  });
  return { gate, root };
}

const statuses = (results: readonly Result[]) => results.map(({ status, error }) => error?.code ?? status);
const done = (results: readonly Result[]) => results.filter(({ status }) => status === "done").length;

describe.each(["sqlite", "log"] as const)("with a store in %s", (store) => {
  describe("a policy of somebody's own, at most three a minute", () => {
    const limited = () => gateOn(store, { policies: [rateLimit("count", 3, MINUTE)] });

    test("a batch gets no further than one by one", async () => {
      const { gate } = await limited();
      const results = await gate.callAll(Array.from({ length: 9 }, () => count));
      expect(done(results)).toBe(3);
      const refused = results.find(({ success }) => !success);
      expect(refused?.error).toMatchObject({
        code: "RATE_LIMITED",
        message: expect.stringMatching(/3 times a minute/),
      });
      expect(refused?.metadata).toMatchObject({ by: "rate limit", retryAfterMs: expect.any(Number) });
    });

    test("nor does a child, a child's child, a foreign session, or a call below a call", async () => {
      const { gate } = await limited();
      const child = gate.child({ agent: "child" });
      expect(statuses([await child.call(count)])).toEqual(["done"]);
      expect(statuses([await child.child({ sessionID: "another" }).call(count)])).toEqual(["done"]);
      expect((await gate.call({ name: "relay", args: { child: true } })).output).toBe("done refused refused");
      for (const more of [{}, { sessionID: "foreign" }, { agent: "x", messageID: "y" }])
        expect(statuses([await gate.call({ ...count, ...more })])).toEqual(["RATE_LIMITED"]);
      expect(statuses([await gate.child({ sessionID: "fresh" }).call(count)])).toEqual(["RATE_LIMITED"]);
    });

    test("a session has its limit in whichever gate it works, and whoever works below its calls counts", async () => {
      const { gate, root } = await limited();
      const { gate: other } = await gateOn(store, { policies: [rateLimit("count", 3, MINUTE)] }, root);
      const relayed = await gate.call({ name: "relay", args: { child: true }, sessionID: "named" });
      expect(relayed.output).toBe("done done done");
      expect(statuses([await other.call(count)]), "a session of its own").toEqual(["done"]);
      expect(statuses([await other.child({ sessionID: "named" }).call(count)])).toEqual(["RATE_LIMITED"]);
      expect(statuses([await other.call({ ...count, sessionID: "named" })])).toEqual(["RATE_LIMITED"]);
    });

    test("what failed before it ran is given back", async () => {
      const { gate } = await limited();
      const stop = AbortSignal.abort();
      for (let n = 0; n < 5; n++) expect((await gate.call(count, { signal: stop })).status).toBe("cancelled");
      expect((await gate.call({ name: "count", args: {} })).status).toBe("invalid");
      expect(done(await gate.callAll([count, count, count]))).toBe(3);
    });
  });

  test("a tool with a table of its own loses no count, in batches, children and below calls", async () => {
    const { gate } = await gateOn(store);
    const child = gate.child({ agent: "child" });
    await Promise.all([
      gate.callAll(Array.from({ length: 10 }, () => count)),
      child.callAll(Array.from({ length: 10 }, () => count)),
      gate.call({ name: "relay" }),
    ]);
    expect((await gate.call(count)).metadata).toMatchObject({ count: 24 });
    expect((await gate.call({ name: "count", args: { name: "other" } })).output).toBe("1");
  });

  test("a hook of somebody's own holds in batches, children and below calls", async () => {
    const { gate, root } = await gateOn(store, { hooks: [interceptor("kept")] });
    const write = (file: string, content = "x\n") => ({ name: "write_file", args: { path: file, content } });
    const calls = [write("a.txt"), write("b.txt", "forbidden"), write("kept/c.txt"), write("../d.txt")];
    const results = await gate.callAll(calls);
    expect(statuses(results)).toEqual(["done", "PERMISSION_DENIED", "done", "PERMISSION_DENIED"]);
    expect(results[1]?.error?.message).toBe("Refused by the hook interceptor: such words are not written here");
    expect(results[0]?.output).toContain("[interceptor] 1 file was written under supervision");
    expect(
      statuses(await gate.child({ agent: "child" }).callAll([write("e.txt"), write("f.txt", "forbidden")])),
    ).toEqual(["done", "PERMISSION_DENIED"]);
    expect(readdirSync(path.join(root, "kept")).sort()).toEqual(["a.txt", "c.txt", "e.txt"]);
    expect(existsSync(path.join(root, "d.txt")), "what is refused is not even heard of").toBe(false);
  });

  test("two processes, one session: all of it holds", { timeout: 60_000 }, async () => {
    const root = folder();
    const ends = await Promise.all(["one", "two"].map((name) => run(root, store, name)));
    expect(ends).toEqual(Array(2).fill({ code: 0, signal: null, errors: "" }));
    const own: Store | undefined = store === "log" ? logStore(path.join(root, ".log")) : undefined;
    const gate = await open({ workspace: root, mode: "yolo", config: {}, store: own ?? "sqlite", tools: [counter] });
    expect((await gate.call(count)).metadata, "ten of sixteen, and this one").toMatchObject({ count: 11 });
    expect(readdirSync(path.join(root, "kept"))).toHaveLength(6);
    await gate.close();
    await own?.close();
  });
});
