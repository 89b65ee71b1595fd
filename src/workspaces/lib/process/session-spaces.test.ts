import { describe, expect, test, vi } from "vitest";
import type { SessionSpace } from "./session-space.ts";
import { SessionSpaces } from "./session-spaces.ts";

/** Spaces that are nothing but numbers, and which of them were closed. */
function counted(fails: (number: number) => boolean = () => false) {
  const closed: number[] = [];
  let made = 0;
  const open = vi.fn(async () => {
    const number = made++;
    if (fails(number)) return undefined;
    return { number, close: () => closed.push(number) } as unknown as SessionSpace;
  });
  return { spaces: new SessionSpaces(open), open, closed };
}

describe("the spaces of sessions", () => {
  test("one for each session, made once, also if several ask at the same time", async () => {
    const { spaces, open } = counted();
    const lent = await Promise.all(["a", "a", "b", "a"].map((session) => spaces.lend(session, true)));
    expect(lent.map((each) => each?.space)).toMatchObject([0, 0, 1, 0].map((number) => ({ number })));
    expect(open).toHaveBeenCalledTimes(2);
  });

  test("none is made for who only looks", async () => {
    const { spaces, open } = counted();
    expect(await spaces.lend("a", false)).toBeUndefined();
    expect(open).not.toHaveBeenCalled();
    const made = await spaces.lend("a", true);
    expect((await spaces.lend("a", false))?.space).toBe(made?.space);
  });

  test("where none can be made, it is tried twice and no more", async () => {
    const { spaces, open } = counted(() => true);
    for (let turn = 0; turn < 5; turn++) expect(await spaces.lend("a", true)).toBeUndefined();
    expect(open).toHaveBeenCalledTimes(2);
    const late = counted((number) => number === 0);
    expect(await late.spaces.lend("a", true)).toBeUndefined();
    expect(await late.spaces.lend("a", true)).toBeDefined();
  });

  test("one that cannot be opened for a reason is none, and nobody is the worse for it", async () => {
    const spaces = new SessionSpaces(() => Promise.reject(new Error("no files left")));
    expect(await spaces.lend("a", true)).toBeUndefined();
  });

  test("of those that nobody uses the last 32 stay; those in use stay as well", async () => {
    const { spaces, closed } = counted();
    const busy = await spaces.lend("busy", true);
    for (let n = 0; n < 34; n++) (await spaces.lend(`s${n}`, true))?.release();
    await Promise.resolve();
    expect(closed).toEqual([1, 2]);
    busy?.release();
    expect((await spaces.lend("busy", false))?.space).toBe(busy?.space);
    expect(await spaces.lend("s0", false)).toBeUndefined();
  });

  test("a session that is over keeps its own until the last command has ended, and giving back twice counts once", async () => {
    const { spaces, closed } = counted();
    const [one, two] = [await spaces.lend("a", true), await spaces.lend("a", true)];
    spaces.forget("a");
    one?.release();
    one?.release();
    await Promise.resolve();
    expect(closed).toEqual([]);
    two?.release();
    await Promise.resolve();
    expect(closed).toEqual([0]);
    spaces.forget("unknown");
  });

  test("given up: no more are made", async () => {
    const { spaces, open } = counted();
    (await spaces.lend("a", true))?.release();
    spaces.giveUp("a");
    expect([await spaces.lend("a", true), await spaces.lend("b", true)]).toEqual([undefined, undefined]);
    expect(open).toHaveBeenCalledTimes(1);
  });

  test("closed, all are closed", async () => {
    const { spaces, closed } = counted();
    for (const session of ["a", "b"]) await spaces.lend(session, true);
    await spaces.close();
    expect(closed).toEqual([0, 1]);
  });

  test("the one that was used last goes last", async () => {
    const { spaces, closed } = counted();
    for (let n = 0; n < 32; n++) (await spaces.lend(`s${n}`, true))?.release();
    (await spaces.lend("s0", true))?.release();
    (await spaces.lend("new", true))?.release();
    await Promise.resolve();
    expect(closed).toEqual([1]);
    // also while it is still in use
    const used = await spaces.lend("s2", false);
    (await spaces.lend("newer", true))?.release();
    used?.release();
    await Promise.resolve();
    expect(closed).toEqual([1, 3]);
  });

  test("closed, none is given any more, and what is given back then stays away", async () => {
    const { spaces, closed } = counted();
    const lent = await spaces.lend("a", true);
    await spaces.close();
    lent?.release();
    expect(await spaces.lend("a", false)).toBeUndefined();
    expect(closed).toEqual([0]);
  });
});
