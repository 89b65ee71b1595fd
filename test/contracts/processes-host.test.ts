import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { ProcessOptions } from "../../src/workspaces/processes.ts";
import { type Driver, newNap, people, running } from "./process-people.ts";
import { useStage } from "./process-stage.ts";
import { until } from "./processes.ts";

const [person] = people();
if (!person) throw new Error("There is nobody to run commands.");

describe("a host that ends without closing anything", () => {
  const stage = useStage(person);
  const host = (options: Partial<ProcessOptions> = {}): Driver =>
    stage.open({ sandbox: "off", network: true, ...options });

  test.each(["exit", "throw"] as const)(
    "by %s: takes its commands along, those that ended with what they left",
    async (how) => {
      const naps = [newNap(), newNap(), newNap(), newNap()];
      const [nap, left, far, unmarked] = naps;
      const driver = host();
      await driver.run(`${left} & (setsid ${far} &); echo done`);
      await driver.start(`trap '' TERM HUP; env -i setsid ${unmarked} & ${nap}; ${nap}`).begun;
      await until(() => naps.every((words) => running(words).length > 0));
      await driver.end(how);
      await until(() => naps.every((words) => running(words).length === 0));
    },
  );

  test("by being killed: those that the small process started end with it, and so does that", async () => {
    const nap = newNap();
    const driver = host({ largeBytes: 0 });
    let helper = driver.child.pid;
    await until(async () => {
      helper = Number((await driver.run("echo $PPID")).stdout);
      return helper !== driver.child.pid;
    });
    const names = fs.readFileSync(`/proc/${helper}/environ`, "utf8").match(/^[^=]+|(?<=\0)[^=\0]+/g);
    expect(names, "nothing of the host's environment").toEqual([
      "ELECTRON_RUN_AS_NODE",
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
    ]);
    expect(fs.readlinkSync(`/proc/${helper}/cwd`)).toBe("/");
    await driver.start(`${nap} & ${nap}`).begun;
    await until(() => running(nap).length === 2);
    await driver.end("SIGKILL");
    await until(() => running(nap).length === 0 && !fs.existsSync(`/proc/${helper}`));
  });
});
