import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { newNap, running } from "../contracts/process-people.ts";
import { alive, newProbe, until } from "../contracts/processes.ts";
import { bench } from "./harness.ts";

/** Ways to start something that its command would not take along by itself. */
const leaving = (nap: string): [how: string, command: string][] => [
  ["in the foreground", nap],
  ["in the background", `${nap} & ${nap}`],
  ["in a session of its own", `setsid ${nap} & ${nap}`],
  ["without the mark", `env -i setsid ${nap} & ${nap}`],
  ["deaf to TERM", `trap '' TERM HUP INT; (setsid ${nap} &); ${nap}; ${nap}`],
];

describe.each(["off", "required"] as const)("a command that is stopped, sandbox %s", needs("bubblewrap"), (sandbox) => {
  const nap = newNap();
  const options = { sandbox, store: "memory" as const };

  test.each(leaving(nap))("%s: nothing of it goes on when its call has ended", async (_, command) => {
    const { gate } = await bench({}, options);
    const stop = new AbortController();
    const called = gate.call({ name: "run_command", args: { command } }, { signal: stop.signal });
    await until(() => running(nap).length > 0);
    stop.abort();
    expect((await called).status).toBe("cancelled");
    expect(running(nap)).toEqual([]);
  });

  test("stopped while it is being started", async () => {
    const probe = newProbe();
    const { gate } = await bench({}, options);
    for (let turn = 0; turn < 5; turn++) {
      const stop = new AbortController();
      const args = { command: "sleep 300", env: { PROBE: probe } };
      const called = gate.call({ name: "run_command", args }, { signal: stop.signal });
      for (let ticks = 0; ticks < turn * 3; ticks++) await new Promise((resolve) => setImmediate(resolve));
      stop.abort();
      expect((await called).status).toBe("cancelled");
      expect(alive(probe)).toEqual([]);
    }
  });

  test("at its time limit", async () => {
    const { call } = await bench({}, options);
    const result = await call("run_command", { command: `setsid ${nap} & ${nap}`, timeout_ms: 1000 });
    expect(result.status).toBe("timed-out");
    expect(running(nap)).toEqual([]);
  });

  test("that went into the background ends with the gate", async () => {
    const { call, gate } = await bench({}, options);
    expect((await call("run_command", { command: `setsid ${nap} & ${nap}`, background: true })).status).toBe("done");
    await until(() => running(nap).length > 0);
    await gate.close();
    expect(running(nap)).toEqual([]);
  });
});
