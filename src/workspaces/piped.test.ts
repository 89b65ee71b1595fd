import { describe, expect, onTestFinished, test, vi } from "vitest";
import { alive, newProbe, until } from "../../test/contracts/processes.ts";
import { pipedProcesses } from "./piped.ts";

function stage() {
  const processes = pipedProcesses(["/ws"]);
  onTestFinished(() => processes.close());
  const heard = { output: "", errors: "" };
  const start = (script: string, env: Record<string, string> = {}, program = "bash") =>
    processes.start(
      { program, args: ["-c", script], env, cwd: "/" },
      {
        output: (bytes) => {
          heard.output += Buffer.from(bytes).toString();
        },
        errors: (bytes) => {
          heard.errors += Buffer.from(bytes).toString();
        },
      },
    );
  return { processes, heard, start };
}

describe("a program that is spoken to", () => {
  test("hears and says, by both streams, and tells how it ended", async () => {
    const { heard, start } = stage();
    const running = await start("read x; echo out $x; echo err >&2; exit 3");
    await running.write("hello\n");
    expect(await running.exited).toBe("it ended with exit code 3");
    await until(() => heard.output !== "" && heard.errors !== "");
    expect(heard).toEqual({ output: "out hello\n", errors: "err\n" });
    await expect(running.kill()).resolves.toBeUndefined();
    await expect(running.write("more")).rejects.toThrow("it has ended");
  });

  test("sees a few of the host's variables and what it was given, and runs where it was told", async () => {
    vi.stubEnv("API_TOKEN", "secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { heard, start } = stage();
    const running = await start('echo "[$API_TOKEN] $GIVEN $PWD $TOOLGATE_PROCESS"', { GIVEN: "given" });
    await running.exited;
    await until(() => heard.output !== "");
    expect(heard.output).toMatch(/^\[\] given \/ [0-9a-f]{16}\.1\.\n$/);
  });

  test("that is not there is told by its name, and one that is ended by the signal", async () => {
    const { start } = stage();
    await expect(start("", {}, "no-such-program")).rejects.toThrow("there is no program no-such-program");
    expect(await (await start("kill -KILL $$")).exited).toBe("it was ended by SIGKILL");
  });
});

describe("nothing of it is left", () => {
  const family = "env -u TOOLGATE_PROCESS setsid sleep 300 & setsid sleep 300 & echo ready; wait";

  test("when it is killed: what left its group goes as well, and asking twice is asking once", async () => {
    const { heard, start } = stage();
    const probe = newProbe();
    const running = await start(family, { PROBE: probe });
    await until(() => heard.output !== "" && alive(probe).length > 2);
    const killing = running.kill();
    expect(running.kill()).toBe(killing);
    await killing;
    expect(await running.exited).toMatch(/^it (was ended by|ended with)/);
    await until(() => alive(probe).length === 0);
  });

  test("of one that does not listen: it is killed after a grace", async () => {
    const { heard, start } = stage();
    const probe = newProbe();
    const running = await start("trap '' TERM; echo ready; while :; do sleep 0.05; done", { PROBE: probe });
    await until(() => heard.output !== "");
    await running.kill();
    expect(await running.exited).toBe("it was ended by SIGKILL");
    await until(() => alive(probe).length === 0);
  });

  test("when all are closed: of those that ended by themselves, too, and no other is started", async () => {
    const { processes, heard, start } = stage();
    const probe = newProbe();
    const ended = await start("setsid sleep 300 >/dev/null 2>&1 & echo ready", { PROBE: probe });
    await ended.exited;
    await start(family, { PROBE: probe });
    await until(() => heard.output === "ready\nready\n" && alive(probe).length > 2);
    await processes.close();
    await until(() => alive(probe).length === 0);
    await expect(start("true")).rejects.toThrow("the workspace was closed");
  });

  test("when the host exits: one listener for all, which goes with the last", async () => {
    const before = process.listeners("exit");
    const added = () => process.listeners("exit").filter((each) => !before.includes(each));
    const [one, two] = [stage(), stage()];
    const probe = newProbe();
    await one.start(family, { PROBE: probe });
    await two.start(family, { PROBE: probe });
    await until(() => one.heard.output !== "" && two.heard.output !== "");
    expect(added()).toHaveLength(1);
    (added()[0] as () => void)();
    await until(() => alive(probe).length === 0);
    await one.processes.close();
    expect(added()).toHaveLength(1);
    await two.processes.close();
    expect(added()).toEqual([]);
  });
});
