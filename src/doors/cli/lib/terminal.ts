import picocolors from "picocolors";

export type Colours = ReturnType<typeof picocolors.createColors>;
type Stream = { isTTY?: boolean };

const wantsColour = (stream: Stream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";

export const colours = (): Colours => picocolors.createColors(wantsColour(process.stdout));
export const errorColours = (): Colours => picocolors.createColors(wantsColour(process.stderr));

/** Whether a person sits here who can be asked. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Waits until it is written; false if the reader has gone. */
export const print = (text: string): Promise<boolean> =>
  new Promise((resolve) => void process.stdout.write(text, (error) => resolve(!error)));

export const printLine = (text: string): Promise<boolean> => print(text.endsWith("\n") ? text : `${text}\n`);

/** Numbers beyond JSON's reach must not make a whole answer unreadable. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each), indent);

export const documentOf = (value: unknown): string => `${toJson(value, 2)}\n`;

// controls, and what turns the direction of writing round or takes no room: text must not be able to hide text
const DECEIVING =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Nothing in it can steer a terminal; what could is shown by its number. */
export const visible = (text: string): string =>
  text.replace(DECEIVING, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);

/** JSON that says the same with nothing in it that a person could not see. */
export const visibleJson = (json: string): string =>
  json.replace(DECEIVING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** As it is for a program, made harmless for a person's terminal. */
export const visibleOnTerminal = (text: string, stream: Stream = process.stdout): string =>
  stream.isTTY ? visible(text.replaceAll("\r\n", "\n")) : text;

/** A unified diff in the colours that people expect. */
export function colouredDiff(diff: string, paint: Colours): string {
  const painted = visible(diff)
    .split("\n")
    .map((line) => {
      if (line.startsWith("+++ ") || line.startsWith("--- ")) return paint.bold(line);
      if (line.startsWith("@@")) return paint.cyan(line);
      if (line.startsWith("+")) return paint.green(line);
      return line.startsWith("-") ? paint.red(line) : line;
    });
  return painted.join("\n");
}
