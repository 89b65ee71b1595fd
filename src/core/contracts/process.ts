import type { Place } from "../words/touch.ts";

/** What a sandboxed command may change in the workspace. `build`: only where builds put their output. */
export type Access = "read-write" | "build" | "read-only";

/** Inside the roots, only these real paths may be written. `inPlace`: without creating files beside them. */
export type Only = { targets: readonly string[]; inPlace: boolean };

/** How a command is contained on this machine. Reported with every result, and never silently less. */
export type Enforcement = {
  sandbox: "bubblewrap" | "none";
  network: "none" | "open";
  /** Absent: the command may write everywhere in it. `named`: only to `writes`. */
  workspace?: Exclude<Access, "read-write"> | "named";
  /** Files, and folders without their subfolders. */
  writes?: readonly string[];
  /** Files that appear empty to the command, by their paths from the root on. */
  left?: readonly string[];
  /** Why the containment is not stricter. */
  reason?: string;
};

/** bash runs exactly `command`: no profile, no input unless requested, its own process group. */
export type Launch = {
  command: string;
  cwd: Place;
  /** Set by the journey from the judgement, never by a tool. Absent: `read-write`. Anything less has no network. */
  access?: Access;
  /** All that the command writes, if that is certain. Set by the journey. */
  only?: Only;
  /** Globs of real paths that others hold, where it must not change anything. Set by the journey. */
  locked?: readonly string[];
  /** Globs of files that it must not read: in a sandbox they appear empty. Set by the journey. */
  hidden?: readonly string[];
  /** Added to the scrubbed environment. */
  env?: Readonly<Record<string, string>>;
  /** The session whose commands share /tmp, and for which long output is kept. Set by the journey. */
  session?: string;
  /** The sessions that this one works for. Set by the journey. */
  above?: readonly string[];
  /** `true` keeps stdin open for `write`; a text is the whole input. */
  input?: boolean | string;
};

export type Exit = { code: number | null; signal: string | null };

/** One stream as it was kept: head and tail, exact counts, and the file that holds all of it if it was cut. */
export type Captured = {
  text: string;
  bytes: number;
  lines: number;
  omittedBytes: number;
  omittedLines: number;
  path?: string;
  /** How many bytes the file holds, if not all of them. */
  keptBytes?: number;
};

/** Programs that a command started and did not wait for. `ended`: they were ended together with it. */
export type LeftBehind = { names: readonly string[]; ended: boolean };

/** A command that was started to be given input: how, and what it has been given, or the end of that. */
export type Fed = {
  readonly command: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly given: string;
};

export interface Process {
  readonly id: string;
  readonly command: string;
  readonly startedAt: number;
  /** Started to run in the background; it may be given input. */
  readonly background?: boolean;
  /** The session that started it and those above: no other may know of it. Absent: it is nobody's own. */
  readonly sessions?: readonly string[];
  readonly enforcement: Enforcement;
  /** Resolves when the command itself has ended, whoever still holds its pipes, and its last output has come. */
  readonly exited: Promise<Exit>;
  /** Set for a command that input can be written to. */
  readonly fed?: Fed | undefined;
  /** Undefined while it runs. */
  readonly exit: Exit | undefined;
  /** Known once it has ended. */
  readonly left?: LeftBehind | undefined;
  /** We killed it, or are about to: by `kill`, or because everything was ended. */
  readonly stopped: boolean;
  captured(): { stdout: Captured; stderr: Captured };
  /** The output since the last call, for polling. Bounded, and reports what was dropped. */
  fresh(): { text: string; droppedBytes: number };
  write(text: string): Promise<void>;
  /** Kills everything it started: TERM, then KILL. */
  kill(): Promise<void>;
}

/** Where commands run. Everything that was started has ended when `close` resolves. */
export interface Processes {
  /** How a command of this kind is contained. Absent: one that may write in all of the workspace. */
  enforcement(kind?: Pick<Launch, "access" | "only">): Promise<Enforcement>;
  /** The setting of a repository around these places that makes git run a program even for reading, if any. */
  helperOf?(places: readonly string[]): string | undefined;
  start(launch: Launch, onOutput?: (text: string) => void): Promise<Process>;
  list(): readonly Process[];
  /** The session is over: deletes what its commands shared, once none of them runs. */
  forget?(session: string): void;
  close(): Promise<void>;
}
