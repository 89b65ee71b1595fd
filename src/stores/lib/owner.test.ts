import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Owner } from "./owner.ts";

/** Files of /proc as a test wants them: a text, or "gone". */
const proc = new Map<string, string>();

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const told = (file: unknown): string | undefined => {
    const text = proc.get(String(file));
    if (text === "gone") throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    return text;
  };
  return {
    ...real,
    readFileSync: (...given: Parameters<typeof real.readFileSync>) => told(given[0]) ?? real.readFileSync(...given),
    readlinkSync: (...given: Parameters<typeof real.readlinkSync>) => told(given[0]) ?? real.readlinkSync(...given),
  };
});

/** What is known of this process is looked up once: a new module looks anew. */
const load = async () => {
  vi.resetModules();
  return import("./owner.ts");
};

const statOf = (name: string, state: string, started: string): string =>
  `4242 (${name}) ${state} ${"1 ".repeat(18)}${started} 2 3\n`;

const MINUTE = 60_000;

beforeEach(() => proc.clear());
afterEach(() => void vi.restoreAllMocks());

describe("who this process is", () => {
  test("its pid, when it started, the host with its process namespace, and the boot", async () => {
    proc.set("/proc/self/stat", statOf("node", "R", "777"));
    proc.set("/proc/self/ns/pid", "pid:[4026531836]");
    proc.set("/proc/sys/kernel/random/boot_id", "b00t\n");
    const { thisProcess } = await load();
    const me = { pid: process.pid, started: "777", host: `${hostname()} pid:[4026531836]`, boot: "b00t" };
    expect(thisProcess()).toEqual(me);
    proc.set("/proc/self/stat", statOf("node", "R", "888"));
    expect(thisProcess(), "it does not change").toEqual(me);
  });

  test("where there is no /proc the rest is enough", async () => {
    for (const file of ["self/stat", "self/ns/pid", "sys/kernel/random/boot_id"]) proc.set(`/proc/${file}`, "gone");
    const { thisProcess, isGone } = await load();
    const me = { pid: process.pid, started: "", host: `${hostname()} `, boot: "" };
    expect(thisProcess()).toEqual(me);
    expect(isGone(me, 0)).toBe(false);
  });
});

describe("whether an owner is gone", () => {
  const OTHER = 4242;
  const rows: [string, (me: Owner) => Owner, stat: string | undefined, boolean][] = [
    ["this process", (me) => me, undefined, false],
    ["an earlier process with our pid", (me) => ({ ...me, started: "earlier" }), undefined, true],
    ["a process that runs", (me) => ({ ...me, pid: OTHER, started: "99" }), statOf("node", "S", "99"), false],
    ["one that sleeps deeply", (me) => ({ ...me, pid: OTHER, started: "99" }), statOf("node", "D", "99"), false],
    ["one that is stopped", (me) => ({ ...me, pid: OTHER, started: "99" }), statOf("node", "T", "99"), false],
    [
      "a dead one whose pid another has now",
      (me) => ({ ...me, pid: OTHER, started: "98" }),
      statOf("x", "S", "99"),
      true,
    ],
    [
      "one that ended and was not collected",
      (me) => ({ ...me, pid: OTHER, started: "99" }),
      statOf("x", "Z", "99"),
      true,
    ],
    ["one that is just ending", (me) => ({ ...me, pid: OTHER, started: "99" }), statOf("x", "X", "99"), true],
    [
      "one with a misleading name",
      (me) => ({ ...me, pid: OTHER, started: "99" }),
      statOf("a) Z 1 (b", "S", "99"),
      false,
    ],
    ["one before the machine was restarted", (me) => ({ ...me, boot: "earlier" }), undefined, true],
    [
      "one before the restart whose pid lives now",
      (me) => ({ ...me, pid: OTHER, started: "99", boot: "earlier" }),
      statOf("node", "S", "99"),
      true,
    ],
  ];
  test.each(rows)("%s", async (_, ownerOf, stat, gone) => {
    if (stat) proc.set(`/proc/${OTHER}/stat`, stat);
    const { thisProcess, isGone } = await load();
    for (const unrenewedFor of [0, 60 * MINUTE]) expect(isGone(ownerOf(thisProcess()), unrenewedFor)).toBe(gone);
  });

  const far: [string, Partial<Owner>][] = [
    ["another machine", { host: "far pid:[1]" }],
    ["another container on this machine", { host: `${hostname()} pid:[1]` }],
    ["another machine, where our pid means another process", { host: "far pid:[1]", started: "other" }],
    ["another machine with its own boot", { host: "far pid:[1]", boot: "other" }],
    ["another machine and a pid that is unknown here", { host: "far pid:[1]", pid: 2 ** 22 + 1 }],
  ];
  test.each(far)("%s: only when it was not renewed for more than ten minutes", async (_, where) => {
    const { thisProcess, isGone } = await load();
    const seen = (unrenewedFor: number): boolean => isGone({ ...thisProcess(), ...where }, unrenewedFor);
    expect([0, MINUTE, 10 * MINUTE].map(seen)).toEqual([false, false, false]);
    expect([10 * MINUTE + 1, 60 * MINUTE].map(seen)).toEqual([true, true]);
  });

  const killed: [string, () => true, boolean][] = [
    ["answers", () => true, false],
    ["is somebody else's", fails("EPERM"), false],
    ["does not exist", fails("ESRCH"), true],
  ];
  test.each(killed)("where /proc does not show a process that %s", async (_, kill, gone) => {
    proc.set(`/proc/${OTHER}/stat`, "gone");
    const { thisProcess, isGone } = await load();
    const asked = vi.spyOn(process, "kill").mockImplementation(kill);
    expect(isGone({ ...thisProcess(), pid: OTHER }, 0)).toBe(gone);
    expect(asked).toHaveBeenCalledWith(OTHER, 0);
  });

  test.each(["", "4242 (x) ", "4242 (x) S 1 1 1"])(
    "a status that cannot be read (%j) does not make it gone",
    async (text) => {
      proc.set(`/proc/${OTHER}/stat`, text);
      vi.spyOn(process, "kill").mockReturnValue(true);
      const { thisProcess, isGone } = await load();
      expect(isGone({ ...thisProcess(), pid: OTHER }, 0)).toBe(false);
    },
  );

  test("the real /proc tells the same of a process that runs", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has /proc");
    const { thisProcess, isGone } = await load();
    const text = readFileSync(`/proc/${process.ppid}/stat`, "latin1");
    const started = text.slice(text.lastIndexOf(")")).split(" ")[20] as string;
    const parent = { ...thisProcess(), pid: process.ppid, started };
    expect(isGone(parent, 0)).toBe(false);
    expect(isGone({ ...parent, started: `${started}1` }, 0)).toBe(true);
  });
});

function fails(code: string): () => true {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}
