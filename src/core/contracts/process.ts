import type { Place } from "../words/touch.ts";

/** What a command may change of the workspace, where a sandbox holds it; `build`: only where its builds end up. */
export type Access = "read-write" | "build" | "read-only";

/** Of the roots, only these may be written: real paths. `inPlace`: as they are, without files beside them. */
export type Only = { targets: readonly string[]; inPlace: boolean };

/** What holds a command on this machine; told with every result, never silently less. */
export type Enforcement = {
  sandbox: "bubblewrap" | "none";
  network: "none" | "open";
  /** Absent: the command may write in all of it; `named`: only where `writes` says. */
  workspace?: Exclude<Access, "read-write"> | "named";
  /** Files, and folders without the folders in them. */
  writes?: readonly string[];
  /** Files that are empty to it, by their paths from the root on. */
  left?: readonly string[];
  /** Why it is not more. */
  reason?: string;
};

/** bash runs exactly `command`: no profile, no input unless it is asked for, its own process group. */
export type Launch = {
  command: string;
  cwd: Place;
  /** Told by the journey from the judgement, never by a tool; absent: `read-write`. What is less has no network. */
  access?: Access;
  /** Of what may be read and written, that this is all it writes, where that is certain; told by the journey as well. */
  only?: Only;
  /** Globs of real paths that others have locked: it changes nothing there. Told by the journey as well. */
  locked?: readonly string[];
  /** Globs of files that it must not read, where a sandbox holds it: they are empty to it. Told by the journey as well. */
  hidden?: readonly string[];
  /** Comes on top of the scrubbed environment. */
  env?: Readonly<Record<string, string>>;
  /** Whose output it is, where it is too long to be shown, and with whose commands it shares /tmp: told by the journey. */
  session?: string;
  /** `true` keeps standard input open for `write`; a text is all of the input. */
  input?: boolean | string;
};

export type Exit = { code: number | null; signal: string | null };

/** One stream as it was kept: its head and tail, exact counts, and the file that holds all of it if it was cut. */
export type Captured = {
  text: string;
  bytes: number;
  lines: number;
  omittedBytes: number;
  omittedLines: number;
  path?: string;
  /** How many bytes the file holds, if that is not all of them. */
  keptBytes?: number;
};

/** Programs that a command had started and did not wait for, by their words. `ended`: together with it. */
export type LeftBehind = { names: readonly string[]; ended: boolean };

export interface Process {
  readonly id: string;
  readonly command: string;
  readonly startedAt: number;
  /** It was started to go on by itself, and may be given input. */
  readonly background?: boolean;
  readonly enforcement: Enforcement;
  /** Resolves when the command itself ended, whoever still holds its pipes; a last moment of output is waited for. */
  readonly exited: Promise<Exit>;
  /** undefined while it runs. */
  readonly exit: Exit | undefined;
  /** Known when it has ended. */
  readonly left?: LeftBehind | undefined;
  /** We ended it, or are about to: by `kill`, or because all of them were ended. */
  readonly stopped: boolean;
  captured(): { stdout: Captured; stderr: Captured };
  /** What came since the last call of it, for whoever polls; bounded, and says what it dropped. */
  fresh(): { text: string; droppedBytes: number };
  write(text: string): Promise<void>;
  /** Ends everything it started: TERM, then KILL. */
  kill(): Promise<void>;
}

/** Where commands run. Whatever was started through it has ended when `close` resolves. */
export interface Processes {
  /** What holds a command of this kind; absent: one that may write in all of the workspace. */
  enforcement(kind?: Pick<Launch, "access" | "only">): Promise<Enforcement>;
  /** The setting by which a repository around these places makes git run something while it only looks, if any. */
  helperOf?(places: readonly string[]): string | undefined;
  start(launch: Launch, onOutput?: (text: string) => void): Promise<Process>;
  list(): readonly Process[];
  /** The session is over: what its commands shared goes, as soon as none of them runs. */
  forget?(session: string): void;
  close(): Promise<void>;
}
