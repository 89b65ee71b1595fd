import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { alive, newProbe, until } from "../../../../test/contracts/processes.ts";
import { askToEnd, type Family, killAll, killOnce } from "./process-tree.ts";

/** A process in a session of its own that says a line when it stands. */
async function begin(
  script: string,
  env: Record<string, string> = {},
  detached = true,
): Promise<ChildProcess & { pid: number }> {
  const child = spawn("bash", ["-c", script], {
    env: { PATH: process.env.PATH, ...env },
    detached,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // it ended
    }
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child as ChildProcess & { pid: number };
}

const isLiving = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};
const family = (leader: number, mark = "none.", leaderLives = true): Family => ({ leader, leaderLives, mark });
const kill = (...families: Family[]) =>
  killAll(() => families.map((each) => ({ ...each, leaderLives: each.leaderLives && isLiving(each.leader) })));

describe("everything of a command is killed", () => {
  test.each([
    ["its group", "sleep 300 & echo; wait"],
    ["a group of its own, in its session", "set -m; sleep 300 & echo; wait"],
    ["what left by setsid, without the mark: by descent", "env -u TOOLGATE_PROCESS setsid sleep 300 & echo; wait"],
    ["a stopped one", "(kill -STOP $BASHPID; :) & sleep 0.05; echo; wait"],
  ])("%s", async (_, script) => {
    const probe = newProbe();
    const { pid } = await begin(script, { PROBE: probe, TOOLGATE_PROCESS: "m.1." });
    await until(() => alive(probe).length > 1);
    await kill(family(pid));
    await until(() => alive(probe).length === 0);
  });

  test("what lost its parent, its session and its group is found by its mark, and what descends from that without one", async () => {
    const probe = newProbe();
    const { pid } = await begin("(setsid bash -c 'env -u TOOLGATE_PROCESS setsid sleep 300 & wait' &); echo", {
      PROBE: probe,
      TOOLGATE_PROCESS: "m.2.",
    });
    await until(() => !isLiving(pid) && alive(probe).length === 2);
    await kill(family(pid, "other.", false));
    expect(alive(probe)).toHaveLength(2);
    await kill(family(pid, "m.2.", false));
    await until(() => alive(probe).length === 0);
  });

  test.each([
    ["m.1.", "m.1.", true],
    ["m.1.", "m.", true],
    ["m.1.", "m.10.", false],
    ["m.10.", "m.1.", false],
    ["x", "m.1.", false],
  ])("a process marked %j, a command marked %j: %s", async (own, mark, killed) => {
    const marked = await begin("echo; sleep 300", { TOOLGATE_PROCESS: own, OTHER_TOOLGATE_PROCESS: mark });
    await kill(family(2 ** 22 + 1, mark, false));
    if (killed) await until(() => !isLiving(marked.pid));
    else expect(isLiving(marked.pid)).toBe(true);
  });

  test("a number that went to somebody else after the leader ended is let be", async () => {
    const stranger = await begin("echo; sleep 300");
    expect(killOnce([family(stranger.pid, "none.", false)])).toBe(false);
    expect(isLiving(stranger.pid)).toBe(true);
  });

  test("a group whose leader ended is still its own", async () => {
    const probe = newProbe();
    const { pid } = await begin("sleep 300 & echo", { PROBE: probe });
    await until(() => !isLiving(pid));
    expect(killOnce([family(pid, "none.", false)])).toBe(true);
    await until(() => alive(probe).length === 0);
    expect(killOnce([family(pid, "none.", false)])).toBe(false);
  });

  test("never this very process, though it is one of them", () => {
    const signalled = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const stat = fs.readFileSync("/proc/self/stat", "latin1");
    const [group = 0, session = 0] = stat
      .slice(stat.lastIndexOf(")") + 4)
      .split(" ")
      .slice(1, 3)
      .map(Number);
    killOnce([family(group), family(session)]);
    expect(signalled).toHaveBeenCalledWith(-group, "SIGKILL");
    expect(signalled.mock.calls.filter(([pid]) => pid === process.pid)).toEqual([]);
  });

  test("a leader that lives is waited for, though no process of it can be seen", () =>
    expect(killOnce([family(2 ** 22 + 1, "none.", true)])).toBe(true));

  test("nobody is left where processes cannot be listed", () => {
    const { readdirSync } = fs;
    vi.spyOn(fs, "readdirSync").mockImplementation(((folder: string, ...more: never[]) => {
      if (folder === "/proc") throw new Error("no /proc");
      return readdirSync(folder, ...more);
    }) as typeof fs.readdirSync);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    expect(killOnce([family(2 ** 22 + 1, "none.", false)])).toBe(false);
  });
});

describe("asking to end", () => {
  test("reaches everybody but who is spared, and wakes who is stopped", async () => {
    const probe = newProbe();
    const script =
      "trap 'exit 0' TERM; (trap 'exit 0' TERM; kill -STOP $BASHPID; sleep 300) & echo; while :; do sleep 0.02; done";
    const asked = await begin(script, { PROBE: probe });
    const spared = await begin("echo; exec sleep 300", { PROBE: probe });
    const both = () => [asked, spared].map((each) => family(each.pid, "none.", isLiving(each.pid)));
    const done = askToEnd(both, new Set([spared.pid]), 5_000);
    await until(() => !isLiving(asked.pid));
    expect(isLiving(spared.pid)).toBe(true);
    await until(() => alive(probe).length === 1);
    spared.kill("SIGKILL");
    await done;
  });

  test("ends as soon as all are gone, and after the grace in any case", async () => {
    const quick = await begin("echo; exec sleep 300");
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    // a clock that stands still: only that all are gone ends it
    await askToEnd(() => [family(quick.pid, "none.", isLiving(quick.pid))], new Set(), 1);
    expect(isLiving(quick.pid)).toBe(false);
    vi.useRealTimers();
    const stubborn = await begin("trap '' TERM; echo; while :; do sleep 0.02; done");
    await askToEnd(() => [family(stubborn.pid)], new Set(), 50);
    expect(isLiving(stubborn.pid)).toBe(true);
  });
});
