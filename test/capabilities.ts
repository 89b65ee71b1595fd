import { spawnSync } from "node:child_process";

declare module "vitest" {
  interface TaskMeta {
    /** What of the machine a test needs. */
    needs?: string;
    /** Why it does not run here. */
    skipped?: string;
  }
}

/** How a part is told from another program of its name, the proof that it works here, and how to get it. */
type Part = { version: readonly string[]; says: RegExp; proof: readonly string[]; status?: number; get: string };

const PARTS = {
  bubblewrap: {
    version: ["bwrap", "--version"],
    says: /^bubblewrap /,
    proof: ["bwrap", "--unshare-all", "--cap-drop", "ALL", "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/true"],
    get: "npm run setup, or apt-get install bubblewrap; and user namespaces must be allowed",
  },
  git: { version: ["git", "--version"], says: /^git version/, proof: ["git", "--exec-path"], get: "install git" },
  patch: { version: ["patch", "--version"], says: /patch/i, proof: ["patch", "--version"], get: "install patch" },
  diff: {
    version: ["diff", "--version"],
    says: /diff/,
    proof: ["diff", "/dev/null", "/dev/null"],
    get: "install diff",
  },
  chromium: {
    version: ["chromium", "--version"],
    says: /^Chromium /,
    proof: ["chromium", "--version"],
    get: "npm run setup, or apt-get install chromium",
  },
  "a terminal": {
    version: ["script", "--version"],
    says: /util-linux/,
    proof: ["script", "-qec", "exit 7", "/dev/null"],
    status: 7,
    get: "install util-linux, for its script program",
  },
} as const satisfies Record<string, Part>;

export type Capability = keyof typeof PARTS;

/** Options of a test or a suite. */
export type Needs = { skip?: true; meta: { needs?: string; skipped?: string } };

const run = ([program = "", ...args]: readonly string[]) =>
  spawnSync(program, args, { encoding: "utf8", input: "", timeout: 20_000 });

/**
 * Skips tests, with a reason, where a part is not installed. One that is installed has to work: what makes it fail may
 * be the code that the tests are there for, which is never asked.
 */
export function needs(name: Capability): Needs {
  const { version, says, proof, get, status = 0 }: Part = PARTS[name];
  const { stdout } = run(version);
  if (!says.test(stdout ?? "")) return { skip: true, meta: { needs: name, skipped: `not installed here: ${get}` } };
  const tried = run(proof);
  if (tried.status === status) return { meta: { needs: name } };
  const said = tried.stderr?.trim() || tried.error?.message || `it ended with ${tried.status ?? tried.signal}`;
  throw new Error(`${name} is installed, but does not work (${said}): ${get}.`);
}

/** For what depends on who runs the tests. */
export const when = (holds: boolean, reason: string): Needs =>
  holds ? { meta: {} } : { skip: true, meta: { skipped: reason } };
