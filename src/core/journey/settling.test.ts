import { describe, expect, test } from "vitest";
import { bytes, type FileMap, placeOf, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Ready } from "../words/ready.ts";
import type { Claim } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { changesHash, fingerprint } from "./fingerprints.ts";
import { ROUNDS, settle } from "./settling.ts";
import type { Prepared } from "./stages.ts";

const ALLOW: Judgement = { answer: "allow", by: "mode", reason: "so" };
const GRANT: Judgement = { answer: "allow", by: "grant", reason: "before", exclude: ["old"], notes: ["old"] };
const write: Claim = { action: "write", target: "a" };

type Given = {
  verdict?: Judgement;
  /** Where `a` leads, look by look; the last one stays. */
  places?: string[];
  /** What the tool would write, look by look. */
  contents?: string[];
  /** What policies say when they are asked again. */
  said?: ReturnType<Policy["judge"]>;
  approved?: "same" | "other";
  expected?: "same" | "other";
  code?: string[];
  withheld?: boolean;
  preview?: boolean;
  /** All that the preview saw is as it was. */
  seen?: boolean;
  /** Whoever has locked `a` for itself. */
  holder?: string;
};

/** A call that was judged when `a` was `a` and would be written "new", and the world as it is now. */
async function settling(given: Given = {}) {
  const {
    verdict = ALLOW,
    places = ["a"],
    contents = ["new"],
    said = ALLOW,
    code,
    withheld = false,
    preview = true,
  } = given;
  const next = (list: string[]) => (list.length > 1 ? list.shift() : list[0]) as string;
  const files: FileMap = new Map([["a", { text: "old" }]]);
  const inner = memoryStore();
  const locked: string[][] = [];
  let judged = 0;
  let previews = 0;
  let views = 0;
  const hidden: unknown[] = [];
  const judge = () => {
    judged += 1;
    return said;
  };
  const hashes = [...(code ?? [])];
  const trip = tripIn({
    files,
    parts: {
      store: {
        ...inner,
        lock: (paths, ...more) => {
          locked.push([...paths]);
          return inner.lock(paths, ...more);
        },
      },
      policies: [{ name: "own", judge }],
      guard: (_, __, options) => {
        views += 1;
        hidden.push(options?.exclude);
        return { sights: [], close: () => {} } as never;
      },
      globs: {
        ofPath: (path) => path,
        withBelow: (glob) => `${glob}**`,
        split: (base) => ({ base, rest: "" }),
        fits: (glob, path) => glob === path,
      },
    },
    workspace: {
      locate: (name) => ({ ...placeOf(name), real: `/ws/${next(places)}` }),
      digest: async () => ({ place: placeOf("a.sh"), hash: next(hashes) }),
    },
  });
  const definition = {
    touches: () => [write],
    ...(preview && {
      preview: async () => {
        previews += 1;
        return [{ path: "a", after: bytes(next(contents)) }];
      },
    }),
    ...(code && { code: () => ({ files: [{ target: "a.sh" }] }) }),
  };
  const change = { place: placeOf("a"), before: bytes("old"), after: bytes("new"), modeBefore: 0o644 };
  const ready = {
    ...{
      call: trip.known.call,
      tool: { name: "t", definition },
      input: {},
      claims: [write],
      danger: "moderate",
      notes: [],
    },
    ...{ touches: [{ action: "write", place: placeOf("a"), certain: true }], changes: preview ? [change] : [] },
  } as unknown as Ready;
  const { parts } = trip.station;
  const bound = { files: code ? [{ shown: "a.sh", real: "/ws/a.sh", hash: "1" }] : [], whole: true };
  const prepared: Prepared = {
    ...{ ready, verdict, look: { view: { sights: [] } as never, readJournal: !given.seen } },
    ...(withheld && { withheld: { error: new Error("kept back") } }),
    ...(code && { bound }),
    ...(given.approved && { approved: given.approved === "same" ? await fingerprint(ready, bound, parts) : "other" }),
    ...(given.expected && { expected: given.expected === "same" ? await changesHash(ready, parts) : "other" }),
  };
  if (given.holder) {
    const mine = { resources: ["/ws/a"], shown: "a", mode: "exclusive" as const };
    await inner.hold("paths", [mine], { session: given.holder, agent: "main" }, 60_000);
  }
  const settled = await settle(trip, prepared, ["/ws/a"]).catch((error) => error as never);
  const locks = (await inner.locks()).map(({ path }) => path);
  if (settled.release) await settled.release();
  expect(await inner.locks(), "nothing stays locked").toEqual([]);
  return { settled, locks, locked, judged, previews, views, hidden, trip, inner };
}

