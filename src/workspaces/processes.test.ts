import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { alive, newProbe, until, useTrial } from "../../test/contracts/processes.ts";

const trial = useTrial();

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
    ["ps -o args= -p $$; true", { stdout: expect.stringMatching(/bash --noprofile --norc -c ps /) }],
    ["syntax (error", { code: 2, stderr: expect.stringContaining("syntax error") }],
    ["no-such-program", { code: 127 }],
    ["echo $PAGER $GIT_TERMINAL_PROMPT $TERM; $EDITOR file && echo edited", { stdout: "cat 0 dumb\nedited\n" }],
  ])("%s", async (command, expected) => expect(await trial.run(command)).toMatchObject(expected));

  test("runs where it is told, with what the call adds to the environment", async () => {
    fs.mkdirSync(path.join(trial.root, "sub"));
    const cwd = { ...trial.here, shown: "sub", real: path.join(trial.root, "sub") };
    expect((await trial.run("pwd; echo $X", { cwd, env: { X: "a b" } })).stdout).toBe(`${trial.root}/sub\na b\n`);
  });

  test.each([
    ["outside the roots", () => ({ cwd: { shown: "/", real: "/", root: "/", exists: true } }), "outside"],
    ["in a missing folder", () => ({ cwd: { ...trial.here, real: path.join(trial.root, "no") } }), "not a folder"],
    ["with a NUL", () => ({ command: "a\0b" }), "NUL"],
    ["that is too long", () => ({ command: `: ${"x".repeat(200_000)}` }), "longer"],
  ])("is not started %s", async (_, launch, message) => {
    await expect(trial.start("true", launch())).rejects.toThrow(message);
    expect(trial.processes.list()).toEqual([]);
  });

  test("is heard while it runs", async () => {
    const heard: string[] = [];
    const started = await trial.start("echo one; read; echo two", { input: true }, (text) => heard.push(text));
    await until(() => heard.length > 0);
    await started.write("\n");
    await started.exited;
    expect(heard).toEqual(["one\n", "two\n"]);
  });

  test("is written to and polled", async () => {
    const started = await trial.start('while read line; do echo "got $line"; done', { input: true });
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
    await expect(started.write("c\n")).rejects.toThrow("no longer reads its input");
    await expect((await trial.start("true")).write("x")).rejects.toThrow();
  });

  test.each(["", "one\ntwo", "x".repeat(300_000)])("a text is all of its input, however long", async (input) => {
    const { stdout, code } = await trial.run("cat | wc -c", { input });
    expect([stdout.trim(), code]).toEqual([String(input.length), 0]);
    // whoever does not read it is not waited for
    expect((await trial.run("echo done", { input })).stdout).toBe("done\n");
    const started = await trial.start("cat > kept", { input });
    await started.exited;
    expect(started.background).toBe(false);
  });

  test("a flood costs no memory, and every byte is counted", async () => {
    const before = process.memoryUsage().rss;
    const started = await trial.start("yes | head -c 100000001; yes x | head -c 3000000 >&2");
    await started.exited;
    const { stdout, stderr } = started.captured();
    expect(stdout).toMatchObject({ bytes: 100_000_001, lines: 50_000_001 });
    expect(stderr).toMatchObject({ bytes: 3_000_000, lines: 1_500_000 });
    expect(Buffer.byteLength(stdout.text)).toBeLessThan(1_100_000);
    expect(fs.statSync(path.join(trial.root, stdout.path as string)).size).toBe(100_000_001);
    expect(started.fresh().droppedBytes).toBeGreaterThan(100_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  test("twenty at once, each with its own output; more than 64 are refused", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, turn) => trial.run(`sleep 0.1; echo ${turn}`)));
    expect(results.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, turn) => `${turn}\n`));
    await Promise.all(Array.from({ length: 64 }, () => trial.start("sleep 60")));
    await expect(trial.start("true")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("a host with much memory", () => {
  test("has a small process start its commands; the same holds for them", async () => {
    trial.processes = trial.open({ largeBytes: 0 });
    const parentOf = async () => Number((await trial.run("echo $PPID")).stdout);
    expect(await parentOf()).toBe(process.pid);
    let helper = process.pid;
    for (let turn = 0; turn < 200 && helper === process.pid; turn++) {
      await wait(20);
      helper = await parentOf();
    }
    expect(helper).not.toBe(process.pid);
    expect(await trial.run("cat; echo out; echo err >&2; exit 3")).toEqual({
      code: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
    });
    const probe = newProbe();
    const started = await trial.start("cat", { input: true, env: { PROBE: probe } });
    await started.write("echo\n");
    await until(() => started.captured().stdout.text === "echo\n");
    await started.kill();
    await trial.start("setsid sleep 300 & sleep 300", { env: { PROBE: probe } });
    await trial.processes.close();
    expect(alive(probe)).toEqual([]);
    await until(() => !fs.existsSync(`/proc/${helper}`));
  });
});

describe("enforcement", () => {
  test("switched off says so", async () => {
    expect(await trial.processes.enforcement()).toEqual({
      sandbox: "none",
      network: "open",
      reason: "the sandbox is switched off",
    });
    expect((await trial.start("true")).enforcement.sandbox).toBe("none");
  });

  test("required never runs without: the whole machine cannot be a workspace", async () => {
    const machine = trial.open({ roots: ["/"], sandbox: "required" });
    const attempt = machine.start({ command: `touch ${trial.root}/made`, cwd: trial.here });
    await expect(attempt).rejects.toMatchObject({
      code: "CONFIG_ERROR",
      message: expect.stringContaining("whole machine"),
    });
    expect(fs.existsSync(path.join(trial.root, "made"))).toBe(false);
    const auto = await trial.open({ roots: ["/"], sandbox: "auto" }).start({ command: "true", cwd: trial.here });
    expect(auto.enforcement).toMatchObject({ sandbox: "none", reason: expect.stringContaining("whole machine") });
  });
});
