import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { targetOf } from "../../../../test/contracts/disk.ts";
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

  test("nor where the command was reached and no number was said, nor while nothing ends", async () => {
    const { status, say } = pipe();
    const settled = status.settled(never);
    say("started\n");
    await settled;
    expect(await status.emptied()).toBe(false);
  });

  test("what is said late is waited for", async () => {
    const { status, say, close } = pipe();
    await status.settled(Promise.resolve());
    const ended = begin("true");
    await new Promise((resolve) => ended.once("exit", resolve));
    const emptied = status.emptied();
    setTimeout(() => {
      say(`{ "child-pid": ${ended.pid} }\n`);
      close();
    }, 20);
    expect(await emptied).toBe(true);
  });

  test("where the kernel does not tell of children, only the end of the first process counts", async () => {
    const { status } = await told(process.pid, true);
    const read = fs.readFileSync as (...given: unknown[]) => unknown;
    const spied = vi.spyOn(fs, "readFileSync").mockImplementation(((...given: unknown[]) => {
      if (String(given[0]).endsWith("/children")) throw new Error("ENOENT");
      return read(...given);
    }) as never);
    onTestFinished(() => spied.mockRestore());
    expect(await status.emptied()).toBe(false);
  });
});

describe("what was left running", () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `left p${n}\n`).join("");

  test("is told by name, as far as it was said, and not too much of it", () => {
    const { status, say } = pipe();
    expect(status.left()).toEqual([]);
    say("started\nleft sleep 300 \nleft \nno left x\nleft ü\n");
    expect(status.left()).toEqual(["sleep 300", "ü"]);
    say(names(12));
    expect(status.left()).toHaveLength(10);
  });

  test("is told of a pipe that was closed, and never of what has its number since", async () => {
    const { status, say, close } = pipe();
    const settled = status.settled(never);
    say("started\nleft sleep\n");
    await settled;
    close();
    await status.emptied();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-status-"));
    fs.writeFileSync(path.join(folder, "f"), "left another\n");
    const others = Array.from({ length: 20 }, () => fs.openSync(path.join(folder, "f"), "r"));
    onTestFinished(() => {
      for (const fd of others) fs.closeSync(fd);
      fs.rmSync(folder, { recursive: true });
    });
    expect(status.left()).toEqual(["sleep"]);
  });
});

test.each([false, true])("who gives it up closes its end, though it listened: %j", async (isListening) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-status-"));
  const file = path.join(folder, "pipe");
  execFileSync("mkfifo", [file]);
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const held = () => fs.readdirSync("/proc/self/fd").filter((fd) => targetOf(fd) === fs.realpathSync(file)).length;
  const status = new SandboxStatus(file);
  const writer = fs.openSync(file, "w");
  onTestFinished(() => fs.closeSync(writer));
  if (isListening) await status.settled(Promise.resolve());
  expect(held()).toBe(2);
  status.abandon();
  await until(() => held() === 1);
});
