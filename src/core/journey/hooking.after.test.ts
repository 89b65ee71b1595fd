import { describe, expect, test, vi } from "vitest";
import { preparedOf, readyOf, stationWith, tripWith } from "../../../test/hearing.ts";
import { bytes, type FileMap, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import type { Hook, HookedCall } from "../contracts/hook.ts";
import type { Change } from "../contracts/workspace.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Result } from "../words/result.ts";
import { hearAfter, hearAfterOthers } from "./hooking.ts";
import { lookOnly } from "./trip.ts";

describe("what hooks say after a call", () => {
  const result: Result = { success: true, status: "done", title: "t", output: "ran", metadata: { a: 1 } };
  const heardAfter = async (hooks: Hook[], ceiling: Partial<Ceiling> = {}) =>
    hearAfter(tripWith(hooks, ceiling), preparedOf(), result);

  test.each<[what: string, say: Hook["after"], output: string, metadata: object]>([
    ["nothing", () => undefined, "ran", { a: 1 }],
    ["a word", () => "well", "ran\n\n[ear] well", { a: 1 }],
    ["a text", () => ({ text: "well" }), "ran\n\n[ear] well", { a: 1 }],
    ["that it failed", () => ({ failed: "exit 1" }), "ran\n\n[Hook ear: FAILED (exit 1)]", { a: 1 }],
    ["stop, and why", () => ({ stop: "enough" }), "ran", { a: 1, stop: true, stopReason: "enough" }],
    ["stop", () => ({ stop: "" }), "ran", { a: 1, stop: true }],
    ["an error", () => Promise.reject(new Error("broken")), "ran\n\n[The hook ear failed: broken]", { a: 1 }],
  ])("%s", async (_, say, output, metadata) => {
    expect(await heardAfter([{ name: "ear", ...(say && { after: say }) }])).toEqual({ ...result, output, metadata });
  });

  test("comes from those it concerns and that may be run, and a failure of one costs the others nothing", async () => {
    const hooks: Hook[] = [
      {
        name: "bad",
        after: () => {
          throw new Error("broken");
        },
      },
      { name: "no", applies: () => false, after: () => "no" },
      { name: "ear", after: () => "yes" },
      { name: "before", before: () => undefined },
    ];
    expect((await heardAfter(hooks)).output).toBe("ran\n\n[The hook bad failed: broken]\n\n[ear] yes");
    expect((await heardAfter(hooks, { dryRun: true })).output).toBe("ran");
    expect((await heardAfter([{ name: "ear", inDryRun: true, after: () => "yes" }], { plan: true })).output).toContain(
      "yes",
    );
  });

  test("comes from one that the call concerns, and that it failed is noted", async () => {
    const trip = tripWith([{ name: "ear", applies: () => true, after: () => ({ failed: "exit 1" }) }]);
    expect((await hearAfter(trip, preparedOf(), result)).output).toBe("ran\n\n[Hook ear: FAILED (exit 1)]");
    expect(trip.trace).toMatchObject([{ stage: "hook ear", verdict: "failed: exit 1" }]);
  });

  test("of a call that somebody else performed", async () => {
    const calls: HookedCall[] = [];
    const hook: Hook = {
      name: "ear",
      after: (each) => {
        calls.push(each);
        return "seen";
      },
    };
    const trip = lookOnly(
      stationWith({
        hooks: [hook],
        parts: { registry: { get: () => ({ definition: { countsAs: { tools: ["Write"] } } }) } as never },
      }),
      { name: "thing", args: {} },
    );
    const record = { input: { a: 1 }, touches: [], tool: "thing" } as never;
    expect(await hearAfterOthers(trip, record, result)).toEqual(["[ear] seen"]);
    expect(calls[0]).toMatchObject({
      tool: "thing",
      calledAs: "thing",
      input: { a: 1 },
      countsAs: ["Write"],
      diff: "",
    });
    expect(calls[0]?.changesNothing).toBe(false);
    const plain = stationWith({ hooks: [hook], parts: { registry: { get: () => ({ definition: {} }) } as never } });
    await hearAfterOthers(lookOnly(plain, { name: "thing", args: {} }), record, result);
    expect(calls[1]).not.toHaveProperty("countsAs");
  });
});

describe("files that hooks change after a call", () => {
  const change = (after: string | null): Change =>
    ({
      place: placeOf("f"),
      before: bytes("0"),
      after: after === null ? null : bytes(after),
      modeBefore: 0o640,
    }) as Change;
  const changed = async (now: string | undefined, after: string | null, hooks: Hook[], fails = false) => {
    const file = now === "closed" ? ("closed" as const) : { text: now ?? "", mode: 0o600 };
    const files: FileMap = new Map(now === undefined ? [] : [["f", file]]);
    const trip = tripIn({ files, parts: { hooks } });
    const { store } = trip.station.parts;
    const intend = vi.spyOn(store, "intend");
    const conclude = vi.spyOn(store, "conclude");
    if (fails) intend.mockRejectedValue(new Error("full"));
    const ready = readyOf({ changes: [change(after)] });
    const base: Result = { success: true, status: "done", title: "", output: "ran", metadata: {} };
    const { output } = await hearAfter(trip, preparedOf(ready), base);
    return {
      output,
      intended: intend.mock.calls.flatMap(([rows]) => rows),
      concluded: conclude.mock.calls,
      known: trip.deeds.known,
    };
  };
  const formatter: Hook = { name: "format", after: () => undefined };

  test("are told and journalled, from what the call made to what is there now", async () => {
    const { output, intended, concluded, known } = await changed("formatted", "written", [formatter]);
    expect(output).toBe("ran\n\n[Changed by hooks: f.]");
    expect(intended).toMatchObject([
      { shown: "f", after: sha256(bytes("formatted")), modeBefore: 0o640, modeAfter: 0o600 },
    ]);
    expect(concluded.map(([, how]) => how)).toEqual(["done"]);
    expect(known, "the session knows it as it is now").toMatchObject([{ real: "/ws/f", stamp: { size: 9 } }]);
  });

  test("that are gone by now are told, too", async () => {
    const { output, intended } = await changed(undefined, "written", [formatter]);
    expect(output).toBe("ran\n\n[Changed by hooks: f.]");
    expect(intended).toMatchObject([{ shown: "f", after: null }]);
    expect(intended[0]).not.toHaveProperty("modeAfter");
  });

  test.each<[what: string, now: string, after: string | null, hooks: Hook[]]>([
    ["the same", "written", "written", [formatter]],
    ["removed by the call", "back", null, [formatter]],
    ["not to be looked at", "closed", "written", [formatter]],
    ["changed where no hook ran", "formatted", "written", []],
    ["changed where none that it concerns ran", "formatted", "written", [{ ...formatter, applies: () => false }]],
  ])("nothing is told of one that is %s", async (_, now, after, hooks) => {
    expect(await changed(now, after, hooks)).toMatchObject({ output: "ran", intended: [] });
  });

  test("a journal that fails does not take back what has happened", async () => {
    expect(await changed("formatted", "written", [formatter], true)).toMatchObject({
      output: "ran\n\n[Changed by hooks: f.]",
    });
  });
});
