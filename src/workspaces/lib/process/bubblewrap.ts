import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { filterFile } from "./seccomp.ts";
import { trustedProgram } from "./trusted-program.ts";

/** A sandbox that has been started successfully on this machine, or why there is none. */
export type Sandbox =
  | { program: string; isolation: readonly string[]; filter?: string; lookingFilter?: string; weaker?: string }
  | { missing: string };

const HOW = "install bubblewrap (on Debian and Ubuntu: apt-get install bubblewrap)";
const ISOLATION = ["--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
const BASE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
const PROBE_MS = 10_000;

/** The descriptor for the seccomp filter, after the standard streams and the sandbox's own two. */
const FILTER_FD = 5;
const withFilter = (filter: string | undefined): string[] =>
  filter === undefined ? [] : ["--seccomp", String(FILTER_FD)];

type Tried = { ok: boolean; said: string };

function attempt(program: string, flags: readonly string[], filter: string | undefined): Promise<Tried> {
  const fd = filter === undefined ? undefined : fs.openSync(filter, "r");
  const args = [...flags, ...BASE, ...withFilter(filter), "--", "/bin/cat", "/proc/self/status"];
  const child = spawn(program, args, {
    env: {},
    timeout: PROBE_MS,
    killSignal: "SIGKILL",
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe", "ignore", "ignore", fd ?? "ignore"],
  });
  if (fd !== undefined) fs.closeSync(fd);
  const { stdout, stderr } = child as { stdout: Readable; stderr: Readable };
  return Promise.all([text(stdout), text(stderr), ended(child)]).then(([status, errors, problem]) => {
    const filtered = filter === undefined || /^Seccomp:\s*2$/m.test(status);
    const held = /^CapEff:\s*0+$/m.test(status) && /^NoNewPrivs:\s*1$/m.test(status) && filtered;
    const said = errors.trim() || problem || "it started, but left capabilities";
    return { ok: problem === undefined && held, said };
  });
}

const ended = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, signal) => resolve(code === 0 ? undefined : `it ended with ${code ?? signal}`));
  });

const NESTED = "this bubblewrap cannot forbid nested user namespaces (0.8 can)";
const UNFILTERED = "no system call filter can be set here";

async function probe(): Promise<Sandbox> {
  if (process.platform !== "linux") return { missing: `bubblewrap only runs on Linux; this is ${process.platform}` };
  const program = trustedProgram("bwrap");
  if (!program) return { missing: `bubblewrap (bwrap) is not installed: ${HOW}` };
  const strict = [...ISOLATION, "--disable-userns"];
  const known = filterFile();
  let said = "";
  for (const filter of known === undefined ? [undefined] : [known, undefined])
    for (const isolation of [strict, ISOLATION]) {
      const tried = await attempt(program, isolation, filter);
      said = tried.said;
      if (!tried.ok) continue;
      const weaker = [isolation === strict ? "" : NESTED, filter === undefined ? UNFILTERED : ""].filter(Boolean);
      return {
        ...{ program, isolation },
        ...(filter !== undefined && { filter, lookingFilter: filterFile(true) ?? filter }),
        ...(weaker.length > 0 && { weaker: weaker.join("; ") }),
      };
    }
  return { missing: `bubblewrap does not work here (${said}); user namespaces may be switched off` };
}

let probed: Promise<Sandbox> | undefined;

/** Probes once per process. */
export const findSandbox = (): Promise<Sandbox> => {
  probed ??= probe();
  return probed;
};

/** What the shell around a command does after the command has ended. */
export type Afterwards = "nothing" | "tell" | "wait";

/**
 * Reports on file descriptor 4 that the sandbox is up, sets the limits, and becomes the command. A lower limit stays.
 * The unit of `ulimit -f` differs between shells: 4 or 8 GB. Out of memory kills the command first.
 */
const prelude = (maxMemory: number | undefined, afterwards: Afterwards): string => `echo started >&4
{ echo 500 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f 8388608; ulimit -n 65536; ulimit -u 8192 || ulimit -p 8192; ${memoryLimit(maxMemory)}; } 2>/dev/null
${afterwards === "nothing" ? 'exec 4>&-\nexec "$@"' : withLeftovers(afterwards)}`;

/**
 * Waits for the command to end, then names the processes that it left running, because the sandbox is about to kill
 * them. What was about to end gets a moment, such as a `tee` that nobody waits for; a background command lasts as long
 * as anything that it started. Signals that ask a command to end are left to the command.
 */
const withLeftovers = (afterwards: "tell" | "wait"): string => `trap : HUP INT TERM
exec 9>&2 2>/dev/null
(exec "$@" 2>&9 4>&- 9>&-)
code=$?
left() { for p in /proc/[0-9]*; do case \${p#/proc/} in 1|$$) ;; *) return 0;; esac; done; return 1; }
${afterwards === "wait" ? "while left; do sleep 0.2 || break; done" : `for n in 1 2 3 4 5; do left || break; sleep 0.02; done`}
n=0
if left; then for p in /proc/[0-9]*; do case \${p#/proc/} in 1|$$) ;; *) echo "left $(tr '\\0\\n' '  ' <$p/cmdline | head -c 200)" >&4; n=$((n+1));; esac; [ $n -lt 10 ] || break; done; fi
exit $code`;

/** Limits only private writable memory (`ulimit -d`), so that reserving address space is free. */
const memoryLimit = (bytes: number | undefined): string =>
  bytes === undefined ? ":" : `ulimit -d ${Math.ceil(bytes / 1024)}`;

type Contents = {
  network: boolean;
  afterwards: Afterwards;
  maxMemory?: number | undefined;
  filter?: string | undefined;
  mounts: readonly string[];
  cwd: string;
  set: readonly string[];
  argv: readonly string[];
};

/** `mounts` come after the read-only root, so they decide what is visible and what is writable. */
export function sandboxArguments(
  isolation: readonly string[],
  { network, afterwards, maxMemory, filter, mounts, cwd, set, argv }: Contents,
): string[] {
  return [
    ...isolation,
    ...(network ? ["--share-net"] : []),
    "--ro-bind",
    "/",
    "/",
    ...mounts,
    "--chdir",
    cwd,
    ...set,
    "--json-status-fd",
    "3",
    ...withFilter(filter),
    "--",
    "/bin/sh",
    "-c",
    prelude(maxMemory, afterwards),
    "sh",
    ...argv,
  ];
}
