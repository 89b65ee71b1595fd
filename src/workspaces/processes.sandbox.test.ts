import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { needs } from "../../test/capabilities.ts";
import { alive, newProbe, until, useTrial } from "../../test/contracts/processes.ts";
import type { Enforcement } from "../core/contracts/process.ts";

const trial = useTrial();
const stat = (pid: string) => `sed 's/.*) //' /proc/${pid}/stat | cut -d' ' -f4`;

describe("in the sandbox", needs("bubblewrap"), () => {
  beforeEach(() => {
    trial.processes = trial.open({ sandbox: "required", network: false });
  });

  test("it is there: what is required runs in bubblewrap, what is automatic too", async () => {
    const contained: Enforcement = { sandbox: "bubblewrap", network: "none" };
    expect(await trial.processes.enforcement()).toMatchObject(contained);
    expect((await trial.start("true")).enforcement).toMatchObject(contained);
    const auto = trial.open({ sandbox: "auto", network: true });
    expect(await auto.enforcement()).toMatchObject({ sandbox: "bubblewrap", network: "open" });
  });

  test("a session of its own, in its own world: keys cannot be typed into the terminal of the host", async () => {
    // a session that began outside has no number inside
    expect(Number((await trial.run(stat("self"))).stdout)).toBeGreaterThan(0);
    expect((await trial.run(": < /dev/tty")).code).not.toBe(0);
  });

  test("namespaces of its own, all of them", async () => {
    const kinds = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"];
    const { stdout } = await trial.run(`cd /proc/self/ns && readlink ${kinds.join(" ")}`);
    const inside = stdout.trim().split("\n");
    expect(inside).toHaveLength(kinds.length);
    for (const [index, kind] of kinds.entries())
      expect(inside[index], kind).not.toBe(fs.readlinkSync(`/proc/self/ns/${kind}`));
  });

  test("what the loader obeys comes to the command, and not to bubblewrap around it", async () => {
    const probe = newProbe();
    const env = { PROBE: probe, LD_PRELOAD: "/evil.so", LD_LIBRARY_PATH: "/evil", GCONV_PATH: "/evil" };
    const started = await trial.start("echo $LD_PRELOAD $LD_LIBRARY_PATH $GCONV_PATH; exec sleep 300", { env });
    await until(() => started.captured().stdout.text !== "");
    expect(started.captured().stdout.text).toBe("/evil.so /evil /evil\n");
    const environs = alive(probe)
      .filter((pid) => path.basename(fs.readlinkSync(`/proc/${pid}/exe`)) === "bwrap")
      .map((pid) => fs.readFileSync(`/proc/${pid}/environ`, "latin1"));
    expect(environs).not.toEqual([]);
    for (const environ of environs) expect(environ).not.toContain("/evil");
    await started.kill();
  });

  test("limits: no core, files of 8 GB at most, so many files and processes, and no more than there were", async () => {
    const told = "for which in c f n u d; do ulimit -$which; done; cat /proc/self/oom_score_adj";
    const [core, file, files, processes, memory, killedFirst] = (await trial.run(told)).stdout.split("\n");
    expect([core, Number(file) <= 8_388_608, Number(files) <= 65_536, Number(processes) <= 8192]).toEqual([
      "0",
      true,
      true,
      true,
    ]);
    expect([memory, killedFirst]).toEqual(["unlimited", "500"]);
    trial.processes = trial.open({ sandbox: "required", maxMemory: 100_000_001 });
    expect((await trial.run("ulimit -d")).stdout).toBe(`${Math.ceil(100_000_001 / 1024)}\n`);
  });

  test("temporary files are its own, unless the call says where", async () => {
    expect((await trial.run("echo $TMPDIR")).stdout).toBe("/tmp\n");
    expect((await trial.run("echo $TMPDIR", { env: { TMPDIR: "/x" } })).stdout).toBe("/x\n");
  });

  test("what a call sets stays with its command", async () => {
    const before = { ...process.env };
    await trial.run("true", { env: { EVIL: "1", PATH: "/evil", LD_PRELOAD: "/evil.so" } });
    expect(process.env).toEqual(before);
    expect((await trial.run("echo $EVIL $LD_PRELOAD; env")).stdout).not.toMatch(/evil/i);
  });
});

describe("outside a sandbox", () => {
  test.each([{}, { largeBytes: 0 }])("a session of its own as well: %j", async (options) => {
    trial.processes = trial.open(options);
    for (let turn = 0; turn < 2; turn++)
      expect((await trial.run(`[ $(${stat("$$")}) = $$ ] && echo own`)).stdout).toBe("own\n");
    expect((await trial.run(": < /dev/tty")).code).not.toBe(0);
  });

  test("the host's temporary folder", async () => {
    const { TMPDIR = "" } = process.env;
    expect((await trial.run("echo $TMPDIR")).stdout).toBe(`${TMPDIR}\n`);
  });
});

describe("after close", () => {
  test("nothing is left: no listener, no pipe, no folder of pipes", async () => {
    vi.stubEnv("TMPDIR", trial.root);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folders = () => fs.readdirSync(trial.root).filter((name) => name.startsWith("toolgate-"));
    const open = () => fs.readdirSync("/proc/self/fd").length;
    const listeners = process.listenerCount("exit");
    const [one, two] = [trial.open(), trial.open()];
    expect(process.listenerCount("exit")).toBe(listeners);
    await (await one.start({ command: "true", cwd: trial.here })).exited;
    expect(folders()).toHaveLength(1);
    const descriptors = open();
    for (let turn = 0; turn < 5; turn++)
      await (await one.start({ command: "true", cwd: trial.here, input: true })).exited;
    expect(open()).toBeLessThanOrEqual(descriptors + 2);
    await Promise.all([one.close(), two.close(), trial.processes.close()]);
    expect(process.listenerCount("exit")).toBe(listeners - 1);
    expect(folders()).toEqual([]);
  });
});
