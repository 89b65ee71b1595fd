import { createRequire } from "node:module";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { SyntaxProblem } from "../../text/syntax.ts";

const GRAMMARS: Readonly<Record<string, string>> = {
  ".py": "python",
  ".pyi": "python",
  ".go": "go",
  ".rs": "rust",
  ".java": "java",
  ".rb": "ruby",
  ".php": "php",
  ".cs": "c-sharp",
  ".cpp": "cpp",
  ".cc": "cpp",
  ".hpp": "cpp",
  ".css": "css",
  ".sh": "bash",
  ".bash": "bash",
};
const PATIENCE_MS = 5_000;
/** A parser takes hundreds of bytes for each character. */
const LARGEST = 250_000;
/** The memory of WebAssembly only grows, so after such a text the worker is ended. */
const LARGE = 50_000;

/** The grammars are optional: people who want them install `@vscode/tree-sitter-wasm`. */
function grammarFolder(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm"));
  } catch {
    return undefined;
  }
}
let folder: string | undefined | null = null;

export const hasGrammars = (): boolean => grammarFolder() !== undefined;

/** One check at a time, in a worker: loading several grammars at once blocks a process for seconds. */
let turn: Promise<unknown> = Promise.resolve();

/** Kept, with every grammar that it loaded, as long as nothing goes wrong in it. */
let thread: Worker | undefined;

/** Returns undefined for a language that cannot be checked here. */
export function treeSitterCheck(extension: string): ((text: string) => Promise<SyntaxProblem[]>) | undefined {
  const grammar = GRAMMARS[extension];
  if (!grammar) return undefined;
  if (folder === null) folder = grammarFolder();
  if (folder === undefined) return undefined;
  const place = folder;
  return async (text) => {
    if (text.length > LARGEST) return [];
    const mine = turn.then(() => parseInThread(place, { grammar, text }));
    turn = mine.catch(() => {});
    return mine;
  };
}

/** A text that takes too long, or crashes the parser, costs the worker; the next text gets a new one. */
function parseInThread(place: string, task: { grammar: string; text: string }): Promise<SyntaxProblem[]> {
  thread ??= started(place);
  const worker = thread;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => giveUp(() => resolve([])), PATIENCE_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off("message", told).off("error", failed);
      worker.unref();
      settle();
    };
    const giveUp = (settle: () => void) => {
      thread = undefined;
      void worker.terminate();
      end(settle);
    };
    const leave = task.text.length > LARGE ? giveUp : end;
    const told = (problems: SyntaxProblem[]) => leave(() => resolve(problems));
    const failed = (error: Error) => giveUp(() => reject(error));
    worker.on("message", told).on("error", failed);
    // the process stays alive only while it waits for an answer
    worker.ref();
    worker.postMessage(task);
  });
}

function started(place: string): Worker {
  const worker = new Worker(THREAD, { eval: true, workerData: place, execArgv: [], env: {} });
  // also between two checks, when nobody else listens
  worker.on("error", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}

/** Plain JavaScript, so that it needs no file of its own. An error node that contains a smaller one is skipped. */
const THREAD = `
const { parentPort, workerData: folder } = require("node:worker_threads");
const path = require("node:path");
const { Parser, Language } = require(path.join(folder, "tree-sitter.js"));
const ready = Parser.init({ locateFile: () => path.join(folder, "tree-sitter.wasm") }).then(() => new Parser());
const loaded = new Map();
const load = (grammar) => {
  if (!loaded.has(grammar)) loaded.set(grammar, Language.load(path.join(folder, "tree-sitter-" + grammar + ".wasm")));
  return loaded.get(grammar);
};
const problemsIn = (root) => {
  const problems = [];
  const visit = (node) => {
    if (!node.hasError && !node.isMissing) return false;
    let deeper = false;
    for (const child of node.children) if (child && problems.length < 10) deeper = visit(child) || deeper;
    if (deeper || !(node.isError || node.isMissing)) return deeper;
    const { row, column } = node.startPosition;
    const message = node.isMissing ? "missing " + node.type : "unexpected " + JSON.stringify(node.text.slice(0, 40));
    problems.push({ line: row + 1, column: column + 1, message });
    return true;
  };
  visit(root);
  return problems;
};
parentPort.on("message", async ({ grammar, text }) => {
  const parser = await ready;
  parser.setLanguage(await load(grammar));
  const tree = parser.parse(text);
  const problems = problemsIn(tree.rootNode);
  tree.delete();
  parentPort.postMessage(problems);
});
`;
