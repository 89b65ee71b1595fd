import { closeSync, openSync } from "node:fs";
import { userInfo } from "node:os";
import { ReadStream, WriteStream } from "node:tty";

/** A terminal with somebody in front of it: its keys, and its screen. */
export type Person = { input: ReadStream; output: WriteStream; leave(): void };

const TERMINAL = "/dev/tty";
const streams = () => [process.stdin, process.stdout, process.stderr];

/** What a model runs is no person, whatever it is connected to. */
const isAlone = (): boolean =>
  process.env.TOOLGATE_PROCESS !== undefined || !streams().some((stream) => stream.isTTY === true);

/** Whether somebody can be asked; input and output may be pipes, as long as one of the streams is a terminal. */
export function isInteractive(): boolean {
  if (isAlone()) return false;
  if (process.stdin.isTTY === true) return true;
  try {
    closeSync(openSync(TERMINAL, "r+"));
    return true;
  } catch {
    return false;
  }
}

/** The person at the terminal; where standard input is a pipe, the terminal itself is asked. Throws where there is none. */
export function meetPerson(): Person {
  const { stdin, stdout, stderr } = process;
  if (isAlone()) throw new Error("There is no terminal to ask in.");
  const input = stdin.isTTY === true ? stdin : new ReadStream(openSync(TERMINAL, "r"));
  const shown = [stdout, stderr].find((stream) => stream.isTTY === true);
  const output = shown ?? new WriteStream(openSync(TERMINAL, "w"));
  const leave = () => {
    if (input !== stdin) input.destroy();
    else stdin.pause();
    if (!shown) output.destroy();
  };
  return { input: input as ReadStream, output: output as WriteStream, leave };
}

/** Whoever is logged in here; a user without an entry has a number alone. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
