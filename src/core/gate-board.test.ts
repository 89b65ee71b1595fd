import { describe, expect, test } from "vitest";
import { tripIn } from "../../test/tripping.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Store } from "./contracts/store/store.ts";
import { GateBoard } from "./gate-board.ts";

/** The same board for two agents. */
function boards(store: Store = memoryStore()) {
  const { station } = tripIn({ parts: { store, redact: (text) => text.replaceAll("hunter2", "***") } });
  const of = (session: string) => new GateBoard(station, () => ({ session, agent: "main" }));
  return { one: of("one"), two: of("two"), store };
}

describe("findings", () => {
  test("what is left out counts as a discovery without a topic, half certain", async () => {
    const { one } = boards();
    await one.post({ content: "the key is hunter2" });
    expect(await one.read()).toMatchObject([
      { type: "discovery", topic: "", confidence: 0.5, tags: [], files: [], content: "the key is ***", session: "one" },
    ]);
  });

  test("are read newest first, those that fit; what is fresh is told once, and only of others", async () => {
    const { one, two } = boards();
    await one.post({ content: "the first thing", tags: ["a"] });
    await two.post({ content: "quite another matter", tags: ["b"] });
    await one.post({ content: "something else again", tags: ["b"] });
    const contents = async (board: GateBoard, wanted = {}) => (await board.read(wanted)).map(({ content }) => content);
    expect(await contents(one)).toEqual(["something else again", "quite another matter", "the first thing"]);
    expect(await contents(one, { tag: "b" })).toEqual(["something else again", "quite another matter"]);
    expect(await contents(two, { fresh: true })).toEqual(["something else again", "the first thing"]);
    expect(await contents(two, { fresh: true })).toEqual([]);
    expect(await contents(two), "and can be read again").toHaveLength(3);
  });
});

describe("claims", () => {
  test("are by name, however it is written, for one minute unless told", async () => {
    const { one, two } = boards();
    const claim = await one.claim("Release");
    expect(claim).toMatchObject({ claimed: true, token: expect.any(String) });
    expect(await two.claim("RELEASE")).toMatchObject({ claimed: false, by: { shown: "Release", session: "one" } });
    expect(await two.claim("other", { mode: "read" })).toMatchObject({ claimed: true });
    const [hold] = await one.claims();
    expect(hold).toMatchObject({ shown: "Release", mode: "write" });
    expect(Math.abs((hold?.until ?? 0) - Date.now() - 60_000)).toBeLessThan(5000);
  });

  test("are given back by whoever holds them, once", async () => {
    const { one, two } = boards();
    const claim = await one.claim("db");
    const token = claim.claimed ? claim.token : "";
    expect(await two.release(token)).toBe(false);
    expect(await one.release(token)).toBe(true);
    expect(await one.release(token)).toBe(false);
    expect(await one.claims()).toEqual([]);
  });

  test("that a store does not answer fail", async () => {
    const { one } = boards({ ...memoryStore(), hold: async () => [] });
    await expect(one.claim("db")).rejects.toThrow("db could not be claimed.");
  });
});
