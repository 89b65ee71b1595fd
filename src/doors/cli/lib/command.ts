import type { CommandLine } from "./command-line.ts";

export type Invocation = CommandLine & { version: string; json: boolean };

/** Runs the command and returns the exit status. */
export type Command = (invocation: Invocation) => Promise<number>;
