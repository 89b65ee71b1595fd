import { describe, expect, test } from "vitest";
import { factsUnder, ready } from "../../test/judging.ts";
import type { Stamp } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import { type WriteSafety, writeSafety } from "./write-safety.ts";

const THEN: Stamp = { size: 3, mtimeMs: 1, ctimeMs: 1, ino: 7 };
const place = (shown: string) => ({ shown, real: `/ws/${shown}`, root: "/ws", exists: true });
const bytes = new TextEncoder().encode("x");
const changed = (shown: string, more: object = {}): Partial<Ready> => ({
  changes: [{ place: place(shown), before: bytes, after: bytes, stamp: THEN, ...more }],
});

const judge = (setting: WriteSafety, call: Partial<Ready>) => {
  const facts = factsUnder({ mode: "yolo" });
  facts.session.noteRead({ real: "/ws/read.ts", stamp: THEN });
  facts.session.noteRead({ real: "/ws/stale.ts", stamp: { ...THEN, mtimeMs: 0 } });
  const part = { first: 1, last: 5, of: 9 };
  facts.session.noteRead({ real: "/ws/part.ts", stamp: THEN, parts: [part] });
  facts.session.noteRead({ real: "/ws/glance.ts", stamp: THEN, parts: [] });
  return writeSafety(setting, "describe").judge({ ...ready({}), ...call }, facts);
};

describe("a change of a file", () => {
  test.each<[what: string, call: Partial<Ready>, why: string | undefined]>([
    ["that was read", changed("read.ts"), undefined],
    ["that was not read", changed("other.ts"), "other.ts was not read in this session"],
    ["that changed since", changed("stale.ts"), "stale.ts has changed since it was read"],
    ["that is new", changed("other.ts", { before: null, stamp: undefined }), undefined],
    ["that is removed unread", changed("other.ts", { after: null }), "other.ts was not read in this session"],
    ["that is given back as it was", changed("other.ts", { undoes: [1] }), undefined],
    ["that is done again as it was", changed("other.ts", { redoes: [1] }), undefined],
    ["that was read, and nobody knows how it is now", changed("read.ts", { stamp: undefined }), undefined],
    [
      "by a command, unread",
      { replaces: [{ place: place("other.ts"), stamp: THEN }] },
      "other.ts was not read in this session",
    ],
    [
      "by a command, stale",
      { replaces: [{ place: place("stale.ts"), stamp: THEN }] },
      "stale.ts has changed since it was read",
    ],
    ["by a command, read", { replaces: [{ place: place("read.ts"), stamp: THEN }] }, undefined],
    ["that was read in part", changed("part.ts"), undefined],
    [
      "that was read in part, written anew",
      changed("part.ts", { whole: true }),
      "part.ts was read only in part in this session",
    ],
    [
      "that was read in part, removed",
      changed("part.ts", { after: null }),
      "part.ts was read only in part in this session",
    ],
    ["that was read, written anew", changed("read.ts", { whole: true }), undefined],
    ["of which no line was shown whole", changed("glance.ts"), undefined],
    [
      "of which no line was shown whole, written anew",
      changed("glance.ts", { whole: true }),
      "glance.ts was read only in part in this session",
    ],
    [
      "by a command, read in part",
      { replaces: [{ place: place("part.ts"), stamp: THEN }] },
      "part.ts was read only in part in this session",
    ],
    ["that is none", {}, undefined],
  ])("%s", (_, call, why) => {
    expect(judge("off", call)).toBeUndefined();
    const strict = judge("strict", call);
    const warned = judge("warn", call);
    expect(warned?.answer).toBeUndefined();
    if (why === undefined) {
      expect([strict, warned]).toEqual([undefined, undefined]);
      return;
    }
    expect(strict).toMatchObject({
      answer: "deny",
      reason: why,
      next: `Read ${why.split(" ")[0]} first, then edit it.`,
    });
    expect(warned?.notes).toEqual([`[${why} before this call changed it.]`]);
  });
});

test("the hint for what is not text names the tool that describes it", () => {
  const binary = changed("other.bin", { before: new Uint8Array([0, 1, 2, 0]) });
  expect(judge("strict", binary)).toMatchObject({
    reason: "other.bin was not read in this session",
    next: "other.bin is not text: look at it with describe first.",
  });
});
