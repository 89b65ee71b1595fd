/** Long enough for what already lies in the terminal to be read. */
const QUIET_MS = 30;

const CTRL_C = "\x03";
const CTRL_D = "\x04";

// arrow and function keys send letters too; ignore them
const SPECIAL_KEY = /\x1b(?:\[[0-9;?]*[@-~]|O.|.)?/gs;

/** Takes away what was typed before the question was there: it cannot be an answer to it. */
async function flushed(stdin: typeof process.stdin): Promise<void> {
  const drop = () => {};
  stdin.setRawMode(true);
  stdin.on("data", drop);
  stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  stdin.off("data", drop);
}

/** One of these keys, without Enter; undefined if the person leaves (Ctrl-C, Ctrl-D, the end of input) or the call ends. */
export async function readKey(prompt: string, keys: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stdin } = process;
  await flushed(stdin);
  return new Promise((resolve) => {
    const finish = (key: string | undefined) => {
      stdin.off("data", onData).off("end", onEnd);
      signal?.removeEventListener("abort", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      resolve(key);
    };
    const onEnd = () => finish(undefined);
    const onData = (data: Buffer) => {
      const text = String(data).replace(SPECIAL_KEY, "");
      for (let index = 0; index < text.length; index++) {
        const key = text[index]!.toLowerCase();
        if (key === CTRL_C || key === CTRL_D) return finish(undefined);
        if (keys.includes(key)) return finish(key);
      }
    };
    if (signal?.aborted) return finish(undefined);
    signal?.addEventListener("abort", onEnd);
    stdin.on("data", onData).on("end", onEnd);
    stdin.setRawMode(true);
    stdin.resume();
    // only now: a key that is pressed at once must find somebody who waits for it
    process.stdout.write(prompt);
  });
}

/** One line, with something to start from; undefined if the person leaves. */
export async function readLine(prompt: string, prefilled: string, signal?: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 0 });
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
