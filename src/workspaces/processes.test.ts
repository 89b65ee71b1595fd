import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Launch, Processes } from "../core/process.ts";
import { localProcesses, type ProcessOptions } from "./processes.ts";

let root = "";
let processes: Processes;
const more: Processes[] = [];

const open = (options: Partial<ProcessOptions> = {}): Processes => {
  const opened = localProcesses({
    roots: [root],
    state: path.join(root, ".toolgate"),
    sandbox: "off",
    network: true,
    ...options,
  });
  more.push(opened);
  return opened;
};
const here = () => ({ shown: ".", real: root, root, exists: true });
const start = (command: string, launch: Partial<Launch> = {}, onOutput?: (text: string) => void) =>
  processes.start({ command, cwd: here(), ...launch }, onOutput);
const run = async (command: string, launch: Partial<Launch> = {}) => {
  const started = await start(command, launch);
  const exit = await started.exited;
  const { stdout, stderr } = started.captured();
  return { ...exit, stdout: stdout.text, stderr: stderr.text };
};

/** Living processes whose environment has this value of PROBE; a command names its own. */
function alive(probe: string): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      if (!fs.readFileSync(`/proc/${pid}/environ`, "latin1").includes(`PROBE=${probe}\0`)) return false;
      return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  });
}
let probes = 0;
const newProbe = () => `${process.pid}-${probes++}`;
const until = async (holds: () => boolean) => {
  for (let turn = 0; turn < 400; turn++) {
    if (holds()) return;
    await wait(10);
  }
  throw new Error("it never came to hold");
};

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-processes-")));
  processes = open();
});
afterEach(async () => {
  await Promise.all(more.splice(0).map((each) => each.close()));
  fs.rmSync(root, { recursive: true, force: true });
});

