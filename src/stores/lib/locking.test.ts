import { describe, expect, test } from "vitest";
import type { Held, Holder } from "../../core/contracts/store/locks.ts";
import { aheadOf, claimsOf, decide, heldOf, standsInLine, timerOf } from "./locking.ts";

type Lock = Held & { dead?: boolean };
const lock = (path: string, token = "other", call = `call of ${token}`, dead = false): Lock => ({
  ...{ path, token, call, since: 1 },
  ...(dead && { dead }),
});
const me: Holder = { token: "me", call: "mine", ancestors: ["parent", "grandparent"] };
const decided = (paths: string[], existing: Lock[], holder = me) => {
  const decision = decide(paths, holder, existing, (each) => each.dead === true);
  return "held" in decision
    ? `held ${decision.held.path}`
    : { take: decision.take, dead: decision.dead.map(({ path }) => path) };
};

describe("taking paths beside locks that exist", () => {
  test.each<[path: string, held: string, meet: boolean]>([
    ["/a", "/a", true],
    ["/a", "/b", false],
    ["/a/b", "/a", false],
    ["/a/b", "/a/**", true],
    ["/a", "/a/**", true],
    ["/ab", "/a/**", false],
    ["/a/**", "/a/b", true],
    ["/a/**", "/a", true],
    ["/a/**", "/ab", false],
    ["/a/**", "/a/b/**", true],
    ["/a/b/**", "/a/**", true],
    ["/a/**", "/b/**", false],
    ["/**", "/a", true],
    ["/a", "/**", true],
    ["C:\\a\\b", "C:\\a/**", true],
    ["C:\\ab", "C:\\a/**", false],
  ])("%s beside %s of another: in the way is %s", (path, held, meet) =>
    expect(decided([path], [lock(held)])).toEqual(meet ? `held ${held}` : { take: [path], dead: [] }),
  );

  test("one of several paths is enough, and then none is taken", () =>
    expect(decided(["/a", "/b"], [lock("/b")])).toBe("held /b"));

  test("one's own lock is not taken again, and covers what lies below it", () => {
    expect(decided(["/a/b", "/c"], [lock("/a/**", "me")])).toEqual({ take: ["/c"], dead: [] });
    expect(decided(["/a/**"], [lock("/a/b", "me")])).toEqual({ take: ["/a/**"], dead: [] });
    expect(decided(["/a/**"], [lock("/a/b", "me"), lock("/a/c")])).toBe("held /a/c");
    expect(decided(["/a"], [lock("/a", "me"), lock("/a", "child")])).toEqual({ take: [], dead: [] });
  });

  test("those of the calls above are passed, and a lock is taken beside them", () => {
    for (const call of me.ancestors)
      expect(decided(["/a"], [lock("/a", "up", call)])).toEqual({ take: ["/a"], dead: [] });
    expect(decided(["/a"], [lock("/a", "up", "parent"), lock("/a", "sibling")])).toBe("held /a");
    expect(decided(["/a"], [lock("/a", "up", "mine")])).toBe("held /a");
  });

  test("those of the dead are taken over, also one's own from an earlier life", () => {
    expect(decided(["/a"], [lock("/a", "other", "x", true)])).toEqual({ take: ["/a"], dead: ["/a"] });
    expect(decided(["/a"], [lock("/a", "me", "x", true)])).toEqual({ take: ["/a"], dead: ["/a"] });
    expect(decided(["/b"], [lock("/a", "other", "x", true)])).toEqual({ take: ["/b"], dead: [] });
  });

  test("each path once, in an order that is the same for everybody", () =>
    expect(decided(["/b", "/a", "/b"], [])).toEqual({ take: ["/a", "/b"], dead: [] }));

  test("what is told of a lock is this and no more", () =>
    expect(heldOf(lock("/a", "t", "c", true))).toEqual({ path: "/a", token: "t", call: "c", since: 1 }));
});

describe("standing in line", () => {
  const claims = claimsOf(["/a", "/b/**"], { token: "first", call: "c", ancestors: [] }, 5);

  test("is behind whoever came first and wants the same", () => {
    expect(aheadOf(["/a"], me, claims)).toEqual({ path: "/a", token: "first", call: "c", since: 5 });
    expect(aheadOf(["/x", "/b/c"], me, claims)?.path).toBe("/b/**");
    expect(aheadOf(["/x"], me, claims)).toBeUndefined();
  });

  test("is not behind oneself, nor behind the calls above", () => {
    expect(aheadOf(["/a"], { ...me, token: "first" }, claims)).toBeUndefined();
    expect(aheadOf(["/a"], { ...me, ancestors: ["c"] }, claims)).toBeUndefined();
  });

  test("is not for who holds a lock already, or is below one that does", () => {
    expect(standsInLine(me, [])).toBe(true);
    expect(standsInLine(me, [lock("/x"), lock("/y")])).toBe(true);
    expect(standsInLine(me, [lock("/x"), lock("/y", "me")])).toBe(false);
    expect(standsInLine(me, [lock("/x"), lock("/y", "up", "parent")])).toBe(false);
  });

  test.each([
    [-5, 0],
    [0, 0],
    [7, 7],
    [2 ** 31, 2 ** 31 - 1],
    [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
  ])("a timer of %d ms is one of %d", (asked, timer) => expect(timerOf(asked)).toBe(timer));
});
