import path from "node:path";
import type { Enforcement, Launch, Process, Processes } from "../core/contracts/process.ts";
import { isBelow, isWithin } from "../core/words/containment.ts";
import { ToolFailure } from "../core/words/result.ts";
import { newID } from "./lib/ids.ts";
import { outputsIn } from "./lib/outputs.ts";
import { findSandbox, type Sandbox } from "./lib/process/bubblewrap.ts";
import type { Keep, Target } from "./lib/process/capture.ts";
import { type Contained, Containment, SCRATCH } from "./lib/process/command-containment.ts";
import { enforcementOf } from "./lib/process/enforcement.ts";
import { environmentOf, MARKER } from "./lib/process/environment.ts";
import { Fifos } from "./lib/process/fifos.ts";
import { helperNamedIn } from "./lib/process/git-helpers.ts";
import type { GuardedFiles } from "./lib/process/guard-mounts.ts";
import { checkLaunch } from "./lib/process/launch-check.ts";
import type { Order } from "./lib/process/launcher.ts";
import { realPath } from "./lib/process/mounts.ts";
import { narrowTo } from "./lib/process/narrow.ts";
import { type Family, killAll, killOnce } from "./lib/process/process-tree.ts";
import { NoSandbox, Running } from "./lib/process/running.ts";
import { SandboxStatus } from "./lib/process/sandbox-status.ts";
import { openSpace } from "./lib/process/session-space.ts";
import { type Lent, SessionSpaces } from "./lib/process/session-spaces.ts";
import { Spawner } from "./lib/process/spawner.ts";
import { Streams } from "./lib/process/streams.ts";
import { trustedProgram } from "./lib/process/trusted-program.ts";
import { ignoreByGit } from "./lib/staging.ts";

export type ProcessOptions = {
  /** Folders that commands may work in; the first one is the workspace. */
  roots: readonly string[];
  /** Where whole outputs are kept, and where the sandbox notes its placeholders. */
  state: string;
  sandbox: "required" | "auto" | "off";
  network: boolean;
  /** The private memory, in bytes, that one process in the sandbox may use. */
  maxMemory?: number | undefined;
  /** Folders of a person's own configuration and trust. Hidden, even inside the roots. */
  personal?: readonly string[];
  /** Folders outside the roots that commands may read. */
  shown?: readonly string[];
  /** Files that commands must not see or not change. */
  guarded?: GuardedFiles;
  /** Variables of the host's environment that are passed on. */
  passEnv?: readonly string[];
  keepOutput?: Partial<Keep>;
  /** From this much memory of this process on, a small helper starts the commands. */
  largeBytes?: number;
};

const KEEP: Keep = { headBytes: 512 * 1024, tailBytes: 512 * 1024, fileBytes: 200_000_000 };
const MOST_RUNNING = 64;
const MOST_ENDED = 32;
const MOST_ATTEMPTS = 4;
const MOST_SHARED_ATTEMPTS = 2;
/** Whether a read-only command line may put something into the background. Any other command may do so anyway. */
const LEAVES = /(?<![&|<>])&(?![&>])|\b(?:setsid|coproc)\b/;

const open = new Set<LocalProcesses>();
const endWithHost = (): void => {
  for (const processes of open) processes.killNow();
};

/** Runs commands on this machine, in a sandbox if that is wanted and works. */
export function localProcesses(options: ProcessOptions): Processes {
  return new LocalProcesses(options);
}

