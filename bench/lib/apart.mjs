import { fork, spawnSync } from "node:child_process";

/** A case that lives in a process of its own: what one library does to promises or the heap must not slow another. */
export function apart(file, name, figureOf) {
  const child = fork(file, [figureOf], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    name,
    run: () =>
      new Promise((resolve, reject) => {
        const died = () => reject(new Error(`${name} ended`));
        child.once("exit", died);
        child.once("message", (figure) => {
          child.off("exit", died);
          resolve(figure);
        });
        child.send("go");
      }),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

/** The other side of it: makes the one case that is wanted and measures it whenever it is told to. */
export async function serve(makers) {
  const { run, stop } = await makers[process.argv[2]]();
  process.on("message", async () => process.send(await run()));
  process.once("disconnect", () => {
    stop?.();
    // what it made is cleared away first; a library that holds on to something does not hold us
    setTimeout(() => process.exit(), 5000).unref();
  });
}

export const isServing = () => process.send !== undefined;

/** One run in a new process, whose last line of output is JSON. */
export function once(file, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} failed: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}
