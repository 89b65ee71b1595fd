import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type OpenOptions, open, type Workspace } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { type LocalOptions, localWorkspace } from "../../src/workspaces/local.ts";
import { localProcesses } from "../../src/workspaces/processes.ts";
import { folder, sleep } from "./harness.ts";

type Files = Record<string, string>;

export const FILES: Files = {
  "a.txt": "alpha\nbeta\n",
  "b.txt": "second\n",
  "src/one.js": "let one = 1\n",
  "src/two.js": "let two = 2\n",
  "src/deep/three.js": "let three = 3\n",
  "local.env": "KEY=1\n",
  ".gitignore": "local.env\nbuild/\n",
};

export const python = (code: string): string => `python3 - <<'END'\n${code}\nEND`;
export const FORMATTER = python(`
import pathlib
for file in pathlib.Path("src").rglob("*.js"):
    file.write_text(file.read_text().replace(" = ", "=").strip() + ";\\n")
`);
export const GENERATOR = python(`
import os
for n in range(50):
    os.makedirs(f"gen/part{n % 7}", exist_ok=True)
    open(f"gen/part{n % 7}/file{n}.txt", "w").write(f"made {n}\\n")
`);

/** Every file below a folder with its mode and content, except the state of the gate and of git. */
export function picture(dir: string, below = ""): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(path.join(dir, below), { withFileTypes: true }).map((entry) => {
      const name = path.posix.join(below, entry.name);
      if (entry.isDirectory()) return [".git", ".toolgate"].includes(entry.name) ? {} : picture(dir, name);
      const { mode } = statSync(path.join(dir, name));
      return { [name]: `${(mode & 0o777).toString(8)} ${readFileSync(path.join(dir, name), "utf8")}` };
    }),
  );
}

export const git = (dir: string, ...args: string[]): void => {
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false", ...args], {
    cwd: dir,
    stdio: "ignore",
  });
};

/** Old enough for git to be sure of it. */
export async function repository(files: Files): Promise<string> {
  const dir = folder(files);
  await sleep(30);
  git(dir, "init", "-q");
  git(dir, "add", ".");
  git(dir, "commit", "-qm", "first");
  return dir;
}

/** A gate whose workspace may look at less than usual. */
export async function limited(dir: string, watch: NonNullable<LocalOptions["watch"]>, more: OpenOptions = {}) {
  const local = localWorkspace({ root: dir, watch });
  const processes = localProcesses({ roots: local.roots, state: `${dir}/.toolgate`, sandbox: "auto", network: false });
  const workspace: Workspace = { ...local, processes };
  const gate = await open({ workspace, store: memoryStore(), mode: "yolo", config: {}, ...more });
  const close = async () => {
    await gate.close();
    await processes.close();
  };
  const call = (name: string, args: object) => gate.call({ name, args, messageID: "turn" });
  return { call, close };
}
