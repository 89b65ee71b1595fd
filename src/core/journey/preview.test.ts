import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { bytes, type FileMap, placeOf, tripIn } from "../../../test/tripping.ts";
import type { Change } from "../contracts/workspace.ts";
import type { Proposal, Proposed } from "../words/tool.ts";
import type { Touch } from "../words/touch.ts";
import { preview, previewHolds, sameChanges, withReplaced } from "./preview.ts";

const change = (name: string, more: Partial<Change> = {}): Proposed => ({
  ...{ place: placeOf(name), before: bytes("old"), after: bytes("new"), modeBefore: 0o644 },
  ...more,
});

describe("whether all that a preview saw is still so", () => {
  const STAMP = { size: 3, mtimeMs: 1, ctimeMs: 1, ino: 1 };
  const old = bytes("old");
  type Seen = { sights?: object[]; changes?: Proposed[]; readJournal?: boolean; touches?: unknown[] };
  const holds = (
    files: FileMap,
    { sights = [], changes = [], readJournal = false, touches = [at("write", "a")] }: Seen,
    moved = false,
  ) => {
    const locate = (name: string) => (moved ? { ...placeOf(name), real: "/ws/else" } : placeOf(name));
    const trip = tripIn({ files, workspace: { locate } });
    const look = { view: { sights }, readJournal } as never;
    return previewHolds(trip, { ready: { touches, changes } as never, verdict: {} as never, look });
  };
  const now = (text?: string): FileMap => new Map(text === undefined ? [] : [["a", { text }]]);
  const sight = (text: string | null, name = "a") => ({
    place: placeOf(name),
    bytes: text === null ? null : bytes(text),
  });
  test.each<[what: string, files: FileMap, seen: Seen, moved: boolean, isSo: boolean]>([
    ["it saw nothing", now(), {}, false, true],
    ["it read the journal", now(), { readJournal: true }, false, false],
    ["a file is the same", now("old"), { sights: [sight("old")] }, false, true],
    [
      "a file is the same, beside a command",
      now("old"),
      { sights: [sight("old")], touches: [{ action: "run", command: "x", class: "dev", inner: [] }, at("write", "a")] },
      false,
      true,
    ],
    ["a file differs", now("new"), { sights: [sight("old")] }, false, false],
    ["a file is gone", now(), { sights: [sight("old")] }, false, false],
    ["a file is still missing", now(), { sights: [sight(null)] }, false, true],
    ["a file has come", now("old"), { sights: [sight(null)] }, false, false],
    ["it was not read whole", now("old"), { sights: [{ place: placeOf("a") }] }, false, false],
    ["one that the call does not name", now("old"), { sights: [sight("old")], touches: [] }, false, true],
    ["one that leads elsewhere now", now("old"), { sights: [sight("old")], touches: [] }, true, false],
    ["one that it names is placed again elsewhere", now("old"), { sights: [sight("old")] }, true, true],
    ["what would be replaced unread is the same", now("old"), { changes: [change("a")] }, false, true],
    ["what would be replaced unread differs", now("new"), { changes: [change("a")] }, false, false],
    [
      "of what is replaced the stamp is enough",
      now("abc"),
      { sights: [{ ...sight("old"), bytes: old, stamp: STAMP }], changes: [change("a", { before: old })] },
      false,
      true,
    ],
    [
      "another stamp",
      now("abcd"),
      { sights: [{ ...sight("old"), bytes: old, stamp: STAMP }], changes: [change("a", { before: old })] },
      false,
      false,
    ],
    [
      "its file is gone",
      now(),
      { sights: [{ ...sight("old"), bytes: old, stamp: STAMP }], changes: [change("a", { before: old })] },
      false,
      false,
    ],
    [
      "of what is only read the stamp is not enough",
      now("abc"),
      { sights: [{ ...sight("old"), bytes: old, stamp: STAMP }] },
      false,
      false,
    ],
  ])("%s", async (_, files, seen, moved, isSo) => {
    expect(await holds(files, seen, moved)).toBe(isSo);
  });

  test("without a look nothing is known", async () => {
    expect(await previewHolds(tripIn(), { ready: { touches: [], changes: [] } as never, verdict: {} as never })).toBe(
      false,
    );
  });

  test.each<[what: string, other: Proposed[], isSame: boolean]>([
    ["the same", [change("a")], true],
    ["none", [], false],
    ["one more", [change("a"), change("b")], false],
    ["another file", [change("b")], false],
    ["another mode", [change("a", { mode: 0o600 })], false],
    ["other content before", [change("a", { before: bytes("x") })], false],
    ["other content after", [change("a", { after: bytes("x") })], false],
  ])("two lists of changes: %s", (_, other, isSame) => {
    const { equal } = tripIn().station.parts;
    expect(sameChanges([change("a")], other, equal)).toBe(isSame);
    expect(sameChanges(other, [change("a")], equal)).toBe(isSame);
    expect(sameChanges([change("z"), change("a")], [change("z"), ...other], equal)).toBe(isSame);
  });
});

