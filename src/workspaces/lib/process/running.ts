import fs from "node:fs";
import net from "node:net";
import type { Captured, Enforcement, Exit, Fed, LeftBehind, Process } from "../../../core/contracts/process.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Launched, Launcher, Order } from "./launcher.ts";
import { askToEnd, type Family, killAll, wordsOfLiving } from "./process-tree.ts";
import type { SandboxStatus } from "./sandbox-status.ts";
import type { Streams } from "./streams.ts";

const GRACE_MS = 500;
/** How much of what a command was given is remembered. */
const MOST_GIVEN = 8_192;

export type Birth = {
  id: string;
  command: string;
  cwd: string;
  env?: Readonly<Record<string, string>> | undefined;
  sessions: readonly string[];
  enforcement: Enforcement;
  mark: string;
  input: string | undefined;
  /** The whole input, if it is known from the start. */
  text?: string;
  streams: Streams;
  /** Set if the command runs in a sandbox. */
  status: SandboxStatus | undefined;
};

/** `release` undoes what was set up for the command. It is called when no process of the command is left. */
type Prepare = () => { order: Order; release: () => void };

/** Thrown only if the command was certainly not run. */
export class NoSandbox extends ToolFailure {
  constructor(message: string) {
    super(
      "CONFIG_ERROR",
      message,
      "Try again. If it keeps failing, a person has to look at it (`toolgate doctor`), or set commands.sandbox to off.",
    );
  }
}

/** One command and everything it started. */
export class Running implements Process {
  readonly id: string;
  readonly command: string;
  readonly startedAt = Date.now();
  readonly background: boolean;
  readonly sessions: readonly string[];
  fed: Fed | undefined;
  readonly enforcement: Enforcement;
  readonly exited: Promise<Exit>;
  exit: Exit | undefined;
  left: LeftBehind | undefined;
  readonly #streams: Streams;
  readonly #family: Family;
  readonly #sandboxed: boolean;
  #input: net.Socket | undefined;
  #killing: Promise<void> | undefined;

  private constructor(birth: Birth, { pid, exit }: Launched, release: () => void) {
    this.id = birth.id;
    this.command = birth.command;
    this.background = birth.input !== undefined && birth.text === undefined;
    this.sessions = birth.sessions;
    const { command, cwd, env } = birth;
    this.fed = this.background ? { command, cwd, ...(env && { env }), given: "" } : undefined;
    this.enforcement = birth.enforcement;
    this.#streams = birth.streams;
    this.#family = { leader: pid, leaderLives: true, mark: birth.mark };
    this.#sandboxed = birth.status !== undefined;
    this.#input = birth.input === undefined ? undefined : openWriter(birth.input);
    if (birth.text !== undefined) this.#input?.end(birth.text);
    this.#streams.listen();
    this.exited = this.#follow(birth.status, release, exit);
  }

  /** Rejects if the command, or its sandbox, could not be started. */
  static async start(birth: Birth, prepare: Prepare, launcher: Launcher): Promise<Running> {
    const { status, streams, input } = birth;
    let running: Running;
    let release = (): void => {};
    let holder: number | undefined;
    try {
      const prepared = prepare();
      release = prepared.release;
      // opened for both until the command has its end, because opening only one end would block
      if (input !== undefined) holder = fs.openSync(input, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
      running = new Running(birth, await launcher.launch(prepared.order), release);
    } catch (error) {
      streams.abandon();
      status?.abandon();
      release();
      throw notStarted(error);
    } finally {
      if (holder !== undefined) fs.closeSync(holder);
    }
    if (status) await status.settled(running.exited);
    if (status && !status.stood && running.exit) {
      const said = running.captured().stderr.text.trim();
      throw new NoSandbox(
        `The sandbox could not be set up, so the command was not run: ${said.slice(0, 2000) || "bubblewrap gave no reason"}.`,
      );
    }
    return running;
  }

  async #follow(status: SandboxStatus | undefined, release: () => void, ended: Promise<Exit>): Promise<Exit> {
    const exit = await ended;
    this.#family.leaderLives = false;
    this.#input?.destroy();
    this.#input = undefined;
    if (status && !(await status.emptied())) await killAll(() => [this.#family]);
    try {
      release();
    } finally {
      await this.#streams.lastWords();
      const names = status ? status.left() : wordsOfLiving(this.#family, !this.#streams.isOver);
      if (names.length > 0 && !this.stopped) this.left = { names, ended: status !== undefined };
      status?.abandon();
      this.exit = exit;
    }
    return exit;
  }

  captured(): { stdout: Captured; stderr: Captured } {
    return this.#streams.captured();
  }

  fresh(): { text: string; droppedBytes: number } {
    return this.#streams.fresh();
  }

  write(text: string): Promise<void> {
    const input = this.#input;
    if (!input || input.destroyed) return Promise.reject(noInput(this.exit !== undefined));
    if (this.fed) this.fed = { ...this.fed, given: (this.fed.given + text).slice(-MOST_GIVEN) };
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(noInput(true));
      input.once("close", ended);
      input.write(text, (error) => {
        input.off("close", ended);
        if (error) reject(noInput(true));
        else resolve();
      });
    });
  }

  get stopped(): boolean {
    return this.#killing !== undefined;
  }

  kill(): Promise<void> {
    return Running.endTogether([this]);
  }

  /** Scanning for processes is expensive, so many are ended in one go. */
  static async endTogether(all: readonly Running[]): Promise<void> {
    const others = all.filter((each) => each.#killing === undefined);
    const ending = others.length > 0 ? Running.#end(others) : Promise.resolve();
    for (const each of others) each.#killing = ending;
    await Promise.all(all.map((each) => each.#killing));
  }

  static async #end(all: readonly Running[]): Promise<void> {
    const families = () => all.map((each) => each.#family);
    // bubblewrap's own process would end everything in the sandbox at once, so it is spared
    const spared = new Set(all.filter((each) => each.#sandboxed).map((each) => each.#family.leader));
    if (!(await askToEnd(families, spared, GRACE_MS))) await killAll(families);
    await Promise.allSettled(all.map((each) => each.exited));
    for (const each of all) each.#streams.destroy();
  }

  /** For ending it when the host exits and cannot wait. */
  get family(): Family {
    return this.#family;
  }
}

function openWriter(pipe: string): net.Socket | undefined {
  try {
    const fd = fs.openSync(pipe, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
    const socket = new net.Socket({ fd, readable: false, writable: true });
    socket.on("error", () => {});
    return socket;
  } catch {
    // it has already closed its end
    return undefined;
  }
}

const noInput = (ended: boolean): ToolFailure =>
  new ToolFailure(
    "VALIDATION_ERROR",
    ended ? "The command no longer reads its input." : "The command was started without standard input.",
    ended ? "Start it again if it is still needed." : "Start it in the background to write to it.",
  );

function notStarted(error: unknown): unknown {
  if (error instanceof ToolFailure) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "E2BIG")
    return new ToolFailure(
      "VALIDATION_ERROR",
      "The command is too long to be started.",
      "Write it to a file and run that.",
    );
  const busy = code === "EAGAIN" || code === "EMFILE" || code === "ENFILE" || code === "ENOMEM";
  return new ToolFailure(
    "IO_ERROR",
    `The command could not be started: ${error instanceof Error ? error.message : String(error)}.`,
    busy ? "The machine is short of processes, files or memory: end something and try again." : "Try again.",
  );
}