describe("the world is held against what was judged", () => {
  const conflict = {
    status: "refused",
    code: "CONFLICT",
    message: expect.stringContaining("changed after it was approved"),
  };
  const ASK = { answer: "ask", by: "own", reason: "now", grantable: true } as const;
  const AT_B = { preview: false, places: ["b"] };
  const DENY = { answer: "deny", by: "own", reason: "now" } as const;

  test("unchanged it goes on, under its lock, and nobody judges it again", async () => {
    const { settled, locks, judged } = await settling();
    expect(settled.prepared.verdict).toEqual(ALLOW);
    expect([locks, judged]).toEqual([["/ws/a"], 0]);
  });

  test.each<[what: string, given: Given, by: string]>([
    ["another place is judged again", { places: ["b"] }, "mode"],
    ["another content is judged again", { contents: ["other"] }, "mode"],
    ["a grant stands for another content", { verdict: GRANT, contents: ["other"], said: ASK }, "grant"],
    [
      "a grant does not stand for another place, which is allowed all the same",
      { verdict: GRANT, places: ["b"] },
      "mode",
    ],
    ["what a person saw is the same", { approved: "same" }, "mode"],
    ["what a plan said is the same", { expected: "same" }, "mode"],
    ["what a plan said is the same, at another place", { expected: "same", preview: false, places: ["b"] }, "mode"],
    ["the code is the same", { code: ["1"] }, "mode"],
  ])("%s", async (_, given, by) => {
    const { settled, locks, locked, trip } = await settling(given);
    expect(settled.prepared.verdict.by).toBe(by);
    const isMoved = given.places !== undefined;
    expect(locks).toEqual([isMoved ? "/ws/b" : "/ws/a"]);
    expect(locked).toEqual(isMoved ? [["/ws/a"], ["/ws/b"]] : [["/ws/a"]]);
    expect(trip.known.ready).toEqual(settled.prepared.ready);
  });

  test.each<[what: string, given: Given, ended: object]>([
    ["another place, to be asked about", { places: ["b"], said: ASK }, conflict],
    ["another content, to be asked about", { contents: ["other"], said: ASK }, conflict],
    ["another place, forbidden", { places: ["b"], said: DENY }, { code: "PERMISSION_DENIED" }],
    ["another content, forbidden", { contents: ["other"], said: DENY }, { code: "PERMISSION_DENIED" }],
    ["a grant, and another place to be asked about", { verdict: GRANT, places: ["b"], said: ASK }, conflict],
    [
      "a grant, and another content that is forbidden",
      { verdict: GRANT, contents: ["x"], said: DENY },
      { code: "PERMISSION_DENIED" },
    ],
    ["a person's yes, and another content", { approved: "same", contents: ["other"] }, conflict],
    ["a person's yes, and another place", { approved: "same", places: ["b"] }, conflict],
    ["a person's yes, and another place of what shows no changes", { ...AT_B, approved: "same" }, conflict],
    ["another place of what shows no changes, to be asked about", { ...AT_B, said: ASK }, conflict],
    ["another place, to be asked about, where what was seen is the same", { ...AT_B, said: ASK, seen: true }, conflict],
    ["a plan, and another content", { expected: "same", contents: ["other"] }, conflict],
    [
      "other code",
      { code: ["2"] },
      { code: "CONFLICT", message: expect.stringContaining("a.sh, which decides what would run") },
    ],
    [
      "it never stays where it is",
      { preview: false, places: ["b", "c", "d", "e"] },
      { code: "CONFLICT", message: expect.stringContaining("could not be settled") },
    ],
  ])("%s", async (_, given, ended) => {
    const { settled, locked } = await settling(given);
    expect(settled).toMatchObject(ended);
    expect(locked.length).toBeLessThanOrEqual(ROUNDS);
  });

  test.each<[holder: string, isHeld: boolean]>([
    ["another", true],
    ["session", false],
  ])("under a lock that %s holds", async (holder, isHeld) => {
    const { settled, locks } = await settling({ holder });
    if (!isHeld) return expect(settled.prepared.verdict).toEqual(ALLOW);
    expect(settled).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("locked") });
    expect(locks).toEqual([]);
  });

  test("what was seen and is the same is not previewed again", async () => {
    expect((await settling({ seen: true })).previews).toBe(0);
    expect((await settling()).previews).toBe(1);
  });

  test("previewed again, it sees as little as before", async () => {
    const { hidden } = await settling({ verdict: { ...ALLOW, exclude: ["secret"] }, contents: ["other"] });
    expect(hidden).toEqual([["secret"]]);
  });

  test("a yes stands, and what policies hide, count and note is what they say now", async () => {
    const now = { ...ASK, exclude: ["new"], reserve: [{ key: "k", limit: 1 }], notes: ["new"] };
    const { settled, trip } = await settling({ verdict: GRANT, contents: ["other"], said: now });
    expect(settled.prepared.verdict).toEqual({
      ...{ answer: "allow", by: "grant", reason: "before", exclude: ["new"], notes: ["new"] },
      reserve: [{ key: "k", limit: 1, by: "own" }],
    });
    expect(trip.known.verdict).toEqual(settled.prepared.verdict);
    const silent = await settling({ verdict: GRANT, contents: ["other"], said: ALLOW });
    expect(silent.settled.prepared.verdict).toStrictEqual({ answer: "allow", by: "grant", reason: "before" });
  });

  test("a tool without a preview changes nothing that could differ; a failed one is not tried again", async () => {
    const none = await settling({ preview: false });
    expect([none.settled.prepared.ready.changes, none.views]).toEqual([[], 0]);
    expect((await settling({ preview: false, places: ["b"] })).settled.prepared.ready.changes).toEqual([]);
    const { settled, judged } = await settling({ withheld: true, contents: ["other"] });
    expect([settled.prepared.ready.changes.length, judged]).toEqual([1, 0]);
  });
});
