import path from "node:path";
import type { Finding } from "../core/words/finding.ts";
import type { SyntaxProblem } from "../text/syntax.ts";
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
  ".yaml": (_, text) => yaml(text),
  ".yml": (_, text) => yaml(text),
  ".toml": (_, text) => toml(text),
  ...Object.fromEntries(
    [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"].map((extension) => [extension, javascript]),
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

async function yaml(text: string): Promise<SyntaxProblem[]> {
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text, { logLevel: "silent", prettyErrors: true });
  return [...documents].flatMap((document) =>
    document.errors.map(({ message, linePos }) => ({
      line: linePos?.[0].line ?? 1,
      column: linePos?.[0].col ?? 1,
      message: message.split(" at line ")[0] ?? message,
    })),
  );
}

async function toml(text: string): Promise<SyntaxProblem[]> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    parse(text);
    return [];
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "invalid";
    return [{ line: error.line, column: error.column, message }];
  }
}

const SMALL = 64_000;

async function javascript(file: string, text: string): Promise<SyntaxProblem[]> {
  const { parse, parseSync } = await import("oxc-parser");
  const how = /\.[cm]?js$/.test(file) ? ({ lang: "jsx", sourceType: "unambiguous" } as const) : {};
  // for a small file, a synchronous parse is faster than using another thread
  const { errors } = text.length < SMALL ? parseSync(file, text, how) : await parse(file, text, how);
  return errors
    .filter(({ severity }) => severity === "Error")
    .map(({ message, labels }) => ({ ...at(text, labels[0]?.start ?? 0), message }));
}
