import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished, vi } from "vitest";
import { Containment } from "../../src/workspaces/lib/process/command-containment.ts";

type Operation = { name: string; source?: string; target: string };

/** How many words follow the name of each argument that we give to bubblewrap. */
const MOUNTS: Readonly<Record<string, number>> = { "--ro-bind": 2, "--bind": 2, "--tmpfs": 1, "--dev": 1, "--proc": 1 };

/** The mounts among the arguments of bubblewrap, in their order. An argument nobody knows fails the test. */
export function mountsIn(args: readonly string[]): Operation[] {
  const found: Operation[] = [];
  const end = args.indexOf("--chdir");
  for (let at = args.indexOf("--ro-bind"); at < end; ) {
    // of what comes next
    if (args[at] === "--perms") at += 2;
    const name = args[at] as string;
    const words = args.slice(at + 1, at + 1 + (MOUNTS[name] ?? Number.NaN));
    if (words.length === 0) throw new Error(`${name} is not known here.`);
    found.push(
      words.length === 2
        ? { name, source: words[0] as string, target: words[1] as string }
        : { name, target: words[0] as string },
    );
    at += 1 + words.length;
  }
  return found;
}

const holds = (folder: string, file: string): boolean =>
  folder === "/" || file === folder || file.startsWith(`${folder}/`);

/** What a command finds at a path, as bubblewrap does it: what is mounted later lies over what came before. */
export function viewOf(args: readonly string[], file: string): string {
  let view = "nothing";
  for (const { name, source = "", target } of mountsIn(args)) {
    if (!holds(target, file)) continue;
    if (source === "/dev/null") view = "blank";
    else if (name === "--ro-bind") view = "read";
    else if (name === "--bind") view = "write";
    else view = "empty";
    if (source !== "" && source !== target && source !== "/dev/null") view += ` ${source}`;
  }
  return view;
}

export type Site = {
  /** Holds all of them. */
  base: string;
  root: string;
  home: string;
  state: string;
  /** Names with a slash at the end are folders, `-> x` makes a link. */
  put(files: Record<string, string>): void;
  at(name: string): string;
  args(options?: Options): string[];
};
type Options = {
  roots?: readonly string[];
  network?: boolean;
  maxMemory?: number;
  personal?: readonly string[];
  env?: Record<string, string>;
  isRoot?: boolean;
  state?: string;
  home?: string;
};

export const ISOLATION = ["--isolated"];
let count = 0;

/** A workspace and a home folder for one test, and the arguments of a sandbox for it. */
export function useSite(): Site {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-site-")));
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    fs.rmSync(base, { recursive: true, force: true });
  });
  const site: Site = {
    base,
    root: path.join(base, "root"),
    home: path.join(base, "home"),
    state: path.join(base, "root/.toolgate"),
    at: (name) => path.join(base, name),
    put(files) {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(base, name);
        fs.mkdirSync(name.endsWith("/") ? file : path.dirname(file), { recursive: true });
        if (name.endsWith("/")) continue;
        if (text.startsWith("-> ")) fs.symlinkSync(text.slice(3), file);
        else fs.writeFileSync(file, text);
      }
    },
    args({ roots = [site.root], env = {}, isRoot = false, state = site.state, home = site.home, ...settings } = {}) {
      vi.stubEnv("HOME", home);
      vi.spyOn(process, "getuid").mockReturnValue(isRoot ? 0 : 1000);
      const containment = new Containment(roots, state, { network: false, ...settings }, `site${count++}`);
      const { args, release } = containment.contain(
        { program: "/bin/bwrap", isolation: ISOLATION },
        { argv: ["bash", "-c", "true"], env, cwd: roots[0] as string },
      );
      onTestFinished(() => {
        release();
        containment.close();
      });
      return args;
    },
  };
  site.put({ "root/": "", "home/": "" });
  return site;
}
