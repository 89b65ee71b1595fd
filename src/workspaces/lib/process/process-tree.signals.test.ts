import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { askToEnd, type Family, killAll, killOnce, wordsOfLiving } from "./process-tree.ts";

type Row = {
  parent?: number;
  group?: number;
  session?: number;
  state?: string;
  environ?: string | null;
  words?: string;
};

/** The processes that /proc shows, by number; signals are noted and reach nobody. */
let world: Map<number, Row>;
let signals: string[];
let looks: number;
/** What a signal does to the world. */
let deed: (pid: number, name: string) => void;

const statOf = (pid: number, { parent = 1, group = pid, session = pid, state = "S" }: Row): string =>
  `${pid} (a) Z (b) ${state} ${parent} ${group} ${session} 0 -1\n`;

beforeEach(() => {
  [world, signals, looks, deed] = [new Map(), [], 0, () => {}];
  const { readdirSync, readFileSync } = fs;
  vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) => {
    if (folder !== "/proc") return readdirSync(folder, ...more);
    looks += 1;
    return ["self", "net", "1.5", ...[...world.keys()].map(String), "99999"];
  }) as typeof fs.readdirSync);
  vi.spyOn(fs, "readFileSync").mockImplementation(((file: string, ...more: never[]) => {
    const [, pid, name] = /^\/proc\/(\d+)\/(stat|environ|cmdline)$/.exec(String(file)) ?? [];
    if (pid === undefined) return readFileSync(file, ...more);
    const row = world.get(Number(pid));
    if (!row || (name === "environ" && row.environ === null))
      throw Object.assign(new Error("gone"), { code: "ENOENT" });
    return name === "stat" ? statOf(Number(pid), row) : name === "environ" ? (row.environ ?? "") : (row.words ?? "");
  }) as typeof fs.readFileSync);
  vi.spyOn(process, "kill").mockImplementation((pid, name) => {
    signals.push(`${name} ${pid}`);
    const group = [...world.values()].some((row) => row.group === -pid) || world.has(-pid);
    if (pid < 0 ? !group : !world.has(pid)) throw Object.assign(new Error("ESRCH"), { code: "ESRCH" });
    deed(pid, String(name));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const family = (leader: number, leaderLives = true, mark = "none."): Family => ({ leader, leaderLives, mark });
const at = (rows: Record<number, Row>) => {
  world = new Map(Object.entries(rows).map(([pid, row]) => [Number(pid), row]));
};
/** Whom a killing reaches. */
const killed = () => signals.filter((each) => /^SIGKILL \d/.test(each)).map((each) => Number(each.slice(8)));

describe("who belongs to a command", () => {
  test.each<[what: string, rows: Record<number, Row>, families: Family[], found: number[]]>([
    ["its leader", { 10: {}, 20: {} }, [family(10)], [10]],
    ["its leader, whatever its group is by now", { 10: { group: 5, session: 5 } }, [family(10)], [10]],
    ["nobody whose environment is not shown", { 20: { environ: null } }, [family(10, false, "m.1.")], []],
    [
      "what has the mark of one of them",
      { 20: { environ: "TOOLGATE_PROCESS=m.1.x" }, 30: { environ: "TOOLGATE_PROCESS=m.3.x" } },
      [family(10, false, "m.1."), family(11, false, "m.2.")],
      [20],
    ],
    ["its group", { 10: {}, 20: { group: 10 }, 30: { group: 11 } }, [family(10)], [10, 20]],
    ["its session", { 10: {}, 20: { session: 10 }, 30: { session: 11 } }, [family(10)], [10, 20]],
    ["whatever descends from it", { 10: {}, 20: { parent: 10 }, 30: { parent: 20 } }, [family(10)], [10, 20, 30]],
    ["also where the child is listed first", { 5: { parent: 7 }, 7: { parent: 10 }, 10: {} }, [family(10)], [5, 7, 10]],
    ["what has the mark first", { 20: { environ: "TOOLGATE_PROCESS=m.1.x\0A=1" } }, [family(10, false, "m.1.")], [20]],
    ["what has the mark later", { 20: { environ: "A=1\0TOOLGATE_PROCESS=m.1.x" } }, [family(10, false, "m.1.")], [20]],
    ["not what has another mark", { 20: { environ: "TOOLGATE_PROCESS=m.10.x" } }, [family(10, false, "m.1.")], []],
    ["not another variable", { 20: { environ: "A_TOOLGATE_PROCESS=m.1.x" } }, [family(10, false, "m.1.")], []],
    [
      "what descends from a marked one",
      { 20: { environ: "TOOLGATE_PROCESS=m.1.x" }, 30: { parent: 20 } },
      [family(10, false, "m.1.")],
      [20, 30],
    ],
    [
      "nobody who is dead",
      { 10: { state: "Z" }, 20: { group: 10, state: "X" }, 30: { group: 10 } },
      [family(10)],
      [30],
    ],
    ["the group of a leader that ended", { 20: { group: 10 } }, [family(10, false)], [20]],
    ["nobody who has the number of a leader that ended", { 10: {}, 20: { group: 10 } }, [family(10, false)], []],
    ["those of several commands", { 10: {}, 20: {}, 30: {} }, [family(10), family(30)], [10, 30]],
    ["never this very process", { 10: {}, [process.pid]: { parent: 10 } }, [family(10)], [10]],
    ["nobody, where nobody is", {}, [family(10, false)], []],
  ])("%s", (_, rows, families, found) => {
    at(rows);
    killOnce(families);
    expect(killed().sort((one, other) => one - other)).toEqual(found);
  });
});

describe("killing", () => {
  test("all are stopped before the first of them is killed, so that none forks meanwhile", () => {
    at({ 10: {}, 20: { parent: 10 } });
    expect(killOnce([family(10)])).toBe(true);
    expect(signals).toEqual(["SIGKILL -10", "SIGSTOP 10", "SIGSTOP 20", "SIGKILL 10", "SIGKILL 20"]);
  });

  test.each<[what: string, rows: Record<number, Row>, lives: boolean, left: boolean]>([
    ["somebody is there", { 20: { group: 10 } }, false, true],
    ["only the leader is known to live", {}, true, true],
    ["nobody is there", {}, false, false],
  ])("%s: somebody may be left is %s", (_, rows, lives, left) => {
    at(rows);
    expect(killOnce([family(10, lives)])).toBe(left);
    expect(signals.includes("SIGKILL -10"), "the group of a leader that ended may be another's").toBe(lives);
  });

  test("somebody may be left while one leader of several lives", () => {
    expect(killOnce([family(10, true), family(11, false)])).toBe(true);
  });

  test("goes on until nobody is left, whoever forks meanwhile", async () => {
    vi.useFakeTimers();
    at({ 10: {} });
    let next = 20;
    deed = (pid, name) => {
      if (name !== "SIGKILL" || pid < 0) return;
      world.delete(pid);
      if (next < 25) world.set(next++, { group: 10 });
    };
    const done = killAll(() => [family(10, world.has(10))]);
    await vi.advanceTimersByTimeAsync(1000);
    await done;
    expect(killed()).toEqual([10, 20, 21, 22, 23, 24]);
    expect(world.size).toBe(0);
  });

  test("gives up those that nothing kills, after some time", async () => {
    vi.useFakeTimers();
    at({ 10: {} });
    let over = false;
    const done = killAll(() => [family(10)]).then(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(4_800);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await done;
    expect(killed()).toHaveLength(200);
  });
});

describe("asking to end", () => {
  test("everybody is asked and woken, then the leader's group; who is spared is not", async () => {
    vi.useFakeTimers();
    at({ 10: {}, 20: { parent: 10 }, 30: {}, 40: { parent: 30 } });
    const done = askToEnd(() => [family(10), family(30)], new Set([30]), 100);
    expect(signals).toEqual([
      ...["SIGTERM 10", "SIGTERM 20", "SIGTERM 40", "SIGCONT 10", "SIGCONT 20", "SIGCONT 40", "SIGTERM -10"],
    ]);
    await vi.advanceTimersByTimeAsync(99);
    world.clear();
    await vi.advanceTimersByTimeAsync(30);
    expect(await done, "they are known to live").toBe(false);
  });

  test.each<[what: string, families: Family[], rows: Record<number, Row>]>([
    ["nobody is there", [family(10, false)], {}],
    ["only who is spared is there", [family(10, false)], { 20: { group: 10 } }],
  ])("is not needed where %s", async (_, families, rows) => {
    at(rows);
    expect(await askToEnd(() => families, new Set([20]), 60_000)).toBe(true);
    expect(signals).toEqual([]);
  });

  test.each<[what: string, families: Family[], rows: Record<number, Row>, asked: string[]]>([
    ["a leader that cannot be seen", [family(10)], {}, ["SIGTERM -10"]],
    ["one leader of several", [family(10), family(11, false)], {}, ["SIGTERM -10"]],
    ["what a leader that ended left", [family(10, false)], { 20: { group: 10 } }, ["SIGTERM 20", "SIGCONT 20"]],
  ])("is done, and waited for: %s", async (_, families, rows, asked) => {
    vi.useFakeTimers();
    at(rows);
    let ended: boolean | undefined;
    void askToEnd(() => families, new Set(), 1000).then((all) => {
      ended = all;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect([ended, signals]).toEqual([undefined, asked]);
    for (const each of families) each.leaderLives = false;
    world.clear();
    await vi.advanceTimersByTimeAsync(25);
    expect(ended).toBe(true);
  });

  test("is over as soon as all have gone, and not before", async () => {
    vi.useFakeTimers();
    at({ 10: {}, 20: { group: 10 } });
    let ended: boolean | undefined;
    void askToEnd(() => [family(10, world.has(10))], new Set(), 1000).then((all) => {
      ended = all;
    });
    await vi.advanceTimersByTimeAsync(50);
    world.delete(10);
    await vi.advanceTimersByTimeAsync(50);
    expect(ended, "one of its group lives").toBeUndefined();
    world.delete(20);
    await vi.advanceTimersByTimeAsync(25);
    expect(ended).toBe(true);
  });

  test("ends with the grace", async () => {
    vi.useFakeTimers();
    at({ 10: {} });
    const done = askToEnd(() => [family(10)], new Set(), 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await done).toBe(false);
  });
});

describe("the words of what an ended command left running", () => {
  const left = (rows: Record<number, Row>, isHeld = true): string[] => {
    at(rows);
    return wordsOfLiving(family(10, false), isHeld);
  };
  test("are those of its members, without blanks at the ends and with one between", () => {
    expect(left({ 20: { group: 10, words: "npm\0run\0\n dev\0" }, 30: { words: "other" } })).toEqual(["npm run dev"]);
  });
  test("are not looked for where nobody holds its pipes and its group is empty", () => {
    expect(left({ 20: { environ: "TOOLGATE_PROCESS=none.", words: "a" } }, false)).toEqual([]);
    expect(looks).toBe(0);
    expect(left({ 20: { environ: "TOOLGATE_PROCESS=none.", words: "a" } })).toEqual(["a"]);
    expect(left({ 20: { group: 10, words: "a" } }, false)).toEqual(["a"]);
    expect(signals, "nobody is harmed by looking").toEqual(["0 -10", "0 -10"]);
  });
  test("are at most ten, and none is long or empty", () => {
    const rows = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [20 + n, { group: 10, words: n === 0 ? "\0" : "x".repeat(199 + n) }]),
    );
    const words = left(rows);
    expect(words).toHaveLength(10);
    expect(words.map((each) => each.length)).toEqual(Array(10).fill(200));
  });
});
