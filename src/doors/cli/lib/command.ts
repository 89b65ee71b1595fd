import type { CommandLine } from "./arguments.ts";

export type Invocation = CommandLine & { version: string; json: boolean };

/** Does what was asked for and gives the exit status. */
export type Command = (invocation: Invocation) => Promise<number>;