describe("a command", () => {
  test.each([
    ["exit 3", { code: 3, stdout: "", stderr: "" }],
    ["echo out; echo err >&2; false", { code: 1, stdout: "out\n", stderr: "err\n" }],
    ["echo out | tee /dev/stderr; echo more >/dev/stdout", { code: 0, stdout: "out\nmore\n", stderr: "out\n" }],
    ["kill -9 $$", { code: null, signal: "SIGKILL" }],
    ["cat; read line; echo $?", { code: 0, stdout: "1\n" }],
    ['printf %s "$0" \'a  b\' "$BASH_EXECUTION_STRING" | wc -c', { code: 0 }],
    [
      "echo \"$-\"; shopt login_shell; tty; ps -o tty= -p $$ | tr -d ' '",
      { stdout: expect.stringContaining("login_shell    \toff") },
    ],
    ["printf 'a\\0b\\x1b[31mred\\x1b[0m\\n1%%\\r100%%\\n\\xff\\xfe'", { stdout: "a\uFFFDbred\n100%\n\uFFFD\uFFFD" }],
    ["printf '\\xe6\\xbc'; sleep 0.05; printf '\\xa2\\n'", { stdout: "漢\n" }],
    ["syntax (error", { code: 2, stderr: expect.stringContaining("syntax error") }],
    ["no-such-program", { code: 127 }],
    ["echo $PAGER $GIT_TERMINAL_PROMPT $TERM; $EDITOR file && echo edited", { stdout: "cat 0 dumb\nedited\n" }],
  ])("%s", async (command, expected) => expect(await run(command)).toMatchObject(expected));

  test("runs where it is told, with what the call adds to the environment", async () => {
    fs.mkdirSync(path.join(root, "sub"));
    const cwd = { ...here(), shown: "sub", real: path.join(root, "sub") };
    expect((await run("pwd; echo $X", { cwd, env: { X: "a b" } })).stdout).toBe(`${root}/sub\na b\n`);
  });

  test.each([
    ["outside the roots", () => ({ cwd: { shown: "/", real: "/", root: "/", exists: true } }), "outside"],
    ["in a missing folder", () => ({ cwd: { ...here(), real: path.join(root, "no") } }), "not a folder"],
    ["with a NUL", () => ({ command: "a\0b" }), "NUL"],
    ["that is too long", () => ({ command: `: ${"x".repeat(200_000)}` }), "longer"],
  ])("is not started %s", async (_, launch, message) => {
    await expect(start("true", launch())).rejects.toThrow(message);
    expect(processes.list()).toEqual([]);
  });

  test("is heard while it runs", async () => {
    const heard: string[] = [];
    const started = await start("echo one; sleep 0.4; echo two", {}, (text) => heard.push(text));
    await started.exited;
    expect(heard).toEqual(["one\n", "two\n"]);
  });

  test("is written to and polled", async () => {
    const started = await start('while read line; do echo "got $line"; done', { input: true });
    await started.write("a\n");
    let text = "";
    const polled = () => {
      text += started.fresh().text;
      return text;
    };
    await until(() => polled() === "got a\n");
    await started.write("b\n");
    await until(() => polled() === "got a\ngot b\n");
    expect(started.exit).toBeUndefined();
    await started.kill();
    await expect(started.write("c\n")).rejects.toThrow("does not read any more");
    await expect((await start("true")).write("x")).rejects.toThrow();
  });

  test("a flood costs no memory, and every byte is counted", async () => {
    const before = process.memoryUsage().rss;
    const started = await start("yes | head -c 100000001; yes x | head -c 3000000 >&2");
    await started.exited;
    const { stdout, stderr } = started.captured();
    expect(stdout).toMatchObject({ bytes: 100_000_001, lines: 50_000_001 });
    expect(stderr).toMatchObject({ bytes: 3_000_000, lines: 1_500_000 });
    expect(Buffer.byteLength(stdout.text)).toBeLessThan(1_100_000);
    expect(fs.statSync(path.join(root, stdout.path as string)).size).toBe(100_000_001);
    expect(started.fresh().droppedBytes).toBeGreaterThan(100_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  test("twenty at once, each with its own output; more than 64 are refused", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, turn) => run(`sleep 0.1; echo ${turn}`)));
    expect(results.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, turn) => `${turn}\n`));
    await Promise.all(Array.from({ length: 64 }, () => start("sleep 60")));
    await expect(start("true")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});

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
    const since = Date.now();
    const { stdout } = await run(command, { env: { PROBE: probe } });
    expect(stdout).toBe("done\n");
    expect(Date.now() - since).toBeLessThan(20_000);
    if (!command.startsWith("env -i")) expect(alive(probe)).not.toEqual([]);
    const sleeping = () => fs.readdirSync("/proc").filter((pid) => isChildIn(pid, root));
    expect(sleeping()).not.toEqual([]);
    await processes.close();
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
    const [first] = await Promise.all(probes.map((PROBE) => start(`echo begun; ${command}`, { env: { PROBE } })));
    await wait(100);
    for (const probe of probes) expect(alive(probe)).not.toEqual([]);
    await first?.kill();
    expect(first?.exit).toBeDefined();
    expect(first?.captured().stdout.text).toMatch(/^begun\n/);
    expect(alive(probes[0] as string)).toEqual([]);
    expect(alive(probes[1] as string)).not.toEqual([]);
    await processes.close();
    expect(alive(probes[1] as string)).toEqual([]);
  });

  test("TERM comes first, so that it can put its things in order", async () => {
    const started = await start("trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
    await until(() => started.fresh().text.includes("ready"));
    await started.kill();
    expect(started.exit).toEqual({ code: 7, signal: null });
    expect(started.captured().stdout.text).toBe("ready\ntidy\n");
  });

  test("close while commands are being started", async () => {
    const probe = newProbe();
    const starting = Array.from({ length: 10 }, () => start("sleep 300", { env: { PROBE: probe } }));
    await processes.close();
    await Promise.allSettled(starting);
    expect(alive(probe)).toEqual([]);
    await expect(start("true")).rejects.toThrow("No command is started any more");
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

describe("a host with much memory", () => {
  test("has a small process start its commands; the same holds for them", async () => {
    processes = open({ largeBytes: 0 });
    const parentOf = async () => Number((await run("echo $PPID")).stdout);
    expect(await parentOf()).toBe(process.pid);
    let helper = process.pid;
    for (let turn = 0; turn < 200 && helper === process.pid; turn++) {
      await wait(20);
      helper = await parentOf();
    }
    expect(helper).not.toBe(process.pid);
    expect(await run("cat; echo out; echo err >&2; exit 3")).toEqual({
      code: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
    });
    const probe = newProbe();
    const started = await start("cat", { input: true, env: { PROBE: probe } });
    await started.write("echo\n");
    await until(() => started.captured().stdout.text === "echo\n");
    await started.kill();
    await start("setsid sleep 300 & sleep 300", { env: { PROBE: probe } });
    await processes.close();
    expect(alive(probe)).toEqual([]);
    await until(() => !fs.existsSync(`/proc/${helper}`));
  });
});

describe("enforcement", () => {
  test("switched off says so", async () => {
    expect(await processes.enforcement()).toEqual({
      sandbox: "none",
      network: "open",
      reason: "the sandbox is switched off",
    });
    expect((await start("true")).enforcement.sandbox).toBe("none");
  });

  test("required never runs without: the whole machine cannot be a workspace", async () => {
    const machine = open({ roots: ["/"], sandbox: "required" });
    const attempt = machine.start({ command: `touch ${root}/made`, cwd: here() });
    await expect(attempt).rejects.toMatchObject({
      code: "CONFIG_ERROR",
      message: expect.stringContaining("whole machine"),
    });
    expect(fs.existsSync(path.join(root, "made"))).toBe(false);
    const auto = await open({ roots: ["/"], sandbox: "auto" }).start({ command: "true", cwd: here() });
    expect(auto.enforcement).toMatchObject({ sandbox: "none", reason: expect.stringContaining("whole machine") });
  });
});
