import path from "node:path";
import type { Finding } from "../core/words/finding.ts";
import type { SyntaxProblem } from "../text/syntax.ts";
import type { Language } from "./lib/parsing.ts";
import { at, endOf } from "./lib/positions.ts";
import { hasGrammars, treeSitterCheck } from "./lib/tree-sitter.ts";

type Check = (file: string, text: string) => Promise<SyntaxProblem[]> | SyntaxProblem[];

const LARGEST = 1_000_000;
const MOST_PROBLEMS = 10;
/** JSON only by name: comments and trailing commas are customary in these files. */
const RELAXED =
  /^(tsconfig|jsconfig|devcontainer|settings|launch|tasks|extensions|keybindings|\.eslintrc|\.babelrc|\.swcrc).*\.json$|^deno\.json$/;

const byExtension: Readonly<Record<string, Check>> = {
  ".json": (file, text) => (RELAXED.test(path.basename(file)) ? [] : json(text)),
  ".yaml": parsedBy("yaml"),
  ".yml": parsedBy("yaml"),
  ".toml": parsedBy("toml"),
  ...Object.fromEntries(
    [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"].map((extension) => [extension, parsedBy("script")]),
  ),
};

/** Checks a text by the syntax of its language; undefined for one that cannot be checked here. */
export function syntaxCheckFor(file: string): ((text: string) => Promise<SyntaxProblem[]>) | undefined {
  const extension = path.extname(file).toLowerCase();
  const own = byExtension[extension];
  const check = own ? (text: string) => own(file, text) : treeSitterCheck(extension);
  return check && (async (text) => (text.length > LARGEST ? [] : (await check(text)).slice(0, MOST_PROBLEMS)));
}

/** Which languages can be checked here, and what is needed to check more. */
export const syntaxFinding = (): Finding =>
  hasGrammars()
    ? {
        what: "syntax",
        state: "holds",
        says: "JSON, YAML, TOML, JavaScript, TypeScript, and the grammars of tree-sitter",
      }
    : {
        what: "syntax",
        state: "partly",
        says: "JSON, YAML, TOML, JavaScript and TypeScript are checked after a change",
        get: "npm install @vscode/tree-sitter-wasm, for Python, Go, Rust, Java, Ruby, PHP, C#, C++, CSS and shell",
      };

function json(text: string): SyntaxProblem[] {
  if (text.trim() === "") return [{ line: 1, column: 1, message: "an empty file is not JSON" }];
  try {
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return [];
  } catch (error) {
    const told = (error as Error).message;
    const position = /position (\d+)/.exec(told)?.[1];
    const place = position === undefined ? endOf(text) : at(text, Number(position));
    return [{ ...place, message: told.replace(/ (in JSON )?at position.*$|, ".*$/s, "") }];
  }
}

let parsing: Promise<typeof import("./lib/parsing.ts")> | undefined;

const loaded = () => {
  parsing ??= import("./lib/parsing.ts");
  return parsing;
};

/** Gates share a process for what is not parsed here, so it stays while another one waits for it. */
export const endParsers = async (): Promise<void> => (await parsing)?.endIfIdle();

function parsedBy(language: Language): Check {
  return async (file, text) =>
    (await (await loaded()).complaintsOf({ language, file, text })).map(({ message, ...where }) => ({
      ...("offset" in where ? at(text, where.offset) : where),
      message,
    }));
}
