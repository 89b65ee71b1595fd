import { describe, expect, test } from "vitest";
import type { Hook, HookAnswer, HookedCall } from "../../src/core/contracts/hook.ts";
import { changesNothing, hear, hearAfter, hearAfterOthers, hooksFor } from "../../src/core/journey/hooking.ts";
import { cancelled } from "../../src/core/journey/life.ts";
import type { Trip } from "../../src/core/journey/trip.ts";
import type { Ceiling } from "../../src/core/words/ceiling.ts";
import type { Ready } from "../../src/core/words/ready.ts";
import type { Ending, Result } from "../../src/core/words/result.ts";
import type { Judgement } from "../../src/core/words/verdict.ts";
import { factsUnder } from "../judging.ts";
import { bytes, type FileMap, placeOf, sha256, tripIn } from "../tripping.ts";

const verdict: Judgement = { answer: "ask", by: "mode", reason: "not safe", grantable: true };
const ran: Result = { success: true, status: "done", title: "", output: "ran", metadata: { a: 1 } };
const tool = (countsAs?: object) => ({ name: "thing", definition: { ...(countsAs && { countsAs }) } });

function readyOf(more: Partial<Ready> = {}): Ready {
  const call = { id: "c1", name: "Thing", args: { a: 1 }, messageID: "m1", sessionID: "s1", agent: "main" };
  return {
    ...{ call, tool: tool(), input: { a: 1 }, touches: [], changes: [], notes: ["read"] },
    ...more,
  } as unknown as Ready;
}

/** What hooks make of a call, and with what it was read and judged anew. */
async function heard(
  hooks: Hook[],
  { ceiling = {}, ready = readyOf(), trip }: { ceiling?: Partial<Ceiling>; ready?: Ready; trip?: Trip } = {},
) {
  const station = { facts: factsUnder({ mode: "yolo", ...ceiling }) };
  const under = trip ?? tripIn({ parts: { hooks, diff: () => "the diff" }, station });
  const inspected: unknown[] = [];
  const prepared = await hear(under, { ready, verdict }, async (call) => {
    inspected.push(call);
    return { ready: { ...ready, call, input: call.args }, verdict };
  });
  return { ...prepared, inspected, trip: under };
}

const hook = (said: unknown, more: Partial<Hook> = {}): Hook => ({
  name: "mine",
  before: () => said as HookAnswer,
  ...more,
});
const failing =
  (error: unknown): Hook["before"] =>
  () =>
    Promise.reject(error);

