import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import { bytes, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { NetworkRequest } from "../contracts/network.ts";
import type { Policy } from "../contracts/policy.ts";
import type { EventBody } from "../words/event.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { CallContext } from "./context.ts";
import { GateFacts, Session } from "./facts.ts";
import type { Parts, Station } from "./journey-parts.ts";
import { Opening } from "./recorder.ts";
import type { Trip } from "./trip.ts";

type Given = {
  touches?: Touch[];
  verdict?: Partial<Judgement>;
  parts?: Partial<Parts>;
  station?: Partial<Station>;
  workspace?: object;
  tables?: string;
};

/** What a tool has while it runs, and what the world hears of it. */
function contextOf(given: Given = {}) {
  const { touches = [], verdict = {}, parts = {}, station = {}, workspace = {}, tables } = given;
  const views: { options: Record<string, unknown>; closed: number }[] = [];
  const guard = (_: unknown, seen: unknown, options: Record<string, unknown>) => {
    const view = { options, seen, closed: 0, close: () => void view.closed++ };
    views.push(view);
    return view as never;
  };
  const shown: unknown[] = [];
  const recorder = { visible: (opening: Opening) => void shown.push(opening.id) } as never;
  const trip: Trip = tripIn({ workspace, station, parts: { guard: guard as never, recorder, ...parts } });
  const ready: Ready = {
    ...readyFor({ touches }),
    tool: { name: "thing", definition: { ...(tables && { tables }) } } as never,
    call: trip.known.call,
  };
  const below: unknown[] = [];
  const gate = { child: (options: object) => ({ below: options }) };
  const context = new CallContext(
    trip,
    { ready, verdict: { answer: "allow", by: "mode", reason: "", ...verdict } },
    (from) => {
      below.push(from);
      return gate as never;
    },
  );
  return { trip, context, views, shown, below, ready };
}

const stop = ({ life }: Trip) => life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
const failure = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    const { code, message } = error as ToolFailure;
    return [code, message];
  }
};

describe("a tool's files", () => {
  test("are guarded by what it declared, made once, and closed when it is over", () => {
    const { context, views, trip } = contextOf({ touches: [at("read", "a")], verdict: { exclude: [".env"] } });
    expect(views).toEqual([]);
    expect(context.files).toBe(context.files);
    expect(views).toMatchObject([{ seen: [{ action: "read" }], options: { exclude: [".env"] }, closed: 0 }]);
    expect(trip.deeds.view).toBe(views[0]);
    CallContext.close(context);
    expect(views[0]!.closed).toBe(1);
  });

  test("are closed from the start where it asks for them afterwards", () => {
    const { context, views, trip } = contextOf();
    CallContext.close(context);
    expect([context.files !== undefined, views[0]!.closed, trip.deeds.view]).toEqual([true, 1, undefined]);
  });

  test("leave nothing out that nobody said, and stop with the call", () => {
    const { context, views, trip } = contextOf();
    void context.files;
    expect(views[0]!.options).not.toHaveProperty("exclude");
    const signal = views[0]!.options.signal as () => AbortSignal;
    expect(signal().aborted).toBe(false);
    stop(trip);
    expect([signal().aborted, context.abort.aborted]).toEqual([true, true]);
  });
});

describe("what a tool knows of its call", () => {
  test("who made it, under which limits, at what time", () => {
    const budgets = [
      { session: "session", limits: { maxCalls: 5, maxTokens: 9 } },
      { session: "top", limits: { maxCalls: 3 } },
    ];
    const facts = new GateFacts({ mode: "confirm-all" }, new Session("session"), budgets);
    const { context, trip, ready } = contextOf({ station: { facts } });
    const { id, messageID } = trip.known.call;
    expect([context.sessionID, context.messageID, context.agent, context.callID]).toEqual([
      "session",
      messageID,
      "main",
      id,
    ]);
    expect([context.ceiling.mode, context.limits, context.outside]).toEqual([
      "confirm-all",
      { maxCalls: 3, maxTokens: 9 },
      false,
    ]);
    expect(context.changes).toBe(ready.changes);
    const { now } = context;
    expect(now()).toBeLessThan(now());
    expect(context.hash(new Uint8Array())).toMatch(/^e3b0c442/);
  });

  test("what came from outside is remembered when it says so", () => {
    const { context, trip } = contextOf();
    const { noteOutside } = context;
    expect(trip.deeds.outside).toBeUndefined();
    noteOutside();
    expect(trip.deeds.outside).toBe(true);
  });

  test("its progress is told to those who listen, and to nobody else", () => {
    const events: EventBody[] = [];
    const heard = { emit: (event: EventBody) => void events.push(event), heard: () => true };
    contextOf({ parts: { ...heard, heard: () => false } }).context.metadata({ title: "half" } as never);
    expect(events).toEqual([]);
    contextOf({ parts: heard }).context.metadata({ title: "half" } as never);
    expect(events).toMatchObject([{ type: "progress", title: "half" }]);
  });

  test.each<[name: string, id: string, ending: string]>([
    ["page.html", "-page", "html"],
    ["a.b.txt", "-a.b", "txt"],
    ["plain", "-plain", ""],
    [".hidden", "-", "hidden"],
  ])("what it keeps is named after its record: %s", async (name, id, ending) => {
    const kept: unknown[] = [];
    const keep: Parts["keep"] = async (...all) => void kept.push(all);
    const { context, trip } = contextOf({ parts: { keep } });
    await context.keep(bytes("text"), name);
    expect(kept).toEqual([["session", `${trip.recordID}${id}`, bytes("text"), ending]]);
  });

  test.each<[string | undefined, string | undefined, string]>([
    [undefined, undefined, "thing/"],
    [undefined, "more", "thing/more"],
    ["shared", "more", "shared/more"],
  ])("its tables are its own: %s %s", (tables, name, wanted) => {
    const names: string[] = [];
    const table = (of: string) => void names.push(of) as never;
    const given = { parts: { store: { ...memoryStore(), table }, personal: { table } }, ...(tables && { tables }) };
    const { context } = contextOf(given as never);
    if (name === undefined) [context.table(), context.personal()];
    else [context.table(name), context.personal(name)];
    expect(names).toEqual([wanted, wanted]);
  });

  test("its journal is the store's, or the plan's", () => {
    const { context, trip } = contextOf();
    expect(context.journal).toBe(trip.station.parts.store);
    const journal = {};
    expect(contextOf({ station: { plan: { journal } as never } }).context.journal).toBe(journal);
  });
});

