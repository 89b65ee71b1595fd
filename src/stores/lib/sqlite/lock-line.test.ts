import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Held, Holder } from "../../../core/contracts/store/locks.ts";
import type { Connection } from "../connection.ts";
import type { Claim } from "../locking.ts";
import { wake } from "../wakes.ts";
import { lockLine, type Ticketed } from "./lock-line.ts";

const FILE = "/store.db";
const PATHS = ["/a"];
const holderOf = (call: string): Holder => ({ token: call, call, ancestors: [] });
const heldBy = (call: string): Held => ({ path: "/a", token: call, call, since: 0 });
const inLine = (ticket: number, call: string): Ticketed => ({ ticket, claims: [heldBy(call) as Claim] });

/** One path: who holds it, who stands in line for it, how often it was looked at, and what came of that. */
const scene = {
  holder: undefined as string | undefined,
  line: [] as Ticketed[],
  looks: 0,
  deleted: [] as unknown[],
  /** What only shows inside the transaction. */
  inside: undefined as string | undefined,
  broken: undefined as Error | undefined,
  brokenOnce: undefined as Error | undefined,
};

const found = (claims: readonly Claim[], holder: Holder): Held | undefined => {
  if (scene.holder !== undefined && scene.holder !== holder.call) return heldBy(scene.holder);
  return claims[0] && heldBy(claims[0].call);
};

const connection = {
  sql: () => ({ run: (ticket: unknown) => void scene.deleted.push(ticket) }),
  transaction: <T>(work: () => T) => work(),
} as unknown as Connection;

const open = () => {
  const line = lockLine<string>(FILE, connection, {
    locks() {
      scene.looks += 1;
      if (scene.broken) throw scene.broken;
      return [];
    },
    waiting() {
      const failure = scene.broken ?? scene.brokenOnce;
      scene.brokenOnce = undefined;
      if (failure) throw failure;
      return [...scene.line];
    },
    inTheWay: (_, __, holder, claims) => found(claims, holder),
    take(_, holder, claims) {
      const held = scene.inside === undefined ? found(claims, holder) : heldBy(scene.inside);
      if (!held) scene.holder = holder.call;
      return held;
    },
  });
  onTestFinished(line.end);
  return line;
};

/** What became of one who waits. */
function waiting(line: ReturnType<typeof open>, call: string, ticket: number, ms = 60_000, signal?: AbortSignal) {
  const outcome: { told: unknown } = { told: "waits" };
  line.wait({ paths: PATHS, holder: holderOf(call), ticket }, ms, signal).then(
    (held) => Object.assign(outcome, { told: held ? `held by ${held.call}` : "has it" }),
    (error: Error) => Object.assign(outcome, { told: error.message }),
  );
  return outcome;
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  Object.assign(scene, { holder: "holder", line: [], looks: 0, deleted: [] });
  Object.assign(scene, { inside: undefined, broken: undefined, brokenOnce: undefined });
});
afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  expect(left, "nothing is left").toBe(0);
});

test("looks again after longer and longer pauses, and takes what has become free", async () => {
  const line = open();
  const one = waiting(line, "one", 1);
  const seen: number[] = [];
  for (let at = 1; at <= 64; at++) {
    const before = scene.looks;
    await pass(1);
    if (scene.looks > before) seen.push(at);
  }
  expect(seen).toEqual([1, 2, 4, 8, 16, 32, 48, 64]);
  expect([one.told, scene.deleted]).toEqual(["waits", []]);
  scene.holder = undefined;
  await pass(16);
  expect([one.told, scene.deleted, scene.holder]).toEqual(["has it", [1], "one"]);
});

test("what this process frees is heard of at once, and looked after often again", async () => {
  const line = open();
  const one = waiting(line, "one", 1);
  await pass(40);
  const before = scene.looks;
  line.wakeAll();
  expect(scene.looks).toBe(before + 1);
  await pass(3);
  expect(scene.looks, "after 1 and 2 more").toBe(before + 3);
  scene.holder = undefined;
  wake("/another.db");
  await pass(0);
  expect(one.told).toBe("waits");
  wake(FILE);
  await pass(0);
  expect(one.told).toBe("has it");
  const done = scene.looks;
  wake(FILE);
  expect(scene.looks, "who has it listens no more").toBe(done);
});

test("ends in its time, with what is in the way", async () => {
  const line = open();
  const one = waiting(line, "one", 1, 4);
  await pass(3);
  expect(one.told).toBe("waits");
  await pass(1);
  expect([one.told, scene.deleted]).toEqual(["held by holder", [1]]);
});