test("the files that a command would write for certain, as they are", async () => {
  const files: FileMap = new Map([
    ["a", { text: "old" }],
    ["dir", { text: "", kind: "folder" as const }],
  ]);
  const trip = tripIn({ files });
  const there = (name: string, more: object) => at("write", name, { place: { ...placeOf(name), ...more } });
  const touches = [
    at("write", "a"),
    at("read", "a"),
    at("write", "a", { certain: false }),
    at("write", "a", { scope: "*" }),
    ...[there("a", { exists: false }), there("a", { root: "" }), there("a", { link: true })],
    ...[at("write", "dir"), at("write", "gone")],
  ];
  const ready = { touches } as never;
  expect((await withReplaced(trip, ready)).replaces).toMatchObject([{ place: placeOf("a") }]);
  expect(trip.known.ready?.replaces).toHaveLength(1);
  const none = { touches: [at("read", "a")] } as never;
  expect(await withReplaced(trip, none)).toBe(none);
});

describe("what a tool would change", () => {
  type Seen = { place: ReturnType<typeof placeOf>; bytes?: Uint8Array | null };
  async function previewed(
    proposals: Proposal[] | undefined,
    touches: Touch[],
    files: FileMap = new Map(),
    sights: Seen[] = [],
  ) {
    const excluded: unknown[] = [];
    const view = { sights, close: () => {} };
    const guard = (_: unknown, __: unknown, { exclude }: { exclude?: unknown } = {}) => {
      excluded.push(exclude);
      return view;
    };
    const trip = tripIn({ files, parts: { guard: guard as never } });
    const tool = { name: "t", definition: proposals ? { preview: async () => proposals } : {} };
    const ready = { tool, input: {}, touches } as never;
    const { changes } = await preview(trip, ready, ["hidden"]);
    expect([excluded, trip.deeds.previews]).toEqual([[["hidden"]], [view]]);
    return changes;
  }
  const a: Proposal = { path: "a", after: bytes("new") };
  const writes = [at("write", "a")];
  const there = (text: string, mode = 0o644): FileMap => new Map([["a", { text, mode }]]);

  test.each<[what: string, proposal: Proposal, touches: Touch[], isDeclared: boolean]>([
    ["a write that was declared", a, writes, true],
    ["beside another touch of it", a, [at("read", "a"), ...writes], true],
    ["before another touch of it", a, [...writes, at("read", "a")], true],
    ["a file that was only to be read", a, [at("read", "a")], false],
    ["another file", a, [at("write", "b")], false],
    ["nothing was declared", a, [{ action: "unknown", permissions: ["write"] }], false],
    ["a removal of what was to be written", { ...a, after: null }, writes, false],
    ["a removal", { ...a, after: null }, [at("delete", "a")], true],
    ["a removal that gives back what was", { ...a, after: null }, [at("write", "a", { restores: true })], true],
    ["a write of what was to be removed", a, [at("delete", "a")], false],
  ])("%s", async (_, proposal, touches, isDeclared) => {
    const made = previewed([proposal], touches, there("old"));
    if (isDeclared) expect(await made).toHaveLength(1);
    else
      await expect(made).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("did not declare"),
      });
  });

  test("with what is there now: as the tool saw it first, else as it is", async () => {
    const sights = [
      { place: placeOf("a") },
      ...["seen", "later"].map((text) => ({ place: placeOf("a"), bytes: bytes(text) })),
    ];
    expect(await previewed([{ ...a, note: "n" }], writes, there("old", 0o600), sights)).toMatchObject([
      {
        place: placeOf("a"),
        before: bytes("seen"),
        after: bytes("new"),
        modeBefore: 0o600,
        stamp: { size: 3 },
        note: "n",
      },
    ]);
    const whole = { place: placeOf("a"), bytes: bytes("seen"), mode: 0o640, stamp: { size: 4 } as never };
    expect(await previewed([a], writes, there("changed since"), [whole])).toMatchObject([
      { before: bytes("seen"), modeBefore: 0o640, stamp: { size: 4 } },
    ]);
    expect(await previewed([a], writes, there("old"))).toMatchObject([{ before: bytes("old") }]);
    const [made] = await previewed([a], writes);
    expect(made).toMatchObject({ before: null });
    expect(made).not.toHaveProperty("modeBefore");
  });

  test.each<[what: string, proposal: Proposal, files: FileMap, isChange: boolean]>([
    ["the same content", { ...a, after: bytes("old") }, there("old"), false],
    ["the same content and mode", { ...a, after: bytes("old"), mode: 0o644 }, there("old"), false],
    ["another mode alone", { ...a, after: bytes("old"), mode: 0o755 }, there("old"), true],
    ["another content and the same mode", { ...a, mode: 0o644 }, there("old"), true],
    ["an empty file where there is none", { ...a, after: bytes("") }, new Map(), true],
  ])("%s", async (_, proposal, files, isChange) => {
    expect(await previewed([proposal], writes, files)).toHaveLength(isChange ? 1 : 0);
  });

  test("a tool without a preview changes nothing that is known", async () => {
    expect(await previewed(undefined, writes)).toEqual([]);
  });
});