describe("what a hook says before a call", () => {
  test.each<[what: string, said: unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["allow, which is no more than silence", { decision: "allow" }],
    ["no decision", {}],
    ["the same arguments", { args: { a: 1 } }],
    ["the same input", { input: { a: 1 } }],
  ])("%s: the call goes on as it is", async (_, said) => {
    const { ready, verdict: now, inspected, trip } = await heard([hook(said)]);
    expect([now, inspected, ready]).toEqual([verdict, [], readyOf()]);
    expect(trip.known.ready).toEqual(ready);
  });

  test.each<[what: string, said: unknown, reason: string]>([
    ["ask", { decision: "ask" }, "the hook wants a person to decide"],
    ["ask, and why", { decision: "ask", reason: "it is Friday" }, "it is Friday"],
    ["another word", { decision: "yes" }, "the hook gave an answer that cannot be understood"],
    ["a text", "allow", "the hook gave an answer that cannot be understood"],
    ["true", true, "the hook gave an answer that cannot be understood"],
  ])("%s: a person decides, whatever was said once and for all", async (_, said, reason) => {
    const { verdict: now, trip } = await heard([hook(said)]);
    expect(now).toEqual({ answer: "ask", by: "hook mine", reason });
    expect(trip.known.verdict).toEqual(now);
  });

  test.each<[what: string, before: Hook["before"], reason: string]>([
    ["throws", failing(new Error("broken")), "the hook failed: broken"],
    ["throws a text", failing("broken"), "the hook failed: broken"],
  ])("one that %s: a person decides", async (_, before, reason) => {
    expect((await heard([hook(undefined, { before: before as NonNullable<Hook["before"]> })])).verdict).toEqual({
      ...{ answer: "ask", by: "hook mine", reason },
    });
  });

  test("deny ends it, says why and whether to stop", async () => {
    const ended = (said: unknown) => heard([hook(said)]).catch((error: Ending) => error);
    expect(await ended({ decision: "deny" })).toMatchObject({
      ...{ status: "refused", code: "PERMISSION_DENIED", message: "Refused by the hook mine: it gave no reason" },
      metadata: { by: "hook mine" },
    });
    expect(((await ended({ decision: "deny" })) as Ending).metadata).toEqual({ by: "hook mine" });
    expect(await ended({ decision: "deny", reason: "no", stop: "enough" })).toMatchObject({
      ...{ message: "Refused by the hook mine: no", metadata: { by: "hook mine", stop: true, stopReason: "enough" } },
    });
    expect(((await ended({ decision: "deny", stop: "" })) as Ending).metadata).toEqual({ by: "hook mine", stop: true });
  });

  test("other arguments are read and judged anew; the next hook hears of the call that is left", async () => {
    const seen: unknown[] = [];
    const looking = hook(undefined, { before: (call) => void seen.push([call.calledAs, call.args, call.input]) });
    const { inspected } = await heard([looking, hook({ args: { a: 2 } }), looking, hook({ input: { a: 3 } }), looking]);
    expect(inspected).toMatchObject([
      { name: "Thing", args: { a: 2 } },
      { name: "thing", args: { a: 3 } },
    ]);
    expect(seen).toEqual([
      ["Thing", { a: 1 }, { a: 1 }],
      ["Thing", { a: 2 }, { a: 2 }],
      ["thing", { a: 3 }, { a: 3 }],
    ]);
  });

  test("a question stays, whatever later hooks say; the last one counts", async () => {
    const ask = (reason: string) => hook({ decision: "ask", reason });
    expect((await heard([ask("first"), hook({ decision: "allow" }), hook(undefined)])).verdict.reason).toBe("first");
    expect((await heard([ask("first"), ask("second")])).verdict.reason).toBe("second");
  });

  test("what it tells the model is marked with its name", async () => {
    const { ready, trip } = await heard([
      hook({ context: "one" }),
      hook({ failed: "exit 1" }),
      hook({ context: "two", failed: "exit 2" }),
    ]);
    expect(ready.notes).toEqual([
      "read",
      "[mine] one",
      "[Hook mine: FAILED (exit 1)]",
      "[Hook mine: FAILED (exit 2)]\ntwo",
    ]);
    expect(trip.trace.map(({ stage, verdict: said }) => [stage, said])).toEqual([
      ["hook mine", undefined],
      ["hook mine", "failed: exit 1"],
      ["hook mine", "failed: exit 2"],
    ]);
  });

  test("one that does not concern the call is not asked", async () => {
    const deny = hook({ decision: "deny" }, { applies: ({ tool: name }) => name !== "thing" });
    expect((await heard([deny, { name: "after", after: () => "x" }, { name: "none" }])).verdict).toEqual(verdict);
    const broken = hook({}, { applies: failing(new Error("broken")) as never });
    broken.applies = () => {
      throw new Error("no idea");
    };
    expect((await heard([broken])).verdict.reason).toBe("the hook failed: no idea");
  });

  test("it sees the call as it is", async () => {
    const seen: HookedCall[] = [];
    const ready = readyOf({ tool: tool({ tools: ["Bash"] }) as never });
    await heard([hook(undefined, { before: (call) => void seen.push(call) })], {
      ready,
      ceiling: { autonomy: "readonly" },
    });
    expect({ ...seen[0] }).toEqual({
      ...{
        id: "c1",
        tool: "thing",
        calledAs: "Thing",
        args: { a: 1 },
        input: { a: 1 },
        touches: [],
        countsAs: ["Bash"],
      },
      ...{ diff: "the diff", sessionID: "s1", messageID: "m1", agent: "main", changesNothing: true },
    });
  });

  test("a stopped call is not heard of, and one that is stopped meanwhile ends", async () => {
    let asked = 0;
    const counting = hook(undefined, { before: () => void asked++ });
    const stopped = tripIn({ parts: { hooks: [counting] } });
    stopped.life.stop(cancelled("stopped"));
    await expect(heard([], { trip: stopped })).rejects.toThrow("stopped");
    expect(asked).toBe(0);
    for (const answer of [{ decision: "allow" } as const, new Error("killed")]) {
      const stopping: Hook = hook(undefined, {
        before: async () => {
          trip.life.stop(cancelled("stopped"));
          if (answer instanceof Error) throw answer;
          return answer;
        },
      });
      const trip = tripIn({ parts: { hooks: [stopping] } });
      await expect(heard([], { trip })).rejects.toThrow("stopped");
    }
  });
});

