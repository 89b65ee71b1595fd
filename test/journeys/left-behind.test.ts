import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../capabilities.ts";
import { bench, sleep } from "./harness.ts";

/** Lines that put a program into the background, and go on. */
const LEAVING = [
  "sleep 300.5 & echo started",
  "nohup sleep 300.5 > /dev/null 2>&1 & echo started",
  "(sleep 300.5 &); echo started",
  "setsid sleep 300.5 > log 2>&1 & disown; echo started",
  "bash -c 'exec setsid sleep 300.5' & sleep 0.2; echo started",
  "touch a; sleep 300.5 & sleep 0.05; echo started; exit 3",
];

/** Lines that wait for all that they start, or that start what ends by itself in a moment. */
const WAITING = [
  "touch a; echo started",
  "sleep 0.1 & wait; touch a; echo started",
  "touch a; seq 3 | tee log | cat; echo started",
  "sleep 0.02 & touch a; echo started",
  "echo x > >(cat > made); echo started",
];

describe("what a line started and did not wait for", needs("bubblewrap"), () => {
  test("is ended in the sandbox, and the result names it", async () => {
    const { call } = await bench();
    for (const command of LEAVING) {
      const { output, metadata } = await call("run_command", { command });
      expect([command, output]).toEqual([command, expect.stringContaining("started")]);
      expect(output).toContain("[Ended together with the command, which did not wait for it: sleep 300.5.");
      expect([command, metadata]).toEqual([command, expect.objectContaining({ ended: ["sleep 300.5"] })]);
    }
  });

  test("is not spoken of where there is none", async () => {
    const { call, dir } = await bench();
    for (const command of WAITING) {
      const { output, metadata } = await call("run_command", { command });
      expect([command, output]).toEqual([command, expect.not.stringContaining("Ended")]);
      expect([command, metadata.ended]).toEqual([command, undefined]);
    }
    expect(existsSync(path.join(dir, "made")), "what is about to end gets a moment").toBe(true);
  });

  test("how a line ended is told as before", async () => {
    const { call } = await bench();
    const ends: [command: string, exitCode: number][] = [
      ["touch a; exit 7", 7],
      ["touch a; kill -SEGV $$", 139],
      ["touch a; kill -9 $$", 137],
      ["touch a; kill -TERM 0", 143],
      ["trap 'exit 5' TERM; kill -TERM $$", 5],
    ];
    for (const [command, exitCode] of ends) {
      const { output, metadata } = await call("run_command", { command });
      expect([command, metadata.exitCode, output]).toEqual([command, exitCode, "(no output)"]);
    }
  });

  test("a command in the background goes on as long as what it started", async () => {
    const { call, text } = await bench();
    const command = "(sleep 0.5; echo late > late; echo bye) & echo line ended";
    const { metadata } = await call("run_command", { command, background: true });
    let output = "";
    for (let turn = 0; turn < 200 && !output.includes("exited"); turn++) {
      ({ output } = await call("process", { action: "output", id: metadata.id }));
      await sleep(20);
    }
    expect([output.includes("exited with 0"), text("late")]).toEqual([true, "late\n"]);
  });

  test("a command that is killed is asked first, and can put its things in order", async () => {
    const { call } = await bench();
    const command = "trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    const { metadata } = await call("run_command", { command, background: true });
    for (let output = ""; !output.includes("ready"); await sleep(20))
      ({ output } = await call("process", { action: "output", id: metadata.id }));
    const killed = await call("process", { action: "kill", id: metadata.id });
    // the sleep that it waits for may be told of, too
    expect(killed.output).toMatch(/^\[exited with 7\]\n(?:Terminated\n)?tidy\n$/);
    expect(killed.metadata.exitCode).toBe(7);
  });
});

describe("without a sandbox", () => {
  test("it goes on, is named, and cannot be undone", async () => {
    const { call } = await bench({}, { sandbox: "off" });
    for (const line of LEAVING.slice(0, 3)) {
      const command = `touch a; ${line}`;
      const { output, metadata } = await call("run_command", { command });
      expect([command, output]).toEqual([command, expect.stringContaining("[Still running: sleep 300.5. It ends")]);
      expect(metadata).toMatchObject({ stillRunning: ["sleep 300.5"], undo: "none" });
    }
    for (const command of WAITING.slice(0, 3)) {
      const { output, metadata } = await call("run_command", { command });
      expect([command, output, metadata.undo]).toEqual([command, expect.not.stringContaining("running"), "full"]);
    }
  });
});