describe("where there is nothing of the kind, a tool is told so", () => {
  const person: Touch = { action: "ask", target: "x" };
  test.each<[keyof CallContext, Touch[], message: string]>([
    ["network", [], "Nothing can be fetched in this workspace."],
    ["pages", [], "No page can be opened in this workspace."],
    ["people", [person], "There is nobody to ask: open() was given no ask function."],
    ["agents", [], "There are no other agents that work could be handed to."],
  ])("%s", (what, touches, message) => {
    const { context } = contextOf({ touches });
    expect(failure(() => context[what])).toEqual(["CONFIG_ERROR", message]);
  });
});

describe("asking a person", () => {
  const use = (source: "mcp" | "skill"): Touch => ({ action: "use", source, name: "x" });
  const forbids: Policy = {
    name: "forbids",
    judge: ({ touches: [touch], danger }) =>
      touch?.action === "ask" && danger === "safe" ? { answer: "deny", by: "forbids", reason: "no" } : undefined,
  };
  const people = { ask: async () => "yes" };
  test.each<[string, Touch[], Policy[], string | undefined]>([
    ["declared", [at("read", "a"), { action: "ask", target: "x" }], [forbids], undefined],
    ["not declared", [at("read", "a")], [], "Asking a person was not declared by this call."],
    ["by a server", [use("mcp")], [], undefined],
    ["by a server beside something else", [at("read", "a"), use("mcp")], [], undefined],
    ["by a server, where asking is forbidden", [use("mcp")], [forbids], "Refused by forbids: no."],
    ["by a skill", [use("skill")], [], "Asking a person was not declared by this call."],
  ])("%s", (_, touches, policies, message) => {
    const { context } = contextOf({ touches, parts: { people, policies } });
    expect(failure(() => context.people)?.[1]).toBe(message);
  });

  test("shows the call to others, takes no time of its own, and ends with the call", async () => {
    const signals: AbortSignal[] = [];
    const answering = { ask: (_: unknown, signal: AbortSignal) => new Promise<string>(() => signals.push(signal)) };
    const { context, trip, shown } = contextOf({
      touches: [{ action: "ask", target: "x" }],
      parts: { people: answering },
    });
    trip.opening = new Opening("opening", {}, (call) => call);
    const asked = context.people.ask({} as never);
    expect(shown).toEqual(["opening"]);
    stop(trip);
    await expect(asked).rejects.toThrow("stopped");
    expect(signals[0]!.aborted).toBe(true);
  });
});

test("work is handed on under this call's gate, and stops with it", async () => {
  const ran: unknown[] = [];
  const agents = {
    run: async (task: object, gate: unknown, signal: AbortSignal) => ran.push(task, gate, signal.aborted),
  };
  const { context, below, trip } = contextOf({ parts: { agents: agents as never } });
  await context.agents.run({ agent: "small" } as never);
  await context.agents.run({ agent: "small" } as never, { tools: ["read_file"] });
  expect(ran).toEqual([
    ...[{ agent: "small" }, { below: { agent: "small" } }, false],
    ...[{ agent: "small" }, { below: { agent: "small", tools: ["read_file"] } }, false],
  ]);
  expect(below).toEqual([trip, trip]);
});

test("a request counts as made before it is sent, and is guarded by what was declared", () => {
  const sent: string[] = [];
  const network = { request: async ({ url }: NetworkRequest) => void sent.push(url) as never };
  const guarded: unknown[] = [];
  const guardNetwork = ((inner: unknown, touches: unknown, signal: () => AbortSignal) => {
    guarded.push(touches, signal().aborted);
    return inner;
  }) as never;
  const { context, trip } = contextOf({ workspace: { network }, parts: { guardNetwork }, touches: [at("read", "a")] });
  const given = context.network;
  expect(trip.deeds.requested).toBeUndefined();
  void given.request({ url: "http://a/" });
  expect([trip.deeds.requested, sent, guarded]).toEqual([true, ["http://a/"], [[at("read", "a")], false]]);
});
