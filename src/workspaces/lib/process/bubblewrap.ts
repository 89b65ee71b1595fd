import { execFile } from "node:child_process";
import { trustedProgram } from "./programs.ts";

/** A sandbox that was really started on this machine, or why there is none. */
export type Sandbox = { program: string; isolation: readonly string[]; weaker?: string } | { missing: string };

const HOW = "install bubblewrap (on Debian and Ubuntu: apt-get install bubblewrap)";
const ISOLATION = ["--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
const BASE = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"];
const PROBE_MS = 10_000;

type Tried = { ok: boolean; said: string };

const attempt = (program: string, flags: readonly string[]): Promise<Tried> =>
  new Promise((resolve) => {
    execFile(
      program,
      [...flags, ...BASE, "--", "/bin/cat", "/proc/self/status"],
      { env: {}, timeout: PROBE_MS, killSignal: "SIGKILL", cwd: "/" },
      (error, stdout, stderr) => {
        const held = /^CapEff:\s*0+$/m.test(stdout) && /^NoNewPrivs:\s*1$/m.test(stdout);
        const said = stderr.trim() || (error ? error.message : "it started, but left capabilities");
        resolve({ ok: !error && held, said });
      },
    );
  });

async function probe(): Promise<Sandbox> {
  if (process.platform !== "linux") return { missing: `bubblewrap exists for Linux only, this is ${process.platform}` };
  const program = trustedProgram("bwrap");
  if (!program) return { missing: `bubblewrap (bwrap) is not installed: ${HOW}` };
  const strict = [...ISOLATION, "--disable-userns"];
  const first = await attempt(program, strict);
  if (first.ok) return { program, isolation: strict };
  const second = await attempt(program, ISOLATION);
  if (second.ok)
    return { program, isolation: ISOLATION, weaker: "this bubblewrap cannot forbid nested user namespaces (0.8 can)" };
  return { missing: `bubblewrap does not work here (${second.said}); user namespaces may be switched off` };
}

let probed: Promise<Sandbox> | undefined;

/** Tried out once a process. */
export const findSandbox = (): Promise<Sandbox> => {
  probed ??= probe();
  return probed;
};

/**
 * Says on file descriptor 4 that the sandbox stands, then sets the limits and becomes the command. A limit that is
 * lower already stays. Units of -f differ between shells: 4 or 8 GB. Out of memory hits the command first.
 */
const prelude = (maxMemory: number | undefined): string => `echo started >&4; exec 4>&-
{ echo 500 >/proc/self/oom_score_adj; ulimit -c 0; ulimit -f 8388608; ulimit -n 65536; ulimit -u 8192 || ulimit -p 8192; ${memoryLimit(maxMemory)}; } 2>/dev/null
exec "$@"`;

/** Of what a process has reserved it counts only what it may write and shares with nobody, so address space is free. */
const memoryLimit = (bytes: number | undefined): string =>
  bytes === undefined ? ":" : `ulimit -d ${Math.ceil(bytes / 1024)}`;

type Contents = {
  network: boolean;
  maxMemory?: number | undefined;
  mounts: readonly string[];
  cwd: string;
  set: readonly string[];
  argv: readonly string[];
};

/** `mounts` come after the read-only system, so they decide what is shown and what may be written. */
export function sandboxArguments(
  isolation: readonly string[],
  { network, maxMemory, mounts, cwd, set, argv }: Contents,
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
    "--",
    "/bin/sh",
    "-c",
    prelude(maxMemory),
    "sh",
    ...argv,
  ];
}
