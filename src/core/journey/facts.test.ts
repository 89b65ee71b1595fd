import { describe, expect, test } from "vitest";
import { callRecord } from "../../../test/contracts/store-samples.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Seen } from "../contracts/store/records.ts";
import type { Status } from "../words/result.ts";
import { Session, Sessions } from "./facts.ts";

const stamp = (size: number) => ({ size, mtimeMs: 0, ctimeMs: 0, ino: 0 });

test("counts every call that ended, and as changes those that were done and changed something", () => {
  const session = new Session("s");
  const ends: [Status, changed: boolean][] = [
    ["done", true],
    ["done", false],
    ["failed", true],
    ["refused", false],
    ["cancelled", true],
  ];
  for (const [status, changed] of ends) session.noteEnd({ ...callRecord("1"), status, changed });
  expect([session.calls, session.changes]).toEqual([5, 1]);
});

describe("what of a file was seen", () => {
  const part = (first: number, last: number, of: number | undefined = 10): Seen => ({
    real: "/f",
    stamp: stamp(1),
    parts: [{ first, last, of }],
  });
  const ALL = undefined;
  test.each<[what: string, seen: Seen[], inPart: [number, number][] | undefined]>([
    ["all", [{ real: "/f", stamp: stamp(1) }], ALL],
    ["a part", [part(1, 5)], [[1, 5]]],
    ["none of it", [part(1, 0)], []],
    [
      "two parts",
      [part(7, 8), part(1, 2)],
      [
        [1, 2],
        [7, 8],
      ],
    ],
    ["parts that meet", [part(3, 5), part(1, 2)], [[1, 5]]],
    ["parts that overlap", [part(1, 5), part(2, 3)], [[1, 5]]],
    ["parts that are all", [part(6, 10), part(1, 5)], ALL],
    [
      "parts that are all, told at once",
      [{ ...part(1, 5), parts: [part(1, 5), part(6, 10)].flatMap((each) => each.parts!) }],
      ALL,
    ],
    ["a part after all", [{ real: "/f", stamp: stamp(1) }, part(1, 2)], ALL],
    ["none of it after all", [{ real: "/f", stamp: stamp(1) }, part(1, 0)], ALL],
    ["a part of another version", [part(6, 10), { ...part(1, 5), stamp: stamp(2) }], [[1, 5]]],
    ["all of another version", [part(6, 10), { real: "/f", stamp: stamp(2) }], ALL],
  ])("%s", (_, seen, inPart) => {
    const session = new Session("s");
    for (const each of seen) session.noteRead(each);
    const found = session.seen("/f");
    expect(found?.size).toBe(seen.at(-1)?.stamp.size);
    expect(found?.inPart?.map(({ first, last }) => [first, last])).toEqual(inPart);
  });
});

test("remembers how files were last seen, and forgets those that were seen longest ago", () => {
  const session = new Session("s");
  for (let n = 0; n < 10_000; n++) session.noteRead({ real: `/f${n}`, stamp: stamp(n) });
  session.noteRead({ real: "/f0", stamp: stamp(77) });
  expect([session.seen("/f0")?.size, session.seen("/f1")?.size]).toEqual([77, 1]);
  session.noteRead({ real: "/one more", stamp: stamp(1) });
  expect([session.seen("/f0")?.size, session.seen("/f1"), session.seen("/f2")?.size]).toEqual([77, undefined, 2]);
});

test("answers are told apart by what the record keeps of them, and by their text where it keeps nothing", () => {
  const session = new Session("s");
  session.noteEnd({ ...callRecord("1"), answer: "digest" }, "text");
  session.noteEnd({ ...callRecord("2"), answer: "digest" });
  session.noteEnd({ ...callRecord("3"), input: {} }, "text");
  session.noteEnd({ ...callRecord("4"), input: [] });
  expect(session.recent.map(({ answer, times }) => [answer, times])).toEqual([
    ["digest", 2],
    ["text", 1],
    [undefined, 1],
  ]);
});

test("a session that somebody named knows what others recorded for it, once, and its own calls once", async () => {
  const store = memoryStore();
  const sessions = new Sessions(store);
  const seen = [{ real: "/a", stamp: stamp(3) }];
  await store.record([{ ...callRecord("1"), id: "theirs", session: "s", status: "done", changed: true, seen }]);
  const session = sessions.named("s");
  expect(sessions.named("s")).toBe(session);
  await session.refresh();
  await session.refresh();
  expect([session.calls, session.changes, session.seen("/a")?.size]).toEqual([1, 1, 3]);
  const own = { ...callRecord("2"), id: "ours", session: "s" };
  session.noteEnd(own);
  await store.record([own, { ...callRecord("3"), session: "another" }]);
  await session.refresh();
  expect(session.calls).toBe(2);
});
