import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { ProcessOptions } from "../../src/workspaces/processes.ts";
import { buildDriver, Driver, farFolder, type Person } from "./process-people.ts";

export type Stage = {
  /** Holds the others. */
  far: string;
  root: string;
  home: string;
  driver: Driver;
  open: (options?: Partial<ProcessOptions>) => Driver;
  /** By the person itself, outside of any sandbox: the positive control. */
  outside: (command: string) => SpawnSyncReturns<string>;
  put: (file: string, text: string) => void;
  /** Gives the person what a test made. */
  own: (file: string) => void;
};

/** A workspace, a home folder with secrets, a folder beside them, and somebody who runs commands; anew for each test. */
export function useStage({ prefix, uid }: Person): Stage {
  let tools = "";
  let script = "";
  const drivers: Driver[] = [];
  const stage = {
    open(options: Partial<ProcessOptions> = {}) {
      const fixed = {
        roots: [stage.root],
        state: path.join(stage.root, ".toolgate"),
        sandbox: "required",
        network: false,
      } as const;
      const opened = new Driver(script, prefix, stage.home, { ...fixed, ...options });
      drivers.push(opened);
      return opened;
    },
    outside(command: string) {
      const [file = "", ...args] = [...prefix, "bash", "-c", command];
      return spawnSync(file, args, { cwd: stage.root, encoding: "utf8", timeout: 20_000 });
    },
    put(file: string, text: string) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    },
    own(file: string) {
      if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${uid}:${uid}`, file]);
    },
  } as Stage;

  beforeAll(async () => {
    tools = farFolder(process.getuid?.() ?? 0);
    script = await buildDriver(tools);
  });
  beforeEach(() => {
    const far = farFolder(uid);
    Object.assign(stage, { far, root: path.join(far, "workspace"), home: path.join(far, "home") });
    stage.put(path.join(stage.root, ".toolgate/.gitignore"), "*\n");
    stage.put(path.join(stage.home, ".ssh/id_test"), "private key");
    stage.put(path.join(stage.home, ".npmrc"), "token");
    stage.put(path.join(stage.home, "notes.txt"), "notes");
    stage.put(path.join(far, "beside/file.txt"), "beside");
    stage.own(far);
    stage.driver = stage.open();
  });
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((each) => each.close()));
    fs.rmSync(stage.far, { recursive: true, force: true });
  });
  afterAll(() => fs.rmSync(tools, { recursive: true, force: true }));
  return stage;
}