describe("where nothing may be changed", () => {
  const ceilings: [ceiling: Partial<Ceiling>, isRehearsed: boolean, nothing: boolean][] = [
    [{}, false, false],
    [{ autonomy: "supervised" }, false, false],
    [{ autonomy: "readonly" }, false, true],
    [{ plan: true }, true, true],
    [{ dryRun: true }, true, true],
  ];
  test.each(ceilings)("%j", async (ceiling, isRehearsed, nothing) => {
    expect(changesNothing({ mode: "yolo", ...ceiling })).toBe(nothing);
    const said: string[] = [];
    const named = (name: string, more: Partial<Hook> = {}) =>
      hook(undefined, { name, before: () => void said.push(name), ...more });
    const broken = () => {
      throw new Error("no idea");
    };
    const hooks = [
      named("plain"),
      named("able", { inDryRun: true }),
      named("other", { applies: () => false }),
      named("unsure", { applies: broken }),
      { name: "after", after: () => "x" },
      { name: "moments", on: {} },
    ];
    const { ready } = await heard(hooks, { ceiling });
    expect(said).toEqual(isRehearsed ? ["able"] : ["plain", "able"]);
    const note = "[Not run, because nothing may be changed here: the hooks plain, unsure, after.]";
    expect(ready.notes).toEqual(isRehearsed ? ["read", note] : ["read"]);
    const one = await heard([named("plain")], { ceiling });
    if (isRehearsed) expect(one.ready.notes[1]).toContain("here: the hook plain.");
    const after = { name: "late", after: () => "told" };
    const trip = tripIn({
      parts: { hooks: [after, { ...after, name: "able", inDryRun: true }] },
      station: { facts: factsUnder({ mode: "yolo", ...ceiling }) },
    });
    const { output } = await hearAfter(trip, { ready: readyOf(), verdict }, ran);
    expect(output).toBe(isRehearsed ? "ran\n\n[able] told" : "ran\n\n[late] told\n\n[able] told");
  });

  test("those that would hear of a call", () => {
    const hooks = [hook({}), hook({}, { applies: () => false }), { name: "after", after: () => "x" }];
    const trip = tripIn({ parts: { hooks } });
    expect([hooksFor(trip, undefined).length, hooksFor(trip, readyOf()).length]).toEqual([2, 1]);
  });
});

