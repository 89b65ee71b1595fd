const CTRL_C = "\x03";
const CTRL_D = "\x04";

// arrow and function keys send letters too; ignore them
const SPECIAL_KEY = /\x1b(?:\[[0-9;?]*[@-~]|O.|.)?/gs;

/** One of these keys, without Enter; undefined if the person leaves (Ctrl-C, Ctrl-D, the end of input) or the call ends. */
export function readKey(prompt: string, keys: string, signal?: AbortSignal): Promise<string | undefined> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const finish = (key: string | undefined, rest = "") => {
      stdin.off("data", onData).off("end", onEnd);
      signal?.removeEventListener("abort", onEnd);
      stdin.setRawMode(false);
      stdin.pause();
      // typed ahead: for the next question
      if (rest) stdin.unshift(Buffer.from(rest));
      resolve(key);
    };
    const onEnd = () => finish(undefined);
    const onData = (data: Buffer) => {
      const text = String(data).replace(SPECIAL_KEY, "");
      for (let index = 0; index < text.length; index++) {
        const key = text[index]!.toLowerCase();
        if (key === CTRL_C || key === CTRL_D) return finish(undefined);
        if (keys.includes(key)) return finish(key, text.slice(index + 1));
      }
    };
    if (signal?.aborted) return resolve(undefined);
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
