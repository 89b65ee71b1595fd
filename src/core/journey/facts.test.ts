import { expect, test } from "vitest";
import type { Status } from "../words/result.ts";
import { SessionFacts } from "./facts.ts";

const stamp = (size: number) => ({ size, mtimeMs: 0, ctimeMs: 0, ino: 0 });

test("counts every call that ended, and as changes those that were done and changed something", () => {
  const facts = new SessionFacts({ mode: "yolo" });
  const ends: [Status, changed: boolean][] = [
    ["done", true],
    ["done", false],
    ["failed", true],
    ["refused", false],
    ["cancelled", true],
  ];
  for (const [status, changed] of ends) facts.noteEnd(status, changed);
  expect([facts.calls, facts.changes]).toEqual([5, 1]);
});

test("remembers how files were last seen, and forgets those that were seen longest ago", () => {
  const facts = new SessionFacts({ mode: "yolo" });
  for (let n = 0; n < 10_000; n++) facts.noteRead(`/f${n}`, stamp(n));
  facts.noteRead("/f0", stamp(77));
  expect([facts.seen("/f0")?.size, facts.seen("/f1")?.size]).toEqual([77, 1]);
  facts.noteRead("/one more", stamp(1));
  expect([facts.seen("/f0")?.size, facts.seen("/f1"), facts.seen("/f2")?.size]).toEqual([77, undefined, 2]);
});

test("of what was looked at, only what has a stamp was seen", () => {
  const facts = new SessionFacts({ mode: "yolo" });
  const place = (real: string) => ({ shown: real, real, root: "/", exists: true });
  facts.noteSights([
    { place: place("/a"), stamp: stamp(3) },
    { place: place("/b"), bytes: null },
  ]);
  expect([facts.seen("/a")?.size, facts.seen("/b")]).toEqual([3, undefined]);
});
