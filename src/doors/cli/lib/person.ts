import { closeSync, openSync } from "node:fs";
import { userInfo } from "node:os";
import { ReadStream, WriteStream } from "node:tty";

/** A terminal with somebody in front of it: keyboard and screen. */
export type Person = { input: ReadStream; output: WriteStream; leave(): void };

const TERMINAL = "/dev/tty";
const streams = () => [process.stdin, process.stdout, process.stderr];

/** A process that a model started is not a person, whatever it is connected to. */
const isAlone = (): boolean =>
  process.env.TOOLGATE_PROCESS !== undefined || !streams().some((stream) => stream.isTTY === true);

/** Whether somebody can be asked. Input and output may be pipes, as long as one stream is a terminal. */
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

/** The person at the terminal, even if standard input is a pipe. Throws if there is none. */
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

/** The user who is logged in; a user without a passwd entry is shown by number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