describe("what hooks say after a call", () => {
  const late = (said: unknown, more: Partial<Hook> = {}): Hook => ({
    name: "late",
    after: () => said as string,
    ...more,
  });
  const told = async (...hooks: Hook[]) => {
    const trip = tripIn({ parts: { hooks } });
    const result = await hearAfter(trip, { ready: readyOf(), verdict }, ran);
    return { ...result, trace: trip.trace.map(({ stage, verdict: how }) => `${stage} ${how}`) };
  };
  test.each<[what: string, hooks: Hook[], output: string, metadata: object]>([
    ["nothing", [late(undefined)], "ran", {}],
    ["an empty text", [late("")], "ran", {}],
    ["a text", [late("well done")], "ran\n\n[late] well done", {}],
    ["one after the other", [late("one"), late({ text: "two" })], "ran\n\n[late] one\n\n[late] two", {}],
    ["it failed", [late({ failed: "exit 1" })], "ran\n\n[Hook late: FAILED (exit 1)]", {}],
    ["it stops the agent", [late({ stop: "enough" })], "ran", { stop: true, stopReason: "enough" }],
    ["it stops without a word", [late({ stop: "" })], "ran", { stop: true }],
    ["it concerns it", [late("x", { applies: () => true })], "ran\n\n[late] x", {}],
    ["it does not concern it", [late("x", { applies: () => false })], "ran", {}],
    ["one that is for before alone", [{ name: "early", before: () => undefined }], "ran", {}],
    [
      "it throws",
      [late("x", { after: () => Promise.reject(new Error("broken")) })],
      "ran\n\n[The hook late failed: broken]",
      {},
    ],
  ])("%s", async (_, hooks, output, metadata) => {
    const result = await told(...hooks);
    expect([result.output, result.metadata]).toEqual([output, { a: 1, ...metadata }]);
    expect(result.trace).toEqual(output.includes("FAILED") ? ["hook late failed: exit 1"] : []);
  });

  test("the same for a call that somebody else performed", async () => {
    const seen: HookedCall[] = [];
    const hooks = [late(undefined, { after: (call) => void seen.push(call) }), late("told")];
    const registry = {
      get: (name: string) => (name === "thing" ? { definition: { countsAs: { tools: ["Bash"] } } } : undefined),
    };
    const trip = tripIn({ parts: { hooks, registry: registry as never } });
    const record = { tool: "thing", input: { a: 1 }, touches: [] } as never;
    expect(await hearAfterOthers(trip, record, ran)).toEqual(["[late] told"]);
    expect(seen[0]).toMatchObject({
      tool: "thing",
      calledAs: "thing",
      args: { a: 1 },
      countsAs: ["Bash"],
      diff: "",
      changesNothing: false,
    });
    await hearAfterOthers(trip, { tool: "gone", input: {}, touches: [] } as never, ran);
    expect(seen[1]).not.toHaveProperty("countsAs");
  });
});

describe("what hooks made of files that the call has just written", () => {
  const change = (name: string, after: string | null, more: object = {}) => ({
    ...{ place: placeOf(name), before: bytes("old"), after: after === null ? null : bytes(after), ...more },
  });
  async function formatted(
    changes: object[],
    files: FileMap,
    { failing: store = {}, after = () => undefined as string | undefined } = {},
  ) {
    const hooks: Hook[] = [{ name: "format", after }];
    const trip = tripIn({ files, parts: { hooks } });
    Object.assign(trip.station.parts.store, store);
    const { output } = await hearAfter(trip, { ready: readyOf({ changes: changes as never }), verdict }, ran);
    return { output, rows: await trip.station.parts.store.changes({}), trip };
  }

  test("is told and journalled, so that undo takes it back", async () => {
    const files: FileMap = new Map([
      ["a", { text: "formatted", mode: 0o755 }],
      ["same", { text: "new" }],
      ["back", { text: "again" }],
    ]);
    const changes = [
      change("a", "new", { modeBefore: 0o644 }),
      change("same", "new"),
      change("gone", "new", { modeBefore: 0o600, mode: 0o700 }),
      change("back", null),
    ];
    const { output, rows, trip } = await formatted(changes, files);
    expect(output).toBe("ran\n\n[Changed by hooks: a, gone.]");
    expect(rows).toMatchObject([
      {
        shown: "a",
        state: "done",
        before: sha256(bytes("new")),
        after: sha256(bytes("formatted")),
        modeBefore: 0o644,
        modeAfter: 0o755,
      },
      { shown: "gone", state: "done", before: sha256(bytes("new")), after: null, modeBefore: 0o700 },
    ]);
    expect(rows[1]).not.toHaveProperty("modeAfter");
    expect(trip.deeds.known?.map(({ real }) => real)).toEqual(["/ws/a"]);
  });

  test("a file that cannot be read is left alone, and a journal that fails changes nothing else", async () => {
    expect((await formatted([change("a", "new")], new Map([["a", "closed"]]))).output).toBe("ran");
    const failing = { intend: () => Promise.reject(new Error("disk full")) };
    const { output, rows } = await formatted([change("a", "new")], new Map([["a", { text: "x" }]]), { failing });
    expect([output, rows]).toEqual(["ran\n\n[Changed by hooks: a.]", []]);
  });

  test("where no hook ran, nobody looks", async () => {
    const trip = tripIn({
      files: new Map([["a", { text: "x" }]]),
      parts: { hooks: [{ name: "no", after: () => "", applies: () => false }] },
    });
    const { output } = await hearAfter(
      trip,
      { ready: readyOf({ changes: [change("a", "new")] as never }), verdict },
      ran,
    );
    expect(output).toBe("ran");
  });
});
