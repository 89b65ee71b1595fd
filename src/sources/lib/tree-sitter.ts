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

/** The grammars are not ours to bring: whoever wants them installs `@vscode/tree-sitter-wasm`. */
function grammarFolder(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm"));
  } catch {
    return undefined;
  }
}
let folder: string | undefined | null = null;

export const hasGrammars = (): boolean => grammarFolder() !== undefined;

/** One grammar at a time, in a thread of its own: loading several stalls a process for seconds. */
let turn: Promise<unknown> = Promise.resolve();

/** Undefined for a language that cannot be checked here. */
export function treeSitterCheck(extension: string): ((text: string) => Promise<SyntaxProblem[]>) | undefined {
  const grammar = GRAMMARS[extension];
  if (!grammar) return undefined;
  if (folder === null) folder = grammarFolder();
  if (folder === undefined) return undefined;
  const place = { folder, grammar };
  return (text) => {
    const mine = turn.then(() => parseInThread({ ...place, text }));
    turn = mine.catch(() => {});
    return mine;
  };
}

function parseInThread(workerData: { folder: string; grammar: string; text: string }): Promise<SyntaxProblem[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { eval: true, workerData, execArgv: [], env: {} });
    const timer = setTimeout(() => finish(() => resolve([])), PATIENCE_MS);
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      void worker.terminate();
      settle();
    };
    worker.once("message", (problems: SyntaxProblem[]) => finish(() => resolve(problems)));
    worker.once("error", (error) => finish(() => reject(error)));
  });
}

/** Plain JavaScript, so that it needs no file of its own. A node that is wrong and holds a smaller wrong one is passed over. */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const path = require("node:path");
const { Parser, Language } = require(path.join(workerData.folder, "tree-sitter.js"));
(async () => {
  await Parser.init({ locateFile: () => path.join(workerData.folder, "tree-sitter.wasm") });
  const parser = new Parser();
  parser.setLanguage(await Language.load(path.join(workerData.folder, "tree-sitter-" + workerData.grammar + ".wasm")));
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
  visit(parser.parse(workerData.text).rootNode);
  parentPort.postMessage(problems);
})();
`;
