import picocolors from "picocolors";
import { harmless } from "../../../core/words/visible.ts";

export type Colours = ReturnType<typeof picocolors.createColors>;
type Stream = { isTTY?: boolean };

const wantsColour = (stream: Stream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";

export const coloursOn = (stream: Stream): Colours => picocolors.createColors(wantsColour(stream));
export const colours = (): Colours => coloursOn(process.stdout);
export const errorColours = (): Colours => coloursOn(process.stderr);

/** A terminal that does not know its width reports 0 or nothing. */
export const widthOf = ({ columns }: { columns?: number }): number => columns || 80;

/** Text for people is wrapped at the width of their terminal, and left alone for programs. */
export const lineWidth = (): number => (process.stdout.isTTY ? widthOf(process.stdout) : Number.POSITIVE_INFINITY);

/** Waits until it is written; false if the reader has gone. */
export const print = (text: string): Promise<boolean> =>
  new Promise((resolve) => void process.stdout.write(text, (error) => resolve(!error)));

export const printLine = (text: string): Promise<boolean> => print(text.endsWith("\n") ? text : `${text}\n`);

/** A BigInt must not make the whole answer fail. */
export const toJson = (value: unknown, indent?: number): string => {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // a replacer takes several times as long, and is hardly ever needed
    return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each), indent);
  }
};

export const documentOf = (value: unknown): string => `${toJson(value, 2)}\n`;

/** For texts of several lines. Text for a single line goes through `visibleLine`. */
export const visible = harmless;

/** Unchanged for programs, made harmless for a person's terminal. */
export const visibleOnTerminal = (text: string, stream: Stream = process.stdout): string =>
  stream.isTTY ? visible(text.replaceAll("\r\n", "\n")) : text;

/** A unified diff in the colours that people expect. */
export function colouredDiff(diff: string, paint: Colours): string {
  return visible(diff)
    .split("\n")
    .map((line) => colouredLine(line, paint))
    .join("\n");
}

export function colouredLine(line: string, paint: Colours): string {
  if (line.startsWith("+++ ") || line.startsWith("--- ")) return paint.bold(line);
  if (line.startsWith("@@")) return paint.cyan(line);
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
