import type { CommandLine } from "./command-line.ts";

export type Invocation = CommandLine & { version: string; json: boolean };

/** Does what was asked for and gives the exit status. */
export type Command = (invocation: Invocation) => Promise<number>;
