import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { folder } from "../../../test/journeys/harness.ts";
import { treeSitterCheck } from "./tree-sitter.ts";

/** Runs in the thread before anything of ours: tells which grammars are read from the disk. */
const TELLING = `
const fs = require("node:fs/promises");
const { readFile } = fs;
const told = new (require("node:worker_threads").BroadcastChannel)("grammars");
fs.readFile = (file, ...more) => {
  told.postMessage(String(file));
  return readFile(file, ...more);
};
require("node:module").syncBuiltinESMExports();
`;
const started = vi.hoisted(() => ({ threads: 0 }));
vi.mock("node:worker_threads", async (original) => {
  const real = await original<typeof import("node:worker_threads")>();
  class Worker extends real.Worker {
    constructor(code: string | URL, options?: import("node:worker_threads").WorkerOptions) {
      super(TELLING + code, options);
      started.threads += 1;
    }
  }
  return { ...real, Worker };
});

let loads: string[] = [];
const channel = new BroadcastChannel("grammars");
beforeAll(() => {
  channel.onmessage = ({ data }) => loads.push(path.basename(data as string, ".wasm").replace("tree-sitter-", ""));
});
afterAll(() => channel.close());
beforeEach(() => {
  loads = [];
  started.threads = 0;
});
afterEach(() => void vi.useRealTimers());

const SMALL: Record<string, [right: string, wrong: string]> = {
  ".py": ["def f():\n    return 1\n", "def f(:\n"],
  ".go": ["package main\n\nfunc main() {}\n", "package main\nfunc main( {\n"],
  ".css": ["a { color: red }\n", "a { color: \n"],
  ".sh": ["echo $HOME\n", "if true; then\n"],
};
const problemsOf = (extension: string, text: string) => treeSitterCheck(extension)?.(text);

test("a grammar is loaded once, however often the language changes", async () => {
  for (let turn = 0; turn < 3; turn += 1)
    for (const [extension, [right, wrong]] of Object.entries(SMALL)) {
      expect(await problemsOf(extension, right), extension).toEqual([]);
      expect(await problemsOf(extension, wrong), extension).not.toEqual([]);
    }
  expect([started.threads, loads.sort()]).toEqual([1, ["bash", "css", "go", "python"]]);
});

test("checks that are asked for at once are answered each for its own text", async () => {
  const all = Object.entries(SMALL).flatMap(([extension, texts]) => texts.map((text) => problemsOf(extension, text)));
  expect((await Promise.all(all)).map((problems) => problems?.length === 0)).toEqual(all.map((_, at) => at % 2 === 0));
  expect([started.threads, loads]).toEqual([0, []]);
});

test("one that takes too long says nothing, and the next is answered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const slow = problemsOf(".py", "x = (\n".repeat(41_000));
  const next = problemsOf(".py", SMALL[".py"]?.[1] ?? "");
  await Promise.resolve();
  vi.advanceTimersByTime(5_000);
  expect(await slow).toEqual([]);
  vi.useRealTimers();
  expect(await next).not.toEqual([]);
  expect(started.threads).toBe(1);
});

test("a long one costs the thread, whose memory would only grow, and one that is too long is not parsed", async () => {
  expect(await problemsOf(".py", `${"x = 1\n".repeat(10_000)}def f(:\n`)).toHaveLength(1);
  expect(await problemsOf(".py", SMALL[".py"]?.[1] ?? "")).toHaveLength(1);
  expect(started.threads).toBe(1);
  expect(await problemsOf(".py", `${"x = 1\n".repeat(45_000)}def f(:\n`)).toEqual([]);
});

test("one that breaks the thread fails, and the next is answered", async () => {
  const text = SMALL[".py"]?.[1] ?? "";
  await expect(problemsOf(".py", 5 as unknown as string)).rejects.toThrow();
  expect(await problemsOf(".py", text)).not.toEqual([]);
});

test("a process that has nothing else to do waits for the answer and then ends", async () => {
  const dir = folder();
  symlinkSync(path.resolve("node_modules"), path.join(dir, "node_modules"));
  const part = path.join(dir, "syntax.mjs");
  const bundled = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  await build({ entryPoints: [path.resolve("src/sources/syntax-checks.ts")], outfile: part, ...bundled });
  const program = `
    const { syntaxCheckFor } = await import(${JSON.stringify(part)});
    syntaxCheckFor("a.py")("def f(:").then((problems) => console.log(problems.length));`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    timeout: 30_000,
  });
  expect([stdout, status]).toEqual(["1\n", 0]);
});

test.each([".txt", ".ts", "", ".PY"])("%j is none of ours", (extension) => {
  expect(treeSitterCheck(extension)).toBeUndefined();
});
