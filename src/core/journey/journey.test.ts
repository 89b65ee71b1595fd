import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import type { Hook } from "../contracts/hook.ts";
import type { Policy } from "../contracts/policy.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import { ToolFailure } from "../words/result.ts";
import { ROUNDS } from "./settling.ts";

const asks: Policy = { name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) };
const tells = tool("tells", { execute: (input) => JSON.stringify(input) });

describe("a call that is asked about", () => {
  const asking = (answers: unknown[]) => {
    const asked: unknown[] = [];
    const approve = async ({ args }: { args: unknown }) => {
      asked.push(args);
      return (answers.length > 1 ? answers.shift() : answers[0]) as never;
    };
    return { ...gateIn({ tools: [tells], policies: [asks], parts: { approve } }), asked };
  };

  test("is made when a person says yes, and not when they say no", async () => {
    const call = { name: "tells", args: { path: "a" } };
    expect((await asking(["once"]).gate.call(call)).output).toBe('{"path":"a"}');
    expect((await asking(["deny"]).gate.call(call)).status).toBe("refused");
  });

  test("with other arguments is asked about anew, and made with those", async () => {
    const { gate, asked } = asking([{ decision: "edit", args: { path: "b" } }, "once"]);
    expect((await gate.call({ name: "tells", args: { path: "a" } })).output).toBe('{"path":"b"}');
    expect(asked).toEqual([{ path: "a" }, { path: "b" }]);
  });

  test("again and again with other arguments ends without a yes", async () => {
    const { gate, asked, store } = asking([{ decision: "edit", args: { path: "b" } }]);
    const result = await gate.call({ name: "tells", args: { path: "a" } });
    expect([result.success, result.status === "done", asked.length]).toEqual([false, false, ROUNDS]);
    await gate.close();
    expect((await store.records({}))[0]?.status).not.toBe("done");
  });
});

describe("what hooks hear", () => {
  const listening = (before?: Hook["before"]) => {
    const heard: string[] = [];
    const hook: Hook = {
      name: "ear",
      ...(before && { before }),
      after: ({ tool: name }, { status }) => {
        heard.push(`${name} ${status}`);
        return "heard";
      },
    };
    return { heard, hook };
  };
  const throws = tool("throws", { execute: () => Promise.reject(new ToolFailure("UNKNOWN", "boom", "")) });
  const refuses: Policy = { name: "no", judge: () => ({ answer: "deny", by: "no", reason: "so" }) };

  test.each<[string, string, Policy[] | undefined, string[], string]>([
    ["a call that was made", "tells", undefined, ["tells done"], "{}\n\n[ear] heard"],
    ["a call that threw", "throws", undefined, ["throws failed"], "[ear] heard"],
    ["not of one that was refused", "tells", [refuses], [], ""],
    ["not of one that is not known", "nothing", undefined, [], ""],
  ])("%s", async (_, name, policies, wanted, output) => {
    const { heard, hook } = listening();
    const { gate } = gateIn({ tools: [tells, throws], parts: { hooks: [hook] }, ...(policies && { policies }) });
    expect((await gate.call({ name })).output).toBe(output);
    expect(heard).toEqual(wanted);
  });

  test("nothing of a call that was stopped", async () => {
    const { heard, hook } = listening();
    const stop = new AbortController();
    const stops = tool("stops", {
      execute: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    const { gate } = gateIn({ tools: [stops], parts: { hooks: [hook] } });
    expect((await gate.call({ name: "stops" }, { signal: stop.signal })).status).toBe("cancelled");
    expect(heard).toEqual([]);
  });

  test("nothing of a call that never ran", async () => {
    const { heard, hook } = listening();
    const policies: Policy[] = [
      {
        name: "budget",
        judge: () => ({ answer: "allow", by: "budget", reason: "", reserve: [{ key: "k", limit: 0 }] }),
      },
    ];
    const { gate } = gateIn({ tools: [tells], policies, parts: { hooks: [hook] } });
    expect((await gate.call({ name: "tells" })).status).toBe("refused");
    expect(heard).toEqual([]);
  });

  test("before a call is made they may end it", async () => {
    const { hook } = listening(() => ({ decision: "deny", reason: "not now" }));
    const { gate } = gateIn({ tools: [tells], parts: { hooks: [hook] } });
    expect((await gate.call({ name: "tells" })).error?.message).toContain("not now");
  });
});

test("a call that was stopped before it began is not even read", async () => {
  let read = 0;
  const counts = tool("counts", { touches: () => [] as never[] & { n?: number } });
  const policies: Policy[] = [{ name: "p", judge: () => void read++ as never }];
  const { gate } = gateIn({ tools: [counts], policies });
  expect((await gate.call({ name: "counts" }, { signal: AbortSignal.abort() })).status).toBe("cancelled");
  expect(read).toBe(0);
});

test("a session that was named knows what others did in it; the gate's own needs no look", async () => {
  const { gate, store } = gateIn({ tools: [tells] });
  let looks = 0;
  const inner = store.records;
  store.records = (query) => {
    looks++;
    return inner(query);
  };
  await gate.call({ name: "tells" });
  expect(looks).toBe(0);
  await gate.call({ name: "tells", sessionID: "named" });
  expect(looks).toBeGreaterThan(0);
});

test("a tool without a preview is not looked at ahead", async () => {
  const { gate, store } = gateIn({ tools: [tells] });
  await gate.call({ name: "tells" });
  await gate.close();
  expect((await store.records({}))[0]?.trace.map(({ stage }) => stage)).not.toContain("preview");
});

describe("in a plan", () => {
  const writes = tool("writes", {
    permissions: { required: ["write"] },
    touches: () => [{ action: "write", target: "a" }],
  });
  const reads = tool("reads", { touches: () => [{ action: "read", target: "a" }] });
  const planning = () => {
    const refreshed: string[] = [];
    const plan = {
      ...{ blind: [{ tool: "deploy", touches: [] }] as unknown as PlannedCall[], isSeen: false, differs: () => false },
      refresh: async (session: string) => void refreshed.push(session),
      keep: (_: string, work: () => Promise<void>) => work(),
    };
    const world = gateIn({
      ...{ tools: [writes, reads], ceiling: { plan: true }, station: { plan: plan as never } },
      files: new Map([["a", { text: "x" }]]),
    });
    Object.assign(world.station.workspace.files, { commit: async () => {} });
    return { ...world, refreshed };
  };

  test("what would change something is kept, and what only looks is made with what is not known", async () => {
    const { gate, store, refreshed } = planning();
    expect((await gate.call({ name: "writes" })).status).toBe("planned");
    expect(await store.planned({})).toHaveLength(1);
    const looked = await gate.call({ name: "reads" });
    expect([looked.status, looked.output.includes("[Planned and not run: deploy.")]).toEqual(["done", true]);
    expect(refreshed, "after a look at what others planned").toEqual(["session", "session"]);
  });

  test("that is kept nowhere nothing is made at all", async () => {
    for (const ceiling of [{ plan: true }, { dryRun: true }]) {
      const { gate } = gateIn({ tools: [reads], ceiling });
      expect((await gate.call({ name: "reads" })).error?.message).toContain("There is nowhere to keep a plan.");
    }
  });
});
