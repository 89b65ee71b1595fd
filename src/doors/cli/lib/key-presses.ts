import type { Person } from "./person.ts";

/** Long enough to read what is already in the terminal's buffer. */
const QUIET_MS = 30;
/** The rest of an arrow key arrives at once; a person's Escape comes alone. */
const REST_MS = 60;

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const ESCAPE = "\x1b";

// arrow and function keys send letters too; ignore them
const SPECIAL_KEY = /\x1b(?:\[[0-9;?]*[@-~]|O.|[^[O])/gs;

/** Discards what was typed before the question appeared: it cannot be an answer to it. */
async function flushed({ input }: Person): Promise<void> {
  const drop = () => {};
  input.setRawMode(true);
  input.on("data", drop);
  input.resume();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  input.off("data", drop);
}

/**
 * One of these keys, without Enter, or "escape"; undefined if the person leaves (Ctrl-C, Ctrl-D, end of input) or the
 * call ends.
 */
export async function readKey(
  person: Person,
  prompt: string,
  keys: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { input, output } = person;
  await flushed(person);
  return new Promise((resolve) => {
    let begun = "";
    let waiting: NodeJS.Timeout | undefined;
    const finish = (key: string | undefined) => {
      clearTimeout(waiting);
      input.off("data", onData).off("end", onEnd);
      signal?.removeEventListener("abort", onEnd);
      input.setRawMode(false);
      input.pause();
      resolve(key);
    };
    const onEnd = () => finish(undefined);
    const onData = (data: Buffer) => {
      clearTimeout(waiting);
      const text = (begun + String(data)).replace(SPECIAL_KEY, "");
      begun = "";
      for (const each of text) {
        const key = each.toLowerCase();
        if (key === CTRL_C || key === CTRL_D) return finish(undefined);
        if (keys.includes(key)) return finish(key);
        if (key === ESCAPE) {
          begun = text.slice(text.indexOf(ESCAPE));
          waiting = setTimeout(() => finish("escape"), REST_MS);
          return;
        }
      }
    };
    if (signal?.aborted) return finish(undefined);
    signal?.addEventListener("abort", onEnd);
    input.on("data", onData).on("end", onEnd);
    input.setRawMode(true);
    input.resume();
    // printed last, so that a key that is pressed at once is not lost
    output.write(prompt);
  });
}

/** One line, with prefilled text; undefined if the person leaves. */
export async function readLine(
  { input, output }: Person,
  prompt: string,
  prefilled: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input, output, historySize: 0 });
  const left = new Promise<undefined>((resolve) => {
    for (const event of ["SIGINT", "close"] as const) lines.once(event, () => resolve(undefined));
    signal?.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const typed = lines.question(prompt);
  typed.catch(() => {});
  lines.write(prefilled);
  try {
    return await Promise.race([typed, left]);
  } finally {
    lines.close();
  }
}
