import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { alive, newProbe, until, useTrial } from "../../test/contracts/processes.ts";
import { Containment } from "./lib/process/command-containment.ts";
import { Fifos } from "./lib/process/fifos.ts";
import { SessionSpaces } from "./lib/process/session-spaces.ts";

const trial = useTrial();
const HUGE = { HUGE: "x".repeat(200_000) };

describe("what is remembered of commands", () => {
  test("those that run come after those that ended, of which the last 32 stay", async () => {
    const running = await trial.start("sleep 300");
    for (let turn = 0; turn < 34; turn++) await trial.run("true");
    await until(() => trial.processes.list().length === 33);
    const ids = trial.processes.list().map(({ id }) => id);
    expect(ids).toEqual([...Array.from({ length: 32 }, (_, index) => `p${index + 4}`), running.id]);
    expect(running.stopped).toBe(false);
    await running.kill();
    expect(running.stopped).toBe(true);
  });

  test("a long output is kept where a file tool finds it: by its name inside the workspace, else by its whole path", async () => {
    const keepOutput = { headBytes: 10, tailBytes: 10 };
    const outside = path.join(path.dirname(trial.root), `${path.basename(trial.root)}-state`);
    onTestFinished(() => fs.rmSync(outside, { recursive: true, force: true }));
    for (const [options, shown] of [
      [{ keepOutput }, /^\.toolgate\/output\/other\/command-\w+-1\.stdout\.txt$/],
      [{ keepOutput, state: outside }, new RegExp(`^${outside}/output/other/command-\\w+-1\\.stdout\\.txt$`)],
    ] as const) {
      trial.processes = trial.open(options);
      const started = await trial.start("seq 100; seq 100 >&2");
      await started.exited;
      const { stdout, stderr } = started.captured();
      expect(stdout.path).toMatch(shown);
      expect(stderr.path).toBe(stdout.path?.replace("stdout", "stderr"));
      const file = path.resolve(trial.root, stdout.path as string);
      expect(fs.readFileSync(file, "utf8").split("\n")).toHaveLength(101);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    }
  });
});

