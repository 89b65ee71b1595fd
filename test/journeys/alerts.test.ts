import { describe, expect, test, vi } from "vitest";
import type { CallRecord } from "../../src/core/contracts/store/records.ts";
import type { OpenOptions } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { MOST_REFUSED_A_MINUTE } from "../../src/workspaces/anomalies.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder } from "./harness.ts";

/** A gate whose alerts can be looked at, as they are told and as they are kept. */
async function watched(options: OpenOptions = {}) {
  const kept: CallRecord[] = [];
  const store = memoryStore();
  const record = async (group: readonly CallRecord[]) => void kept.push(...group);
  const it = await bench({}, { store: { ...store, record }, ...options });
  const told: string[] = [];
  it.gate.on("event", (event) => {
    if (event.type === "alert") told.push(`${event.kind} ${event.call.id}`);
  });
  const recorded = async () => {
    await it.gate.close();
    return kept.flatMap(({ call, alerts = [] }) => alerts.map(({ kind }) => `${kind} ${call}`));
  };
  return { ...it, told, recorded };
}

describe("alerts", () => {
  const ends: [command: string, alerts: string[]][] = [
    ["kill -SEGV $$", ["crashed c"]],
    ["bash -c 'kill -KILL $$'", ["killed c"]],
    ["kill -SYS $$", ["forbidden-syscall c"]],
    ["kill -TERM $$", []],
    ["echo Bad system call, seccomp denied, SIGSYS, Killed >&2; exit 1", []],
    ["true", []],
  ];
  test.each(ends)("%s", async (command, alerts) => {
    const { call, told, recorded } = await watched();
    await call("run_command", { command }, { id: "c" });
    expect(told).toEqual(alerts);
    expect(await recorded()).toEqual(alerts);
  });

  test.each(ends)("in the background, after its call: %s", async (command, alerts) => {
    const { call, told, recorded } = await watched();
    const started = await call("run_command", { command: `sleep 0.2; ${command}`, background: true }, { id: "c" });
    expect([started.status, told]).toEqual(["done", []]);
    const isOver = async () => (await call("process", { action: "output", id: "p1" })).metadata?.running === false;
    await vi.waitUntil(isOver, { timeout: 10_000 });
    expect(told).toEqual(alerts);
    expect(await recorded()).toEqual(alerts);
  });

  test.each(["kill", "close"])("what we ended in the background by %s is no surprise", async (way) => {
    const { gate, call, told, recorded } = await watched();
    await call("run_command", { command: "trap '' TERM; while :; do sleep 0.1; done", background: true });
    if (way === "kill") await call("process", { action: "kill", id: "p1" });
    else await gate.close();
    expect([told, await recorded()]).toEqual([[], []]);
  });

  test("what we ended ourselves is no surprise", async () => {
    const { call, told } = await watched();
    const { status } = await call("run_command", { command: "trap '' TERM; sleep 20 & wait", timeout: 0.5 });
    expect([status, told]).toEqual(["timed-out", []]);
  });

  test("a command that the machine does not start", async () => {
    const { processes: _, ...local } = localWorkspace({ root: folder() });
    const { call, told } = await watched({ workspace: local });
    expect((await call("run_command", { command: "true" }, { id: "c" })).error?.code).toBe("CONFIG_ERROR");
    expect(told).toEqual(["not-started c"]);
    await local.close();
  });

  test("many refused commands: told once, and the next call is judged as ever", async () => {
    const { call, told, recorded } = await watched();
    for (let n = 0; n <= MOST_REFUSED_A_MINUTE + 3; n++)
      await call("run_command", { command: "sudo ls" }, { id: `c${n}` });
    expect((await call("run_command", { command: "echo fine" })).output).toBe("fine");
    expect(told).toEqual([`refused-rate c${MOST_REFUSED_A_MINUTE}`]);
    expect(await recorded()).toEqual(told);
  });

  test("refused calls without a command are not counted", async () => {
    const { call, told } = await watched();
    for (let n = 0; n < 20; n++)
      expect((await call("read_file", { path: "../../../etc/shadow" })).status).toBe("refused");
    expect(told).toEqual([]);
  });

  test("a child's alerts are heard by its parent's listeners", async () => {
    const { gate, told } = await watched();
    await gate.child({ agent: "below" }).call({ id: "c", name: "run_command", args: { command: "kill -ABRT $$" } });
    expect(told).toEqual(["crashed c"]);
  });
});
