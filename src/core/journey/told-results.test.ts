import { describe, expect, test } from "vitest";
import { type Given, performing } from "../../../test/performing.ts";
import type { Parts } from "./journey-parts.ts";
import { withinBudget } from "./performing.ts";

describe("what the model is told", () => {
  test("includes what hooks say of it", async () => {
    const hooks = [{ name: "ear", after: () => "well done" }];
    expect((await performing({ parts: { hooks } }).done()).output).toBe("ran\n\n[ear] well done");
  });

  test.each<[string, Given, string[], string]>([
    ["of the reading", { notes: ["one"] }, [], "ran\n\none"],
    ["of the judgement", { verdict: { notes: ["two"] } }, [], "ran\n\ntwo"],
    ["of what was found", {}, ["three"], "ran\n\nthree"],
  ])("notes %s", async (_, given, found, output) => {
    const { done, trip } = performing(given);
    if (found.length > 0) trip.deeds.notes = found;
    expect((await done()).output).toBe(output);
  });

  test("notes come after the output, each once; without any, nothing is added", async () => {
    const { done, trip } = performing({ notes: ["one", "two"], verdict: { notes: ["two", "three"] } });
    trip.deeds.notes = ["three", "four"];
    expect(await done()).toMatchObject({
      output: "ran\n\none\n\ntwo\n\nthree\n\nfour",
      metadata: { notes: ["one", "two", "three", "four"] },
    });
    expect(trip.deeds.unnoted).toBe("ran");
    const plain = performing();
    expect(await plain.done()).toMatchObject({ output: "ran", metadata: {} });
    expect(plain.trip.deeds.unnoted).toBeUndefined();
    expect((await performing({ notes: ["alone"], execute: () => "" }).done()).output).toBe("alone");
  });

  test("a failure that was given back tells of changes that were made, and no secret", async () => {
    const redact = (text: string) => text.replaceAll("hunter2", "***");
    const execute: Given["execute"] = (_, __, { deeds }) => {
      deeds.changed.push("a.txt");
      return { success: false, output: "", error: "hunter2 is wrong" };
    };
    const { error } = await performing({ execute, parts: { redact } }).done();
    expect(error?.message).toBe("*** is wrong (The change of a.txt had already been made.)");
  });

  const cut = { totalBytes: 9, totalLines: 1, shownLines: 1 } as never;
  const trim = () => ({ text: "long…", truncated: cut });
  const long = { success: true, status: "done", title: "", output: "long text", metadata: {} } as const;
  test.each<[string, Partial<Parts>, output: string, path: string | undefined]>([
    [
      "is kept whole where it can be read",
      { keep: async () => "/kept/x" },
      "long…\n\n[All 9 bytes are in /kept/x.]",
      "/kept/x",
    ],
    [
      "could not be kept",
      { keep: async () => undefined },
      "long…\n\n[The rest of the output could not be kept.]",
      undefined,
    ],
    [
      "failed to be kept",
      { keep: () => Promise.reject(new Error("full")) },
      "long…\n\n[The rest of the output could not be kept.]",
      undefined,
    ],
    ["is kept nowhere", {}, "long…", undefined],
  ])("a long output %s", async (_, parts, output, path) => {
    const { trip, ready } = performing({ parts: { trim, ...parts } });
    const told = await withinBudget(trip, ready, long);
    expect([told.output, told.truncated?.path]).toEqual([output, path]);
    expect(told.truncated).toMatchObject({ totalBytes: 9 });
  });

  test("one that the tool has cut and kept itself is kept no second time", async () => {
    const kept: string[] = [];
    const keep: Parts["keep"] = async (...[, id]) => void kept.push(id);
    const { trip, ready } = performing({ parts: { trim, keep } });
    const truncated = { ...(cut as object), totalBytes: 2_000_000, path: "/kept/by/tool" } as never;
    const told = await withinBudget(trip, ready, { ...long, truncated });
    expect([told.output, told.truncated, kept]).toEqual(["long…", truncated, []]);
  });

  test("a short one stays as it is", () => {
    const { trip, ready } = performing();
    expect(withinBudget(trip, ready, long)).toBe(long);
  });
});
