import {
  type Document,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from "yaml";
import { excessOfYaml, repeatedKeys } from "../text/yaml-bounds.ts";
import { type Checked, check, type Locate, type Path } from "./check.ts";
import { inWrittenOrder, type Problem, shortened } from "./problem.ts";

// an honest configuration has a few aliases; a YAML bomb has millions
const MOST_ALIASES = 100;

const PLAINER: { [code: string]: string } = {
  MULTIPLE_DOCS: "a second YAML document begins here; only one is accepted",
};

function keyNode(document: Document, path: Path): unknown {
  const parent = document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))?.key;
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? (node as Node).range?.[0] : undefined);

function locator(document: Document, lines: LineCounter): Locate {
  return (path, of) => {
    const exact = of === "key" ? keyNode(document, path) : document.getIn(path, true);
    let start = startOf(exact);
    // for a value that came from an alias or is missing, the nearest enclosing node is reported
    for (let length = path.length - 1; start === undefined && length >= 0; length--)
      start = startOf(document.getIn(path.slice(0, length), true));
    if (start === undefined) return undefined;
    const { line, col } = lines.linePos(start);
    return { line, column: col };
  };
}

/** Parses the text of a configuration file. Nothing in it is expanded or run. */
export function parseConfig(text: string, source: string): Checked {
  const excess = excessOfYaml({ Lexer, Parser }, text);
  if (excess) return { problems: [{ source, line: 1, column: 1, message: excess }] };
  const lines = new LineCounter();
  // the parser would compare each key with all others
  const how = {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    version: "1.2",
    logLevel: "error",
  } as const;
  const document = parseDocument(text, how);
  const complain = (message: string, offset = 0): Problem => {
    const { line, col } = lines.linePos(offset);
    return { source, line: Math.max(line, 1), column: Math.max(col, 1), message };
  };
  const faults = [...document.errors, ...document.warnings];
  const problems = [
    ...faults.map((fault) => complain(PLAINER[fault.code] ?? fault.message, fault.pos[0])),
    ...repeatedKeys({ visit, isScalar }, document).map((offset) => complain("this key is a duplicate", offset)),
  ];
  if (problems.length > 0) return { problems: shortened(problems.sort(inWrittenOrder)) };
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    return { config: {}, locate: () => undefined };
  if (!isMap(document.contents))
    return { problems: [complain("a mapping of keys to values was expected", startOf(document.contents))] };
  try {
    return check(document.toJS({ maxAliasCount: MOST_ALIASES }), source, locator(document, lines));
  } catch (error) {
    return { problems: [complain((error as Error).message)] };
  }
}
