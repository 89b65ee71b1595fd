import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../../test/contracts/processes.ts";
import { SandboxStatus } from "./sandbox-status.ts";

const never = new Promise<void>(() => {});

/** A status, and the other end of its pipe. */
function pipe() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-status-"));
  const file = path.join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  const status = new SandboxStatus(file);
  const fd = fs.openSync(file, "w");
  let isOpen = true;
  const close = () => {
    if (isOpen) fs.closeSync(fd);
    isOpen = false;
  };
  onTestFinished(() => {
    close();
    status.abandon();
    fs.rmSync(folder, { recursive: true });
  });
  return { status, say: (text: string) => fs.writeSync(fd, text), close };
}

function begin(program: string, ...args: string[]): ChildProcess & { pid: number } {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], detached: true });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // it ended
    }
  });
  return child as ChildProcess & { pid: number };
}

describe("what the sandbox says", () => {
  test("the command was reached, in however many pieces it is said", async () => {
    const { status, say } = pipe();
    const settled = status.settled(never);
    say('{ "child-p');
    say('id": 4711 }\n{ "other": 1 }\nstart');
    await until(() => status.init === 4711);
    expect(status.stood).toBe(false);
    say("ed\n");
    await settled;
    expect([status.stood, status.init]).toEqual([true, 4711]);
    say('{ "child-pid": 12 }\n');
    await new Promise((resolve) => setImmediate(resolve));
    expect(status.init).toBe(4711);
  });

  test("nothing, and it ended: it did not stand", async () => {
    const { status, say } = pipe();
    say("not started yet\n");
    await status.settled(Promise.resolve());
    expect(status.stood).toBe(false);
  });
});

describe("whether anything inside lives", () => {
  const told = async (pid: number, stood: boolean) => {
    const { status, say, close } = pipe();
    const ended = stood ? never : new Promise<void>((resolve) => void until(() => status.init === pid).then(resolve));
    const settled = status.settled(ended);
    say(`{ "child-pid": ${pid} }\n${stood ? "started\n" : ""}`);
    await settled;
    return { status, close };
  };

  test("nothing, when its first process has ended, or has nobody left", async () => {
    const ended = begin("true");
    await new Promise((resolve) => ended.once("exit", resolve));
    const { status } = await told(ended.pid, true);
    expect(await status.emptied()).toBe(true);
    const alone = begin("sleep", "300");
    expect(await (await told(alone.pid, true)).status.emptied()).toBe(true);
  });

  test("something, while its first process has children; and when they went, nothing", async () => {
    const parent = begin("bash", "-c", "sleep 300 & echo; wait; sleep 300 & wait");
    await new Promise((resolve) => parent.stdout?.once("data", resolve));
    const { status, close } = await told(parent.pid, true);
    close();
    expect(await status.emptied()).toBe(false);
    parent.kill("SIGKILL");
    await new Promise((resolve) => parent.once("exit", resolve));
    expect(await status.emptied()).toBe(true);
  });

  test("a first process without children says nothing before the command was reached", async () => {
    const alone = begin("sleep", "300");
    const { status, close } = await told(alone.pid, false);
    close();
    expect(await status.emptied()).toBe(false);
  });

  test("it cannot be told where no number was said", async () => {
    const { status, close } = pipe();
    await status.settled(Promise.resolve());
    close();
    expect(await status.emptied()).toBe(false);
  });
});
