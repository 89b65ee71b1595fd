import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach } from "vitest";
import type { Exit, Launch, Process, Processes } from "../../src/core/contracts/process.ts";
import type { Place } from "../../src/core/words/touch.ts";
import { localProcesses, type ProcessOptions } from "../../src/workspaces/processes.ts";

type Ran = Exit & { stdout: string; stderr: string };

export type Trial = {
  root: string;
  here: Place;
  processes: Processes;
  open: (options?: Partial<ProcessOptions>) => Processes;
  start: (command: string, launch?: Partial<Launch>, onOutput?: (text: string) => void) => Promise<Process>;
  run: (command: string, launch?: Partial<Launch>) => Promise<Ran>;
};

/** A workspace and commands in it, anew for each test. */
export function useTrial(options: Partial<ProcessOptions> = {}): Trial {
  const opened: Processes[] = [];
  const trial = {
    open(more: Partial<ProcessOptions> = {}) {
      const state = path.join(trial.root, ".toolgate");
      const made = localProcesses({ roots: [trial.root], state, sandbox: "off", network: true, ...options, ...more });
      opened.push(made);
      return made;
    },
    start(command, launch = {}, onOutput) {
      return trial.processes.start({ command, cwd: trial.here, ...launch }, onOutput);
    },
    async run(command, launch) {
      const started = await trial.start(command, launch);
      const exit = await started.exited;
      const { stdout, stderr } = started.captured();
      return { ...exit, stdout: stdout.text, stderr: stderr.text };
    },
  } as Trial;
  beforeEach(() => {
    trial.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-processes-")));
    trial.here = { shown: ".", real: trial.root, root: trial.root, exists: true };
    trial.processes = trial.open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    fs.rmSync(trial.root, { recursive: true, force: true });
  });
  return trial;
}

let probes = 0;
/** A value for PROBE in the environment of a command, by which `alive` finds what it started. */
export const newProbe = (): string => `${process.pid}-${probes++}`;

export function alive(probe: string): string[] {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      if (!fs.readFileSync(`/proc/${pid}/environ`, "latin1").includes(`PROBE=${probe}\0`)) return false;
      return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  });
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (await holds()) return;
    await wait(10);
  }
  throw new Error("it never came to hold");
}
