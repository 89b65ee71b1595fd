import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

type Answer = { title: string; text: string; plain?: true };

/** Pages are read in a host of their own, so that a test can see it survive, or end it. */
const HOST = `
import { endIfIdle, readHtml } from "./pages.mjs";
const wait = setTimeout;
process.on("message", async ({ html, node, hurry, rest }) => {
  if (rest) return endIfIdle();
  process.execPath = node;
  globalThis.setTimeout = (done, ms) => wait(done, ms / hurry);
  const answer = await readHtml({ html, url: "https://example.com/", format: "html" });
  if (process.connected) process.send(answer);
  else process.exitCode = Number(answer.text);
});
`;
/** In place of the conversion: what a page says is done, as a library does what a hostile page makes it do. */
const CONVERSION = `
export function convertPage(libraries, work, task) {
  return { title: "", text: String((0, eval)(task.html)) };
}
`;

let folder: string;
const hosts: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-pages-"));
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
  writeFileSync(path.join(folder, "host.mjs"), HOST);
  await build({
    entryPoints: [path.resolve("src/sources/pages.ts")],
    outfile: path.join(folder, "pages.mjs"),
    // as in the command line's build: the code that is sent must not need names from around it
    ...{ bundle: true, minify: true, platform: "node", format: "esm", packages: "external" },
    plugins: [
      {
        name: "conversion",
        setup: ({ onLoad }) => onLoad({ filter: /page-conversion\.ts$/ }, () => ({ contents: CONVERSION })),
      },
    ],
  });
});
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

function started() {
  const host = fork(path.join(folder, "host.mjs"), { stdio: "ignore", env: { SECRET: "of the host" }, execArgv: [] });
  hosts.push(host);
  const lost = once(host, "exit").then(([code, signal]) => {
    throw new Error(`the host ended: ${signal ?? code}`);
  });
  lost.catch(() => {});
  const ask = (html: string, { node = process.execPath, hurry = 1 } = {}) => host.send({ html, node, hurry });
  const read = async (html: string, means?: { node?: string; hurry?: number }): Promise<Answer> => {
    ask(html, means);
    const [answer] = await Promise.race([once(host, "message"), lost]);
    return answer;
  };
  const rest = () => host.send({ rest: true });
  return { host, ask, read, rest, child: async () => Number((await read("process.pid")).text) };
}

/** The state of a process and what it has worked, in ticks of 10 ms. An orphan can be a zombie for a while. */
function seen(pid: number): { isRunning: boolean; ticks: number } {
  const stat = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : ") Z";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { isRunning: fields[0] !== "Z", ticks: Number(fields[11]) };
}

const ended = (pid: number, timeout = 5_000) => expect.poll(() => seen(pid).isRunning, { timeout }).toBe(false);

describe("the host survives", () => {
  test.each<[string, code: string]>([
    [
      "an allocation beyond the heap, which aborts the whole process",
      "const kept = []; for (;;) kept.push(kept.length)",
    ],
    ["a heap that fills up", "const kept = []; for (;;) kept.push(new Array(1e6).fill(0))"],
    ["buffers, which no heap counts", "const kept = []; for (;;) kept.push(Buffer.alloc(2 ** 26, 1))"],
    ["a conversion that does not end", "for (;;);"],
    ["a thread that ends", "process.exit()"],
    ["a process that is killed", "process.kill(process.pid, 'SIGKILL'); for (;;);"],
  ])("%s; the page becomes plain text, and the next is read by another process", async (_, code) => {
    const { read, child } = started();
    const first = await child();
    expect(await read(`${code} // seen`)).toMatchObject({ plain: true, text: expect.stringContaining("seen") });
    expect(await child()).not.toBe(first);
    await ended(first);
  });

  test.each<[string, code: string]>([
    ["a conversion that fails", "throw new Error()"],
    ["an answer that is too long to hold", "'x'.repeat(33e6)"],
  ])("%s; the page becomes plain text, and nothing is lost", async (_, code) => {
    const { read, child } = started();
    const first = await child();
    expect(await read(code)).toEqual({ title: "", text: code, plain: true });
    expect(await child()).toBe(first);
  });

  test("a process that has been stopped; it is killed", async () => {
    const { read, child } = started();
    const pid = await child();
    process.kill(pid, "SIGSTOP");
    expect(await read("1 + 1", { hurry: 100 })).toMatchObject({ text: "1 + 1", plain: true });
    await ended(pid);
    expect(await child()).not.toBe(pid);
  });

  test("a process that cannot be started; it is tried again with the next page", async () => {
    const { read, child } = started();
    expect(await read("1 + 1", { node: path.join(folder, "nothing") })).toMatchObject({ text: "1 + 1", plain: true });
    expect(await read("1 + 1", { node: folder })).toMatchObject({ text: "1 + 1", plain: true });
    expect(await child()).toBeGreaterThan(0);
  });
});

describe("the process", () => {
  test("is another than the host's, and reads one page after the other", async () => {
    const { host, child } = started();
    const pid = await child();
    expect(pid).not.toBe(host.pid);
    expect(await child()).toBe(pid);
  });

  test("gets nothing of the host's environment and folder", async () => {
    const { child } = started();
    const pid = await child();
    const names = readFileSync(`/proc/${pid}/environ`, "utf8").match(/^[^=]+|(?<=\0)[^=\0]+/g);
    expect(names).toEqual(["ELECTRON_RUN_AS_NODE", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"]);
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
  });

  test("is replaced if it is killed between two pages", async () => {
    const { child } = started();
    const first = await child();
    process.kill(first, "SIGKILL");
    // it is there until its host has taken note
    await expect.poll(() => existsSync(`/proc/${first}`)).toBe(false);
    const second = await child();
    expect(second).not.toBe(first);
    expect(await child()).toBe(second);
  });

  test("does not keep a host alive that is done, and ends with it", async () => {
    const { host, child } = started();
    const pid = await child();
    host.disconnect();
    expect(await once(host, "exit")).toEqual([0, null]);
    await ended(pid);
  });

  test("ends when no gate is open any more, but not while a page is read", async () => {
    const { rest, read, child } = started();
    const first = await child();
    const reading = read("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); 7");
    rest();
    expect(await reading).toMatchObject({ text: "7" });
    expect(await child()).toBe(first);
    rest();
    await ended(first);
    expect(await child()).not.toBe(first);
  });

  test("is waited for by a host that has nothing else to do", async () => {
    const { host, ask, child } = started();
    const pid = await child();
    ask("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); 7");
    host.disconnect();
    expect(await once(host, "exit")).toEqual([7, null]);
    await ended(pid);
  });

  test("ends with a host that is killed, even in the middle of a page", async () => {
    const { host, ask, child } = started();
    const pid = await child();
    ask("for (;;);");
    const { ticks } = seen(pid);
    await expect.poll(() => seen(pid).ticks).toBeGreaterThan(ticks + 10);
    host.kill("SIGKILL");
    // its own limit would end it only after 5 s of work
    await ended(pid, 3_000);
  });
});
