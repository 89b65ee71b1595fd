import { expect, test } from "vitest";
import { callRecord } from "../../../test/contracts/store-samples.ts";
import { memoryStore } from "../../stores/memory.ts";
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

test("remembers how files were last seen, and forgets those that were seen longest ago", () => {
  const session = new Session("s");
  for (let n = 0; n < 10_000; n++) session.noteRead(`/f${n}`, stamp(n));
  session.noteRead("/f0", stamp(77));
  expect([session.seen("/f0")?.size, session.seen("/f1")?.size]).toEqual([77, 1]);
  session.noteRead("/one more", stamp(1));
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
