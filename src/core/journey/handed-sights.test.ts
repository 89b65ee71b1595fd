import { describe, expect, test } from "vitest";
import { callRecord } from "../../../test/contracts/store-samples.ts";
import { at, ready } from "../../../test/judging.ts";
import { bytes, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import type { Part } from "../words/sight.ts";
import type { Definition } from "../words/tool.ts";
import { type Foreseen, foresee, noteForeseen } from "./handed-sights.ts";
import { seenOf } from "./known-files.ts";

const FIRST: Part = { first: 1, last: 1, of: 2 };
const STAMP = { size: 4, mtimeMs: 1, ctimeMs: 1, ino: 1 };
const files = () => new Map([["a", { text: "a\nb\n" }]]);

describe("what another agent's call will show", () => {
  const foreseen = async (definition: Partial<Definition>, partly = false) => {
    const closed: number[] = [];
    const guard = () => ({
      sights: [{ place: placeOf("a"), stamp: STAMP, parts: [FIRST] }],
      close: () => closed.push(1),
    });
    const trip = tripIn({ files: files(), parts: { guard: guard as never } });
    const touches = [at("read", "a"), at("read", "gone"), at("list", "a"), at("read", "a", { scope: "**" })];
    const call = { ...ready({ touches }), tool: { name: "thing", definition } as never };
    const prepared = { ready: call, verdict: { answer: "allow", by: "mode", reason: "" } as const };
    const { reads } = await foresee(trip, prepared, partly);
    return { reads, closed: closed.length };
  };
  const inNoLine = [seenOf("/ws/a", STAMP, [])];

  test("is what the tool says of itself", async () => {
    expect(await foreseen({ shows: async () => {} })).toEqual({ reads: [seenOf("/ws/a", STAMP, [FIRST])], closed: 1 });
  });

  test("is nothing where the tool cannot look, and its files are closed", async () => {
    const shows = () => Promise.reject(new Error("gone"));
    expect(await foreseen({ shows })).toEqual({ reads: [], closed: 1 });
  });

  test("is every file that it reads, in no line, where the tool does not say, or nobody knows which part", async () => {
    expect(await foreseen({})).toEqual({ reads: inNoLine, closed: 0 });
    expect(await foreseen({ shows: async () => {} }, true)).toEqual({ reads: inNoLine, closed: 0 });
  });
});

describe("what another agent's call will leave", () => {
  test("is what is known of a file that was known before; of a new one, all", async () => {
    const trip = tripIn({ files: files() });
    trip.station.facts.session.noteRead(seenOf("/ws/a", STAMP, [FIRST]));
    const [before, after] = [bytes("a\nb\n"), bytes("a\nx\n")];
    const changes = [
      { place: placeOf("a"), before, after, stamp: STAMP },
      { place: placeOf("new"), before: null, after },
      { place: placeOf("gone"), before, after: null },
    ];
    const call = { ...ready({}), changes, tool: { name: "thing", definition: {} } as never };
    const { writes } = await foresee(
      trip,
      { ready: call, verdict: { answer: "allow", by: "mode", reason: "" } },
      false,
    );
    const hash = sha256(after);
    expect(writes).toStrictEqual([
      { real: "/ws/a", after: hash, parts: expect.arrayContaining([FIRST]) },
      { real: "/ws/new", after: hash },
    ]);
  });

  test.each<[what: string, writes: Foreseen["writes"], parts: readonly Part[] | undefined]>([
    ["as it was expected", [{ real: "/ws/a", after: sha256(bytes("a\nb\n")), parts: [FIRST] }], [FIRST]],
    ["as it was expected, and all of it known", [{ real: "/ws/a", after: sha256(bytes("a\nb\n")) }], undefined],
    ["otherwise", [{ real: "/ws/a", after: sha256(bytes("x")), parts: [FIRST] }], []],
    ["otherwise, and another file like that", [{ real: "/ws/b", after: sha256(bytes("a\nb\n")), parts: [FIRST] }], []],
  ])("is noted once it is there: %s", async (_, writes, parts) => {
    const trip = tripIn({ files: files() });
    const touches = [at("write", "a"), at("write", "gone"), at("read", "a"), at("write", "a", { scope: "**" })];
    const read = seenOf("/ws/r", STAMP, [FIRST]);
    await noteForeseen(trip, callRecord("1", { touches }), { reads: [read], writes });
    expect(trip.deeds.known).toStrictEqual([read, seenOf("/ws/a", STAMP, parts)]);
  });
});
