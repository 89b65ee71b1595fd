import { describe, expect, test, vi } from "vitest";
import type { Process, Processes } from "../../core/contracts/process.ts";
import { type Grounds, runScript, Turns } from "./script-runs.ts";

/** A script that runs until it is killed, or ends by itself with this code. */
function script(code?: number, printed = 0) {
  let end: (how: { code: number | null }) => void = () => {};
  const exited = new Promise<{ code: number | null }>((resolve) => {
    end = resolve;
  });
  const kill = vi.fn(async () => end({ code: null }));
  const captured = () => ({ stdout: { text: "out", bytes: printed }, stderr: { text: "err", bytes: 0 } });
  const start = vi.fn(async (_: object, heard: () => void) => {
    setImmediate(heard);
    if (code !== undefined) end({ code });
    return { exited, kill, captured } as unknown as Process;
  });
  return { kill, start, processes: { start } as unknown as Processes };
}

const grounds = (open: Processes, readOnly?: Processes): Grounds =>
  ({ root: { real: "/ws" }, open, readOnly: async () => readOnly }) as unknown as Grounds;
const run = (more: object = {}) => ({
  ...{ command: "c", message: { env: { A: "1" }, input: "{}" } as never, seconds: 60, changesNothing: false },
  ...more,
});

describe("a script of a hook", () => {
  test("runs to its end, and what it left behind is ended", async () => {
    const { processes, kill, start } = script(3);
    expect(await runScript(grounds(processes), run())).toEqual({ code: 3, stdout: "out", stderr: "err" });
    expect(kill).toHaveBeenCalledOnce();
    expect(start.mock.calls[0]?.[0]).toEqual({ command: "c", cwd: { real: "/ws" }, env: { A: "1" }, input: "{}" });
  });

  test("ends with its call", async () => {
    const { processes, kill } = script();
    const abort = new AbortController();
    const ended = runScript(grounds(processes), run(), abort.signal);
    await new Promise(setImmediate);
    expect(kill).not.toHaveBeenCalled();
    abort.abort();
    expect(await ended).toMatchObject({ code: null, trouble: "it was stopped with its call" });
    const late = script();
    expect(await runScript(grounds(late.processes), run(), abort.signal)).toMatchObject({
      trouble: "it was stopped with its call",
    });
    expect(late.kill).toHaveBeenCalled();
  });

  test("ends when its time is up, or when it prints without end", async () => {
    const slow = script();
    expect(await runScript(grounds(slow.processes), run({ seconds: 0.01 }))).toMatchObject({
      trouble: "timed out after 0.01 s",
    });
    const loud = script(undefined, (4 << 20) + 1);
    expect(await runScript(grounds(loud.processes), run())).toMatchObject({ trouble: "it printed more than 4 MB" });
    const full = script(0, 4 << 20);
    expect(await runScript(grounds(full.processes), run())).not.toHaveProperty("trouble");
  });

  test("changes nothing where nothing may be changed, or is not run", async () => {
    const [open, kept] = [script(0), script(0)];
    await runScript(grounds(open.processes, kept.processes), run({ changesNothing: true }));
    expect(open.start).not.toHaveBeenCalled();
    expect(kept.start.mock.calls[0]?.[0]).toMatchObject({ access: "read-only" });
    expect(await runScript(grounds(open.processes), run({ changesNothing: true }))).toMatchObject({
      code: null,
      trouble: expect.stringContaining("it was not run"),
    });
    expect(open.start).not.toHaveBeenCalled();
  });

  test("that cannot be started is told", async () => {
    const broken = { start: async () => Promise.reject(new Error("no bash")) } as unknown as Processes;
    expect(await runScript(grounds(broken), run())).toMatchObject({ trouble: "it could not be started: no bash" });
  });
});

test("no more run at once than there are turns, whether they succeed or fail", async () => {
  const turns = new Turns(2);
  let [now, most] = [0, 0];
  const work = async (n: number) => {
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    now--;
    if (n % 2 === 1) throw new Error("no");
  };
  for (let round = 0; round < 2; round++) {
    const ends = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => turns.take(() => work(n))));
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(4);
    expect(most).toBe(2);
  }
});