describe("those who came before", () => {
  test.each<[what: string, line: Ticketed[], told: string]>([
    ["nobody is known to wait", [], "has it"],
    ["only itself", [inLine(2, "one")], "has it"],
    ["itself and one behind", [inLine(2, "one"), inLine(3, "behind")], "has it"],
    ["one ahead", [inLine(1, "ahead"), inLine(2, "one")], "waits"],
  ])("%s: %s", async (_, line, told) => {
    Object.assign(scene, { holder: undefined, line });
    const waits = open();
    const one = waiting(waits, "one", 2);
    await pass(1);
    expect(one.told).toBe(told);
    waits.end();
  });

  test("are passed when they do not take what is free", async () => {
    Object.assign(scene, { holder: undefined, line: [inLine(1, "ahead"), inLine(2, "one")] });
    const one = waiting(open(), "one", 2);
    await pass(250);
    expect(one.told).toBe("waits");
    await pass(16);
    expect([one.told, scene.holder]).toEqual(["has it", "one"]);
  });

  test("are not passed while somebody holds it: the time counts from when it is free", async () => {
    Object.assign(scene, { holder: undefined, line: [inLine(1, "ahead"), inLine(2, "one")] });
    const one = waiting(open(), "one", 2);
    await pass(200);
    scene.holder = "ahead";
    await pass(100);
    scene.holder = undefined;
    await pass(240);
    expect(one.told).toBe("waits");
    await pass(40);
    expect(one.told).toBe("has it");
  });

  test("do not count when the time is over", async () => {
    Object.assign(scene, { holder: undefined, line: [inLine(1, "ahead"), inLine(2, "one")] });
    const one = waiting(open(), "one", 2, 4);
    await pass(4);
    expect(one.told).toBe("has it");
  });

  test("of this process are served first, and the next looks at what they took", async () => {
    const line = open();
    const [one, two] = [waiting(line, "one", 1), waiting(line, "two", 2)];
    scene.line = [inLine(1, "one"), inLine(2, "two")];
    scene.holder = undefined;
    await pass(1);
    expect([one.told, two.told, scene.holder]).toEqual(["has it", "waits", "one"]);
    scene.line = [inLine(2, "two")];
    scene.holder = undefined;
    await pass(2);
    expect(two.told).toBe("has it");
  });
});

test("one that another process was quicker to take goes on waiting", async () => {
  const line = open();
  const one = waiting(line, "one", 1);
  Object.assign(scene, { holder: undefined, inside: "quicker" });
  await pass(1);
  expect([one.told, scene.deleted]).toEqual(["waits", []]);
  scene.inside = undefined;
  await pass(2);
  expect([one.told, scene.deleted]).toEqual(["has it", [1]]);
});

describe("a signal", () => {
  const stopped = async (change: Partial<typeof scene>) => {
    const stop = new AbortController();
    const line = open();
    const one = waiting(line, "one", 2, 60_000, stop.signal);
    await pass(40);
    Object.assign(scene, change);
    stop.abort();
    await pass(0);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
    line.end();
    return one.told;
  };
  test.each<[what: string, change: Partial<typeof scene>, told: string]>([
    ["it is held", {}, "held by holder"],
    ["it is free", { holder: undefined }, "has it"],
    ["it is free, and one waits behind", { holder: undefined, line: [inLine(2, "one"), inLine(3, "x")] }, "has it"],
    ["it is free, and one waits ahead", { holder: undefined, line: [inLine(1, "ahead")] }, "held by ahead"],
    ["nothing can be read", { broken: new Error("no disk") }, "no disk"],
  ])("ends the waiting at once: %s", async (_, change, told) => {
    expect(await stopped(change)).toBe(told);
    expect(scene.deleted).toEqual(told === "no disk" ? [] : [2]);
  });

  test("lets the others look at once, and only them", async () => {
    const stop = new AbortController();
    const line = open();
    const one = waiting(line, "one", 1, 60_000, stop.signal);
    const two = waiting(line, "two", 2);
    await pass(40);
    const before = scene.looks;
    scene.holder = "one";
    stop.abort();
    expect(scene.looks).toBe(before + 1);
    await pass(0);
    expect([one.told, two.told]).toEqual(["has it", "waits"]);
    scene.holder = undefined;
    wake(FILE);
    await pass(0);
    expect([two.told, scene.deleted]).toEqual(["has it", [1, 2]]);
  });

  test("that cannot be followed for once breaks off one, who takes nothing later, and no other", async () => {
    const stop = new AbortController();
    const line = open();
    const one = waiting(line, "one", 1, 60_000, stop.signal);
    const two = waiting(line, "two", 2);
    await pass(40);
    scene.brokenOnce = new Error("no disk");
    stop.abort();
    await pass(0);
    expect([one.told, two.told]).toEqual(["no disk", "waits"]);
    scene.holder = undefined;
    await pass(16);
    expect([two.told, scene.holder, scene.deleted]).toEqual(["has it", "two", [2]]);
  });

  test("that comes after the end takes nothing", async () => {
    const stop = new AbortController();
    const line = open();
    const one = waiting(line, "one", 1, 60_000, stop.signal);
    scene.holder = undefined;
    await pass(1);
    expect(one.told).toBe("has it");
    scene.holder = undefined;
    stop.abort();
    await pass(100);
    expect([scene.holder, scene.deleted]).toEqual([undefined, [1]]);
  });
});

test("when nothing can be read any more all are told so, and none waits on", async () => {
  const stop = new AbortController();
  const line = open();
  const all = [waiting(line, "one", 1, 60_000, stop.signal), waiting(line, "two", 2)];
  scene.broken = new Error("no disk");
  await pass(1);
  expect(all.map(({ told }) => told)).toEqual(["no disk", "no disk"]);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  const before = scene.looks;
  scene.broken = undefined;
  wake(FILE);
  expect(scene.looks).toBe(before);
  const next = waiting(line, "three", 3);
  scene.holder = undefined;
  await pass(1);
  expect(next.told, "the line goes on").toBe("has it");
});

test("ends with its store, and hears of nothing more", async () => {
  const line = open();
  const all = [waiting(line, "one", 1), waiting(line, "two", 2)];
  await pass(1);
  line.end();
  await pass(0);
  expect(all.map(({ told }) => told)).toEqual(["The store is closed.", "The store is closed."]);
  const before = scene.looks;
  wake(FILE);
  await pass(1000);
  expect(scene.looks).toBe(before);
});