describe("where commands run", () => {
  test("roots by another name are where they really are", async () => {
    fs.mkdirSync(path.join(trial.root, "real"));
    fs.symlinkSync("real", path.join(trial.root, "link"));
    const processes = trial.open({ roots: [path.join(trial.root, "link")] });
    const real = path.join(trial.root, "real");
    const started = await processes.start({ command: "pwd", cwd: { ...trial.here, real } });
    await started.exited;
    expect(started.captured().stdout.text).toBe(`${real}\n`);
    const outside = processes.start({ command: "true", cwd: trial.here });
    await expect(outside).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("a link in the place of the state folder is refused, and nothing is put behind it", async () => {
    fs.mkdirSync(path.join(trial.root, "elsewhere"));
    fs.symlinkSync("elsewhere", path.join(trial.root, ".toolgate"));
    await expect(trial.start("true")).rejects.toThrow();
    expect(fs.readdirSync(path.join(trial.root, "elsewhere"))).toEqual([]);
  });
});

describe("what cannot be started", () => {
  test.each(["off", "required"] as const)(
    "is told, and leaves nothing: sandbox %s",
    needs("bubblewrap"),
    async (sandbox) => {
      trial.processes = trial.open({ sandbox });
      await trial.run("true");
      const descriptors = fs.readdirSync("/proc/self/fd").length;
      for (let turn = 0; turn < 3; turn++)
        await expect(trial.start("true", { env: HUGE, input: true })).rejects.toMatchObject({
          code: "VALIDATION_ERROR",
          message: expect.stringContaining("too long"),
        });
      expect(fs.readdirSync(trial.root)).toEqual([".toolgate"]);
      // pipes for later commands may just be made
      await until(() => fs.readdirSync("/proc/self/fd").length <= descriptors);
      expect((await trial.run("echo ok")).stdout).toBe("ok\n");
    },
  );

  describe("gives back the space of its session", needs("bubblewrap"), () => {
    const boom = () => Promise.reject(new Error("no pipes"));
    test.each<[string, boolean, number]>([
      ["where no pipes can be made", true, 1],
      ["but not while it runs", false, 0],
    ])("%s", async (_, fails, given) => {
      trial.processes = trial.open({ sandbox: "required" });
      const released = vi.fn();
      const { lend } = SessionSpaces.prototype;
      const spied = vi.spyOn(SessionSpaces.prototype, "lend").mockImplementation(async function (
        this: SessionSpaces,
        ...words
      ) {
        const lent = await lend.apply(this, words);
        return lent && { ...lent, release: released.mockImplementation(lent.release) };
      });
      const taking = vi.spyOn(Fifos.prototype, "take");
      onTestFinished(() => {
        spied.mockRestore();
        taking.mockRestore();
      });
      if (fails) taking.mockImplementationOnce(boom);
      const started = trial.start("sleep 300", { session: "s" });
      if (fails) await expect(started).rejects.toThrow("no pipes");
      else await started;
      expect(spied).toHaveBeenCalledTimes(1);
      expect(released).toHaveBeenCalledTimes(given);
    });
  });

  test("input for a command that takes none, or has ended", async () => {
    const without = await trial.start("sleep 300");
    await expect(without.write("x")).rejects.toThrow("started without standard input");
    const ended = await trial.start("true", { input: true });
    await ended.exited;
    await expect(ended.write("x")).rejects.toThrow("no longer reads its input");
  });

  describe("a sandbox that does not stand", needs("bubblewrap"), () => {
    const broken = (times: number) => {
      const { contain } = Containment.prototype;
      let left = times;
      const spied = vi.spyOn(Containment.prototype, "contain").mockImplementation(function (
        this: Containment,
        ...given
      ) {
        const contained = contain.apply(this, given);
        return left-- > 0 ? { ...contained, args: ["--no-such-option"] } : contained;
      });
      onTestFinished(() => spied.mockRestore());
      return spied;
    };

    test("is set up anew, four times at most; then the command was not run", async () => {
      trial.processes = trial.open({ sandbox: "required" });
      const spied = broken(3);
      expect((await trial.run("echo ok")).stdout).toBe("ok\n");
      expect(spied).toHaveBeenCalledTimes(4);
      spied.mockRestore();
      const again = broken(9);
      await expect(trial.start("touch made")).rejects.toMatchObject({
        code: "CONFIG_ERROR",
        message: expect.stringMatching(/could not be set up, so the command was not run: .*no-such-option/),
      });
      expect(again).toHaveBeenCalledTimes(4);
      expect(fs.readdirSync(trial.root)).toEqual([".toolgate"]);
    });

    test("what else goes wrong is not tried again", async () => {
      trial.processes = trial.open({ sandbox: "auto" });
      const spied = vi.spyOn(Containment.prototype, "contain").mockImplementation(() => {
        throw new Error("no disk");
      });
      onTestFinished(() => spied.mockRestore());
      await expect(trial.start("true")).rejects.toMatchObject({
        code: "IO_ERROR",
        message: expect.stringContaining("no disk"),
      });
      expect(spied).toHaveBeenCalledTimes(1);
    });
  });
});

describe("what a command says while it runs", () => {
  test("who listens badly does not disturb it", async () => {
    const started = await trial.start("echo one; echo two", {}, () => {
      throw new Error("listener");
    });
    expect(await started.exited).toEqual({ code: 0, signal: null });
    expect(started.captured().stdout.text).toBe("one\ntwo\n");
  });

  test("too much at once is told in part, and says so", async () => {
    const heard: string[] = [];
    const started = await trial.start("head -c 2000000 /dev/zero | tr '\\0' x", {}, (text) => heard.push(text));
    await started.exited;
    const skipped = heard.join("").matchAll(/\[(\d+) bytes skipped\]\n/g);
    const dropped = [...skipped].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(dropped).toBeGreaterThan(0);
    expect(dropped + heard.join("").replaceAll(/\[\d+ bytes skipped\]\n/g, "").length).toBe(2_000_000);
  });
});

describe("the small process that starts commands", () => {
  test("is replaced when it is lost; what it had started is told as killed, and ends with close", async () => {
    trial.processes = trial.open({ largeBytes: 0 });
    const parentOf = async () => Number((await trial.run("echo $PPID")).stdout);
    let helper = process.pid;
    await until(async () => {
      helper = await parentOf();
      return helper !== process.pid;
    });
    expect(fs.readlinkSync(`/proc/${helper}/cwd`)).toBe("/");
    const probe = newProbe();
    const started = await trial.start("sleep 300", { env: { PROBE: probe } });
    process.kill(helper, "SIGKILL");
    expect(await started.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect((await trial.run("echo ok")).stdout).toBe("ok\n");
    await until(async () => ![helper, process.pid].includes(await parentOf()));
    await expect(trial.start("true", { env: HUGE })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await trial.processes.close();
    expect(alive(probe)).toEqual([]);
  });
});
