import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Clock } from "../contracts/clock.ts";
import type { Store } from "../contracts/store/store.ts";
import type { Permission, Touch } from "../words/touch.ts";
import { cancelled } from "./life.ts";
import { allBelow, lockPaths, takeLocks } from "./path-locks.ts";

const run = (more: object = {}): Touch => ({ action: "run", command: "x", class: "dev", inner: [], ...more });
const unknown = (...permissions: Permission[]): Touch => ({ action: "unknown", permissions });

describe("what must not change under a call", () => {
  const everything = ["/other/**", "/ws/**"];
  test.each<[what: string, touches: Touch[], paths: string[]]>([
    ["nothing is touched", [], []],
    ["what is read and listed may change", [at("read", "a"), at("list", "b")], []],
    ["a file that is written", [at("write", "a")], ["/ws/a"]],
    ["a file that is removed", [at("delete", "a")], ["/ws/a"]],
    ["each of them once, in one order", [at("write", "b"), at("delete", "a"), at("write", "a")], ["/ws/a", "/ws/b"]],
    ["all below a folder", [at("write", "sub", { scope: "*.md" })], ["/ws/sub/**"]],
    ["all below the root of the machine", [at("delete", "/x", { place: { real: "/" }, scope: "**" })], ["/**"]],
    ["a command may write anywhere", [run()], everything],
    ["a command that names what it writes, too", [run({ inner: [at("write", "a")] })], everything],
    ["one that only reads may not", [run({ class: "safe", inner: [at("read", "a")] })], []],
    ["one that is called safe, and writes", [run({ class: "safe", inner: [at("write", "a")] })], everything],
    ["one that is called safe, and held by nothing", [run({ class: "safe", exposed: "why" })], everything],
    ["what is known to write, and nobody knows where", [unknown("write")], everything],
    ["what runs anything", [unknown("read", "execute")], everything],
    ["what reads and asks the network", [unknown("read", "network")], []],
    ["an address", [{ action: "fetch", url: "http://x/", method: "POST" }], []],
    [
      "something else",
      [
        { action: "remember", target: "a" },
        { action: "use", source: "mcp", name: "a" },
      ],
      [],
    ],
    ["a file and a command", [at("write", "a"), run()], ["/other/**", "/ws/**", "/ws/a"]],
  ])("%s", (_, touches, paths) => expect(lockPaths(touches, ["/ws", "/other"])).toEqual(paths));

  test("a folder and all below", () => expect(["/", "/a"].map(allBelow)).toEqual(["/**", "/a/**"]));
});

describe("taking the locks", () => {
  const holder = { token: "t", call: "other", ancestors: [] };
  const pauses: number[] = [];
  const clock: Clock = {
    ...{ now: () => 0, ticks: () => 0 },
    after(milliseconds, run) {
      pauses.push(milliseconds);
      setImmediate(run);
      return () => {};
    },
  };
  function world(store: Partial<Store> = {}) {
    const inner = memoryStore();
    pauses.length = 0;
    const trip = tripIn({ parts: { store: { ...inner, ...store }, clock } });
    return { trip, inner, locks: async () => (await inner.locks()).map(({ path }) => path) };
  }

  test("they are there until they are freed", async () => {
    const { trip, locks } = world();
    const free = await takeLocks(trip, ["/ws/a", "/ws/b"]);
    expect(await locks()).toEqual(["/ws/a", "/ws/b"]);
    await free();
    expect(await locks()).toEqual([]);
  });

  test("a stopped call takes none", async () => {
    const { trip, locks } = world();
    trip.life.stop(cancelled("stopped"));
    await expect(takeLocks(trip, ["/ws/a"])).rejects.toThrow("stopped");
    expect(await locks()).toEqual([]);
  });

  test("one that another holds is waited for, a while", async () => {
    const waited: unknown[] = [];
    const { trip, inner } = world({
      lock: async (paths, by, patience) => {
        waited.push(patience?.milliseconds);
        expect(patience === undefined || patience.signal === trip.life.signal).toBe(true);
        return patience ? undefined : inner.lock(paths, by);
      },
    });
    await inner.lock(["/ws/a"], holder);
    await takeLocks(trip, ["/ws/a"]);
    expect(waited).toEqual([undefined, 30_000]);
  });

  test("one that stays is a conflict that says who holds it; a call that was stopped meanwhile was stopped", async () => {
    const held = { path: "/ws/a", call: "other" };
    const { trip } = world({ lock: async () => held as never });
    await expect(takeLocks(trip, ["/ws/a"])).rejects.toMatchObject({
      ...{ status: "failed", code: "CONFLICT" },
      message: "/ws/a is being changed by another call (other), which has held it for more than 30 s.",
    });
    const stopped = world({
      lock: async (_, __, patience) => {
        if (patience) stopped.trip.life.stop(cancelled("stopped"));
        return held as never;
      },
    });
    await expect(takeLocks(stopped.trip, ["/ws/a"])).rejects.toThrow("stopped");
  });

  test("a store whose answer was lost may have taken them all the same", async () => {
    const { trip, inner, locks } = world({
      lock: async (paths, by) => {
        await inner.lock(paths, by);
        throw new Error("no answer");
      },
    });
    await expect(takeLocks(trip, ["/ws/a"])).rejects.toThrow("no answer");
    expect(await locks()).toEqual([]);
  });

  test.each<[failures: number, isFree: boolean, waits: number[]]>([
    [0, true, []],
    [2, true, [5, 50]],
    [3, true, [5, 50, 500]],
    [4, false, [5, 50, 500]],
  ])("a store that fails %i times to free them: %s", async (failures, isFree, waits) => {
    let left = failures;
    const { trip, inner, locks } = world({
      unlock: (token) => (left-- > 0 ? Promise.reject(new Error("busy")) : inner.unlock(token)),
    });
    await (await takeLocks(trip, ["/ws/a"]))();
    expect([(await locks()).length === 0, pauses]).toEqual([isFree, waits]);
  });
});
