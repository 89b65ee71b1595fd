import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import type { Readable, Writable } from "node:stream";
import { withoutInherited } from "./launcher.ts";
import { empty, kindOf, type Mount } from "./mounts.ts";
import { trustedProgram } from "./trusted-program.ts";

/** Where bubblewrap finds the session's files. Commands mount their own /dev over it, and no root can be there. */
const SEAT = "/dev/pts";
const SHARED_TMP = `${SEAT}/tmp`;
const TMP = "/tmp";
const MOST_BYTES = 4 * 1024 ** 3;
const START_MS = 10_000;

/** The program through which bubblewrap is started, and whether it provides a network namespace. */
export type Entry = { file: string; args: readonly string[]; network: boolean };

type Kind = "user" | "mnt" | "net";

/**
 * What the commands of one session share: a loopback network and a /tmp. No process keeps it alive: this one holds the
 * namespaces open as files, so they end when it closes them or dies, and no command can end them.
 */
export class SessionSpace {
  readonly #program: string;
  readonly #files: ReadonlyMap<Kind, number>;
  readonly #names: ReadonlySet<string>;
  #closed = false;

  constructor(program: string, files: ReadonlyMap<Kind, number>, names: readonly string[]) {
    this.#program = program;
    this.#files = files;
    this.#names = new Set(names);
  }

  /** The mounts need the session's files; the network is for commands that may talk to each other. */
  entry(withNetwork: boolean): Entry {
    const network = withNetwork && this.#files.has("net");
    const files = [...this.#files].filter(([kind]) => kind !== "net" || network);
    const options = files.map(([kind, fd]) => `--${kind === "mnt" ? "mount" : kind}=/proc/${process.pid}/fd/${fd}`);
    return { file: this.#program, args: [...options, "--preserve-credentials", "--"], network };
  }

  /**
   * Replaces the empty /tmp by the session's. Everything else mounted below /tmp lies in folders that every command of
   * the session covers with mounts of its own, so that no command can leave a link there for the next one. Returns
   * undefined if something would be mounted where a command could have put a link.
   */
  shareTmp(mounts: readonly Mount[], readOnly: boolean): Mount[] | undefined {
    // if /tmp is the workspace, or part of it, it stays as it is
    if (!mounts.some(({ path, kind }) => path === TMP && kind === "hidden")) return [...mounts];
    const names = namesBelowTmp(mounts);
    if (!names.every((name) => this.#names.has(name))) return undefined;
    const tmp: Mount = { path: TMP, kind: "hidden", args: [readOnly ? "--ro-bind" : "--bind", SHARED_TMP, TMP] };
    return [...names.map((name) => empty(`${TMP}/${name}`)), ...mounts.filter(({ path }) => path !== TMP), tmp];
  }

  close(): void {
    if (!this.#closed) for (const fd of this.#files.values()) fs.closeSync(fd);
    this.#closed = true;
  }
}

/** The names in /tmp at or below which something is mounted. */
export const namesBelowTmp = (mounts: readonly Mount[]): string[] => [
  ...new Set(mounts.flatMap(({ path }) => (path.startsWith(`${TMP}/`) ? (path.split("/")[2] ?? []) : []))),
];

type Wanted = {
  /** The path of bubblewrap. */
  program: string;
  /** Commands have no access to the host's network, so they share a separate one. */
  network: boolean;
  /** Names in /tmp at or below which commands mount something. */
  names: readonly string[];
};

/** Returns undefined if this machine cannot provide one. */
export async function openSpace({ program, network, names }: Wanted): Promise<SessionSpace | undefined> {
  const enters = trustedProgram("nsenter");
  if (!enters || kindOf(SEAT) !== "folder" || names.some((name) => kindOf(`${TMP}/${name}`) !== "folder"))
    return undefined;
  const bytes = Math.min(MOST_BYTES, Math.floor(os.totalmem() / 2));
  const args = [
    ...["--unshare-user", ...(network ? ["--unshare-net"] : []), "--die-with-parent", "--dev-bind", "/", "/"],
    ...["--perms", "0700", "--size", String(bytes), "--tmpfs", SEAT, "--perms", "1777", "--dir", SHARED_TMP],
    ...names.flatMap((name) => ["--dir", `${SHARED_TMP}/${name}`]),
    ...["--json-status-fd", "3", "--", "/bin/cat"],
  ];
  const child = spawn(program, args, {
    stdio: withoutInherited(["pipe", "pipe", "ignore", "pipe"] as const),
    env: {},
    cwd: "/",
    detached: true,
    timeout: START_MS,
    killSignal: "SIGKILL",
  });
  const [stdin, stdout, , status] = child.stdio as unknown as [Writable, Readable, null, Readable];
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  stdin.on("error", () => {});
  // `cat` echoes this from inside, once everything is mounted
  stdin.write("\n");
  try {
    const heard = await Promise.race([Promise.all([pidIn(status), saidBy(stdout)]), gone]);
    const files = heard ? namespacesOf(heard[0], network ? ["user", "mnt", "net"] : ["user", "mnt"]) : undefined;
    return files && new SessionSpace(enters, files, names);
  } finally {
    // this ends the child, and nothing waits for it
    for (const stream of [stdin, stdout, status]) stream.destroy();
  }
}

const saidBy = (stream: Readable): Promise<void> => new Promise((resolve) => void stream.once("data", () => resolve()));

const pidIn = (status: Readable): Promise<number> =>
  new Promise((resolve) => {
    let heard = "";
    status.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      const pid = /"child-pid":\s*(\d+)/.exec(heard)?.[1];
      if (pid !== undefined) resolve(Number(pid));
    });
  });

/** If a namespace is our own, sharing it would let commands out: returns undefined. */
function namespacesOf(pid: number, kinds: readonly Kind[]): ReadonlyMap<Kind, number> | undefined {
  const files = new Map<Kind, number>();
  try {
    for (const kind of kinds) {
      const fd = fs.openSync(`/proc/${pid}/ns/${kind}`, "r");
      files.set(kind, fd);
      if (fs.readlinkSync(`/proc/self/fd/${fd}`) === fs.readlinkSync(`/proc/self/ns/${kind}`)) throw new Error(kind);
    }
    return files;
  } catch {
    for (const fd of files.values()) fs.closeSync(fd);
    return undefined;
  }
}
