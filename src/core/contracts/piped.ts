/** A program that is spoken to over stdin and stdout, in its own process group. Killed with everything it started. */
export interface PipedProcess {
  /** Resolves when there is room for more, and rejects if the program has ended. */
  write(text: string): Promise<void>;
  /** How it ended. Never rejects. */
  readonly exited: Promise<string>;
  kill(): Promise<void>;
}

export type PipedLaunch = {
  program: string;
  args: readonly string[];
  /** Added to the few variables that every program needs. */
  env: Readonly<Record<string, string>>;
  cwd: string;
};

export type PipedHearer = { output(bytes: Uint8Array): void; errors(bytes: Uint8Array): void };

/** Starts such programs. All of them have ended when `close` resolves. */
export interface PipedProcesses {
  start(launch: PipedLaunch, hearer: PipedHearer): Promise<PipedProcess>;
  close(): Promise<void>;
}
