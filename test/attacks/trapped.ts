import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type OpenOptions, Tool, z } from "../../src/index.ts";
import { folder } from "../journeys/harness.ts";

/** The ways to open a gate in which a line that is judged safe runs and asks nobody. */
export const MODES: [name: string, options: OpenOptions][] = [
  ["confirm-sensitive", { mode: "confirm-sensitive" }],
  ["plan", { mode: "confirm-sensitive", plan: true }],
  ["dry run", { mode: "confirm-sensitive", dryRun: true }],
];

/** A tool that has any line judged safe, as a wrong reading of it would. */
export const wronglySafe = Tool.define("wrongly_safe", {
  description: "Runs a command that was taken for harmless by mistake.",
  permissions: { required: ["execute"] },
  input: z.object({ command: z.string() }),
  touches: ({ command }) => [{ action: "run", command, class: "safe" }],
  async execute({ command }, { commands }) {
    const running = await commands.start({ command, cwd: "." });
    const { code } = await running.exited;
    const { stdout, stderr } = running.captured();
    return { title: "ran", output: `${stdout.text}${stderr.text}`, metadata: { code, held: running.enforcement } };
  },
});

/** A tool that runs a line with a writable workspace, whatever its class. */
export const unheld = Tool.define("unheld", {
  description: "Runs a command that may write to the workspace, as one would that was taken for harmful.",
  permissions: { required: ["execute"] },
  input: z.object({ command: z.string() }),
  touches: ({ command }) => [{ action: "run", command, class: "dangerous" }],
  timeLimit: () => 120_000,
  async execute({ command }, { commands }) {
    const running = await commands.start({ command, cwd: "." });
    await running.exited;
    return { title: "ran", output: running.captured().stdout.text };
  },
});

const quoted = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`;
/** A line in a shell of its own, silent and not for long. */
export const alone = (line: string, seconds = 1): string =>
  `timeout ${seconds} bash -c ${quoted(line)} < /dev/null > /dev/null 2>&1`;
/** One script that runs each of many lines in a shell of its own, and then says END. */
export const eachAlone = (lines: readonly string[]): string =>
  ["export GIT_OPTIONAL_LOCKS=0", ...lines.map((line) => alone(line)), "echo END"].join("\n");

/** Names that people type all day: a file of such a name in the workspace must never be what runs. */
const NAMES =
  "ls cat git rg grep find node npm python3 sort wc head tail jq diff less bash sh env cargo file tree awk sed tr cut stat xargs date make time timeout nice pager".split(
    " ",
  );
const HOOKS =
  "pre-commit post-checkout post-index-change fsmonitor-watchman post-merge pre-auto-gc reference-transaction".split(
    " ",
  );

export type Trapped = { base: string; dir: string; beside: string };

/** A repository in which everything that a program might obey leaves a mark, in the workspace and beside it. */
export function trapped(): Trapped {
  const base = folder();
  const dir = path.join(base, "work");
  const beside = path.join(base, "beside");
  const trap = `#!/bin/sh\nPATH=/usr/bin:/bin\nfor at in '${dir}' '${beside}'; do echo "$0 $*" >> "$at/TRAPPED"; rm -f "$at/precious"; done\ncat\n`;
  const put = (name: string, text: string, mode = 0o644): void => {
    const file = path.join(base, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  put("beside/precious", "p\n");
  put("work/precious", "p\n");
  for (const name of ["a", "b", "x", "README.md", "src/one.ts", "src/deep/two.md", "log"])
    put(`work/${name}`, "foo\nbar\n");
  const git = (...args: string[]): void => {
    const who = ["-c", "user.name=n", "-c", "user.email=e@example.com"];
    execFileSync("git", [...who, ...args], { cwd: dir, stdio: "ignore" });
  };
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  put("work/a", "foo\nchanged\n");
  git("commit", "-qam", "second");
  put("work/b", "changed as well\n");
  put("work/trap", trap, 0o755);
  for (const name of NAMES) put(`work/${name}`, trap, 0o755);
  for (const name of HOOKS) put(`work/.git/hooks/${name}`, trap, 0o755);
  put("work/.gitattributes", "* diff=trap filter=trap merge=trap\n");
  put("work/.bashrc", `'${dir}/trap'\n`);
  put("work/.npmrc", `script-shell=${dir}/trap\nnode-options=--require=${dir}/trap.cjs\n`);
  put("work/trap.cjs", `require("fs").writeFileSync("${dir}/TRAPPED-by-node", "")\n`);
  put("work/sitecustomize.py", `open("${dir}/TRAPPED-by-python", "w")\n`);
  const scripts = Object.fromEntries(
    ["prels", "ls", "postls", "preview", "prepare", "version"].map((name) => [name, "./trap"]),
  );
  put("work/package.json", JSON.stringify({ name: "trapped", version: "1.0.0", scripts }));
  const told = `${dir}/trap`;
  put("work/Makefile", "all a ls:\n\t./trap\n.PHONY: all a ls\n");
  put("work/.envrc", `'${told}'\n`);
  put("work/.gitconfig", `[alias]\n\tll = !${told}\n[core]\n\tpager = ${told}\n`);
  put("work/.ripgreprc", `--pre=${told}\n`);
  put("work/.lessfilter", trap, 0o755);
  put("work/trap.so", "not a library\n");
  const settings = `
[core]
	fsmonitor = ${told}
	pager = ${told}
	hooksPath = ${dir}/.git/hooks
	sshCommand = ${told}
	editor = ${told}
	askPass = ${told}
	alternateRefsCommand = ${told}
[merge "trap"]
	driver = ${told}
[interactive]
	diffFilter = ${told}
[remote "origin"]
	url = ext::${told}
	uploadpack = ${told}
[diff]
	external = ${told}
[diff "trap"]
	textconv = ${told}
	command = ${told}
[filter "trap"]
	clean = ${told}
	smudge = ${told}
	process = ${told}
[gpg]
	program = ${told}
[log]
	showSignature = true
[credential]
	helper = ${told}
[alias]
	status = !${told}
	st = !${told}
[pager]
	log = ${told}
	diff = ${told}
`;
  writeFileSync(path.join(dir, ".git/config"), settings, { flag: "a" });
  return { base, dir, beside };
}

/** All that lies below a folder: kinds, modes, sizes, contents and when it was changed; the gate's own state is its own. */
export function picture(base: string, below = ""): string[] {
  return readdirSync(path.join(base, below)).flatMap((name) => {
    if (name === ".toolgate") return [];
    const file = path.posix.join(below, name);
    const stats = lstatSync(path.join(base, file));
    const line = `${file} ${stats.mode.toString(8)} ${stats.isDirectory() ? "" : stats.mtimeMs}`;
    if (stats.isDirectory()) return [line, ...picture(base, file)];
    if (stats.isSymbolicLink()) return [`${line} ${readlinkSync(path.join(base, file))}`];
    return [`${line} ${readFileSync(path.join(base, file), "latin1")}`];
  });
}
