import fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { alive, newProbe, until, useTrial } from "../../test/contracts/processes.ts";

const trial = useTrial();

describe("what a command leaves behind", () => {
  const leaving = [
    "sleep 300 & echo done",
    "nohup sleep 300 & echo done",
    "setsid sleep 300 & echo done",
    "(setsid bash -c 'sleep 300 & sleep 300' &) ; echo done",
    "bash -c 'trap \"\" TERM HUP INT; sleep 300; sleep 300' & echo done",
    "env -i /bin/sleep 300 & echo done",
  ];

  test.each(leaving)("is not waited for, and ends with close: %s", async (command) => {
    const probe = newProbe();
    const { stdout } = await trial.run(command, { env: { PROBE: probe } });
    expect(stdout).toBe("done\n");
    if (!command.startsWith("env -i")) expect(alive(probe)).not.toEqual([]);
    const sleeping = () => fs.readdirSync("/proc").filter((pid) => isChildIn(pid, trial.root));
    expect(sleeping()).not.toEqual([]);
    await trial.processes.close();
    expect(alive(probe)).toEqual([]);
    expect(sleeping()).toEqual([]);
  });

  test.each([
    "sleep 300",
    "trap '' TERM; sleep 300; sleep 300; echo never",
    "setsid sleep 300 & nohup sleep 300 & sleep 300",
    "(setsid bash -c 'trap \"\" TERM; (sleep 300 & sleep 300)' &); sleep 300",
    "while :; do (setsid sleep 300 &); sleep 0.02; done",
    "yes",
  ])("ends with kill, and with close in the middle: %s", async (command) => {
    const probes = [newProbe(), newProbe()];
    const [first] = await Promise.all(probes.map((PROBE) => trial.start(`echo begun; ${command}`, { env: { PROBE } })));
    await until(() => probes.every((probe) => alive(probe).length > 0));
    await first?.kill();
    expect(first?.exit).toBeDefined();
    expect(first?.captured().stdout.text).toMatch(/^begun\n/);
    expect(alive(probes[0] as string)).toEqual([]);
    expect(alive(probes[1] as string)).not.toEqual([]);
    await trial.processes.close();
    expect(alive(probes[1] as string)).toEqual([]);
  });

  test("TERM comes first, so that it can put its things in order", async () => {
    const started = await trial.start("trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
    await until(() => started.fresh().text.includes("ready"));
    await started.kill();
    expect(started.exit).toEqual({ code: 7, signal: null });
    expect(started.captured().stdout.text).toBe("ready\ntidy\n");
  });

  test("close while commands are being started", async () => {
    const probe = newProbe();
    const starting = Array.from({ length: 10 }, () => trial.start("sleep 300", { env: { PROBE: probe } }));
    await trial.processes.close();
    await Promise.allSettled(starting);
    expect(alive(probe)).toEqual([]);
    await expect(trial.start("true")).rejects.toThrow("No more commands are started");
  });
});

/** Whether a process works in a folder. */
function isChildIn(pid: string, folder: string): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

describe("in the sandbox", needs("bubblewrap"), () => {
  beforeEach(() => {
    trial.processes = trial.open({ sandbox: "required" });
  });

  test("TERM comes first there too, and everything ends with kill", async () => {
    const probe = newProbe();
    const command = "setsid sleep 300 & trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    const started = await trial.start(command, { env: { PROBE: probe } });
    await until(() => started.fresh().text.includes("ready"));
    expect(alive(probe)).not.toEqual([]);
    await started.kill();
    expect(started.exit).toEqual({ code: 7, signal: null });
    expect(started.captured().stdout.text).toBe("ready\ntidy\n");
    expect(alive(probe)).toEqual([]);
  });

  test("those that ignore TERM end with kill, and with close in the middle", async () => {
    const probe = newProbe();
    const stubborn = () =>
      trial.start("trap '' TERM; (setsid sleep 300 &); sleep 300; sleep 300", { env: { PROBE: probe } });
    const [first] = await Promise.all([stubborn(), stubborn(), stubborn()]);
    await first?.kill();
    const starting = stubborn();
    await trial.processes.close();
    await starting;
    expect(alive(probe)).toEqual([]);
    expect(fs.readdirSync(trial.root)).toEqual([".toolgate"]);
  });

  test("is written to, has its exit code, and floods are counted", async () => {
    const started = await trial.start('read line; echo "got $line"; exit 4', { input: true });
    await started.write("a\n");
    expect(await started.exited).toEqual({ code: 4, signal: null });
    expect(started.captured().stdout.text).toBe("got a\n");
    const flood = await trial.start("yes | head -c 20000001");
    await flood.exited;
    expect(flood.captured().stdout).toMatchObject({ bytes: 20_000_001, lines: 10_000_001 });
  });

  test("twenty at once, through the small process too", async () => {
    const twenty = () => Promise.all(Array.from({ length: 20 }, (_, turn) => trial.run(`echo ${turn}`)));
    const expected = Array.from({ length: 20 }, (_, turn) => `${turn}\n`);
    expect((await twenty()).map(({ stdout }) => stdout)).toEqual(expected);
    trial.processes = trial.open({ sandbox: "required", largeBytes: 0 });
    for (let turn = 0; turn < 3; turn++) expect((await twenty()).map(({ stdout }) => stdout)).toEqual(expected);
    expect(fs.readdirSync(trial.root)).toEqual([".toolgate"]);
  });
});