class LocalProcesses implements Processes {
  readonly #options: ProcessOptions;
  readonly #roots: readonly string[];
  readonly #state: string;
  readonly #instance = newID();
  readonly #fifos = new Fifos();
  readonly #spawner: Spawner;
  readonly #containment: Containment;
  #spaces: SessionSpaces | undefined;
  readonly #bash = trustedProgram("bash");
  readonly #starting = new Set<Promise<Running>>();
  readonly #running = new Set<Running>();
  #ended: Running[] = [];
  /** Leaders that ended outside a sandbox; their process groups may still have members. */
  readonly #past = new Set<number>();
  #count = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#roots = options.roots.map((root) => realPath(root) ?? path.resolve(root));
    const state = path.resolve(options.state);
    // not resolved, so that a link in its place is refused
    this.#state = path.join(realPath(path.dirname(state)) ?? path.dirname(state), path.basename(state));
    this.#spawner = new Spawner(options.largeBytes);
    this.#containment = new Containment(this.#roots, this.#state, options, this.#instance);
    if (open.size === 0) process.on("exit", endWithHost);
    open.add(this);
  }

  async enforcement({ access, only }: Pick<Launch, "access" | "only"> = {}): Promise<Enforcement> {
    const narrow = only && narrowTo(only, this.#roots);
    return enforcementOf(await this.#sandbox(), this.#options.network, access, narrow);
  }

  helperOf(places: readonly string[]): string | undefined {
    return helperNamedIn([...places, ...this.#roots], this.#roots);
  }

  #sandbox(): Promise<Sandbox> {
    if (this.#options.sandbox === "off") return Promise.resolve({ missing: "the sandbox is switched off" });
    if (this.#roots.includes("/"))
      return Promise.resolve({
        missing: "the workspace is the whole machine, so there is nothing to keep commands out of",
      });
    return findSandbox();
  }

  async start(launch: Launch, onOutput?: (text: string) => void): Promise<Process> {
    if (this.#closing)
      throw new ToolFailure("CANCELLED", "No more commands are started.", "This workspace was closed.");
    if (this.#running.size + this.#starting.size >= MOST_RUNNING)
      throw new ToolFailure(
        "RATE_LIMITED",
        `${MOST_RUNNING} commands are running, which is the limit.`,
        "Wait for some of them, or kill what is not needed.",
      );
    checkLaunch(launch, this.#roots);
    ignoreByGit(this.#state, isWithin(this.#state, this.#roots[0] ?? "/") ? (this.#roots[0] ?? "/") : "/");
    const starting = this.#startSurely(launch, onOutput);
    this.#starting.add(starting);
    try {
      const running = await starting;
      if (this.#closing) await running.kill();
      return running;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** Retries, because what the sandbox hides, such as a socket, may vanish while it is set up. */
  async #startSurely(launch: Launch, onOutput?: (text: string) => void): Promise<Running> {
    for (let attempt = 1; ; attempt++) {
      const { session } = launch;
      const shares = attempt <= MOST_SHARED_ATTEMPTS;
      try {
        const running = await this.#start(launch, shares, onOutput);
        if (!shares && session !== undefined) this.#spaces?.giveUp(session);
        return running;
      } catch (error) {
        if (!(error instanceof NoSandbox) || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  async #start(launch: Launch, shares: boolean, onOutput?: (text: string) => void): Promise<Running> {
    const { command, cwd, access = "read-write", only, locked, hidden, env: asked, input, session = "other" } = launch;
    const narrow = only && narrowTo(only, this.#roots);
    const sandbox = await this.#sandbox();
    const required = this.#options.sandbox === "required";
    if (required && "missing" in sandbox)
      throw new ToolFailure(
        "CONFIG_ERROR",
        `Commands run only in a sandbox, and there is none: ${sandbox.missing}.`,
        "A person can make it work, or set commands.sandbox to auto or off.",
      );
    const bash = this.#bash;
    if (!bash) throw new ToolFailure("CONFIG_ERROR", "bash was not found in the system's folders.", "Install bash.");
    const number = ++this.#count;
    const mark = `${this.#instance}.${number}.`;
    const sandboxed = "program" in sandbox;
    const lent = sandboxed && shares ? await this.#lend(sandbox.program, launch) : undefined;
    let pipes: readonly string[] = [];
    try {
      const { passEnv = [] } = this.#options;
      const enforcement = enforcementOf(sandbox, this.#options.network, access, narrow);
      const onlyLooks = access === "read-only";
      const surroundings = {
        ...{ host: process.env, passEnv, roots: this.#roots, bash, offline: enforcement.network === "none" },
        ...(sandboxed && { temporary: lent && onlyLooks ? SCRATCH : "/tmp" }),
      };
      const env = environmentOf(surroundings, asked, onlyLooks);
      env[MARKER] = mark;
      const argv = ["--noprofile", "--norc", "-c", command];
      pipes = await this.#fifos.take(2 + (sandboxed ? 1 : 0) + (input === undefined || input === false ? 0 : 1));
      const [stdout, stderr, ...others] = pipes as [string, string, ...string[]];
      const status = sandboxed ? (others.shift() as string) : undefined;
      const stdin = others.shift();
      const keep = { ...KEEP, ...this.#options.keepOutput };
      const streams = new Streams({ stdout, stderr }, keep, (stream) => this.#kept(session, number, stream), onOutput);
      const born = {
        id: `p${number}`,
        ...{ command, cwd: cwd.real, env: asked, sessions: [session, ...(launch.above ?? [])] },
        enforcement,
        mark,
        streams,
        status: status === undefined ? undefined : new SandboxStatus(status),
        input: stdin,
        ...(typeof input === "string" && { text: input }),
      };
      const afterwards = input ? "wait" : access !== "read-only" || LEAVES.test(command) ? "tell" : "nothing";
      const prepare = (): { order: Order; release: () => void } => {
        const contained: Contained = sandboxed
          ? this.#containment.contain(sandbox, {
              argv: [bash, ...argv],
              env,
              cwd: cwd.real,
              access,
              afterwards,
              narrow,
              ...{ locked, hidden },
              space: lent?.space,
            })
          : { file: bash, args: argv, env, release: () => {} };
        const { file, args, left, ...rest } = contained;
        if (left) enforcement.left = left;
        const { filter, lookingFilter = filter } = sandboxed ? sandbox : {};
        const filters =
          filter === undefined ? [] : [access === "read-write" && !narrow ? filter : (lookingFilter ?? filter)];
        const all = [stdin ?? null, stdout, stderr, ...(status === undefined ? [] : [status, status]), ...filters];
        return { order: { file, args, env: rest.env, cwd: cwd.real, streams: all }, release: rest.release };
      };
      const running = await Running.start(born, prepare, this.#spawner);
      this.#follow(running, sandboxed, lent);
      return running;
    } catch (error) {
      lent?.release();
      throw error;
    } finally {
      this.#fifos.give(pipes);
    }
  }

  /** Builds that run unasked share nothing; read-only commands see the session's files, if there are any. */
  #lend(program: string, { session, access = "read-write" }: Launch): Promise<Lent | undefined> | undefined {
    const isOpen = access === "read-write";
    if (session === undefined || access === "build" || (!isOpen && !this.#containment.hasScratch())) return undefined;
    this.#spaces ??= new SessionSpaces(() =>
      openSpace({ program, network: !this.#options.network, names: this.#containment.namesInTmp() }),
    );
    return this.#spaces.lend(session, isOpen);
  }

  forget(session: string): void {
    this.#spaces?.forget(session);
  }

  /** `shown` is the path as file tools take it. */
  #kept(session: string, number: number, stream: string): Target {
    const [root = "/"] = this.#roots;
    const outputs = outputsIn(this.#state, isBelow(this.#state, root) ? root : "/");
    const { file, ...room } = outputs.reserve(session, `command-${this.#instance}-${number}.${stream}.txt`);
    const shown = isBelow(file, root) ? path.relative(root, file) : file;
    return { file, shown, ...room };
  }

  #follow(running: Running, sandboxed: boolean, lent: Lent | undefined): void {
    this.#running.add(running);
    const note = (): void => {
      lent?.release();
      this.#running.delete(running);
      this.#ended.push(running);
      if (this.#ended.length > MOST_ENDED) this.#ended = this.#ended.slice(-MOST_ENDED);
      if (!sandboxed) this.#past.add(running.family.leader);
    };
    // whoever waits for it is told what could not be undone
    running.exited.then(note, note);
  }

  /** The running commands, and the last ones that ended. */
  list(): readonly Process[] {
    return [...this.#ended, ...this.#running];
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#starting);
    await Running.endTogether([...this.#running]);
    if (this.#past.size > 0) await killAll(() => this.#leftovers());
    this.#spawner.close();
    this.#containment.close();
    await this.#spaces?.close();
    await this.#fifos.close();
    open.delete(this);
    if (open.size === 0) process.off("exit", endWithHost);
  }

  #leftovers(): Family[] {
    return [...this.#past].map((leader) => ({ leader, leaderLives: false, mark: `${this.#instance}.` }));
  }

  /** Kills without waiting, because the host exits. */
  killNow(): void {
    const families = [...this.#running].map((running) => running.family);
    if (families.length + this.#past.size > 0) killOnce([...families, ...this.#leftovers()]);
  }
}
