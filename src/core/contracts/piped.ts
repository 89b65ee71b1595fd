/** A program that is spoken to over its standard input and output: its own process group, ended with all it started. */
export interface PipedProcess {
  /** Resolves when there is room for more; rejects when it has ended. */
  write(text: string): Promise<void>;
  /** How it ended; rejects never. */
  readonly exited: Promise<string>;
  kill(): Promise<void>;
}

export type PipedLaunch = {
  program: string;
  args: readonly string[];
  /** On top of the few variables that every program needs. */
  env: Readonly<Record<string, string>>;
  cwd: string;
};

export type PipedHearer = { output(bytes: Uint8Array): void; errors(bytes: Uint8Array): void };

/** Starts such programs; whatever was started has ended when `close` resolves. */
export interface PipedProcesses {
  start(launch: PipedLaunch, hearer: PipedHearer): Promise<PipedProcess>;
  close(): Promise<void>;
}
