import { type Document, isMap, isNode, isPair, isScalar, Lexer, LineCounter, Parser, parseDocument, visit } from "yaml";
import { excessOfYaml, repeatedKeys } from "../../text/yaml-bounds.ts";

/** `line` counts from 1, in the whole file. */
export type Finding = { readonly line: number; readonly message: string };
export type Fields = Readonly<Record<string, unknown>>;
export type FrontMatter = {
  readonly fields: Fields;
  readonly body: string;
  /** The line on which the body begins. */
  readonly bodyLine: number;
  /** The line of a field, or of something in it. */
  lineOf(...path: (string | number)[]): number;
  /** What was corrected in order to parse it. */
  readonly mended: readonly Finding[];
};

const MOST_ALIASES = 100;
const MOST_CHARACTERS = 32_000;
const MOST_LINES = 500;
const MOST_PROBLEMS = 20;
/** A text without quotes that contains what YAML would read as syntax. */
const UNQUOTED = /^([\w-]+):[ \t]+(?!["'|>[{&*!%@`])(.*(?:: | #|:$).*)$/;

/** The YAML between two `---` lines at the beginning of a Markdown file. Nothing in it is run. */
export function frontMatter(text: string): FrontMatter | { problems: Finding[] } {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (!/^---[ \t]*$/.test(lines[0] ?? ""))
    return {
      problems: [{ line: 1, message: "it must begin with front matter: a line of ---, then name and description" }],
    };
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  if (end < 0)
    return { problems: [{ line: 1, message: "its front matter has no end: a second line of --- is missing" }] };
  const head = lines.slice(1, end);
  const excess = tooLong(head.join("\n"));
  if (excess) return { problems: [{ line: 1, message: excess }] };
  const first = parsed(head);
  if ("fields" in first) return { ...first, ...bodyOf(lines, end) };
  const mended: Finding[] = [];
  const quoted = head.map((line, index) => {
    const found = UNQUOTED.exec(line);
    if (!found) return line;
    mended.push({ line: index + 2, message: `${found[1]} contains ": " or " #" and has to be in quotes` });
    return `${found[1]}: ${JSON.stringify(found[2])}`;
  });
  const second = mended.length > 0 ? parsed(quoted) : first;
  return "fields" in second ? { ...second, ...bodyOf(lines, end), mended: [...mended, ...second.mended] } : first;
}

/** Why a front matter is not even parsed: strangers' files are read whenever a workspace is opened. */
export function tooLong(head: string): string | undefined {
  if (head.length > MOST_CHARACTERS)
    return `its front matter has ${head.length} characters; at most ${MOST_CHARACTERS} are read`;
  const lines = head.split("\n").length;
  if (lines > MOST_LINES) return `its front matter has ${lines} lines; at most ${MOST_LINES} are read`;
  const excess = excessOfYaml({ Lexer, Parser }, head);
  return excess && `its front matter is not read: ${excess}`;
}

/** `problems` are offsets with messages. A duplicate key is a problem. */
export type YamlHead = {
  readonly document: Document;
  readonly lines: LineCounter;
  /** Offsets of lone stars that were read as text. */
  readonly stars: readonly number[];
  readonly problems: readonly { at: number; message: string }[];
};

export function yamlHead(head: string): YamlHead {
  const { document, lines, stars } = withStars(head);
  const problems = document.errors.map(({ message, pos }) => ({ at: pos[0], message: firstLine(message) }));
  for (const at of repeatedKeys({ visit, isScalar }, document))
    problems.push({ at, message: "Map keys must be unique" });
  return { document, lines, stars, problems: problems.slice(0, MOST_PROBLEMS) };
}

/** A lone `*`, as in `tools: *`, is an alias without a name to YAML, which is never valid: it is read as text. */
function withStars(head: string): Omit<YamlHead, "problems"> {
  const first = parsedYaml(head);
  const stars = first.document.errors.flatMap(({ code, pos: [at] }) =>
    code === "BAD_ALIAS" && /^\*(?:[\s,\]}]|$)/.test(head.slice(at, at + 2)) ? at : [],
  );
  if (stars.length === 0) return { ...first, stars };
  const quoted = stars.reduceRight((text, at) => `${text.slice(0, at)}"*"${text.slice(at + 1)}`, head);
  // each quoted star moves what follows by two
  return { ...parsedYaml(quoted), stars: stars.map((at, index) => at + 2 * index) };
}

function parsedYaml(head: string): Pick<YamlHead, "document" | "lines"> {
  const lines = new LineCounter();
  const document = parseDocument(head, {
    // the parser would compare each key with all others
    ...{ uniqueKeys: false, lineCounter: lines, prettyErrors: false, version: "1.2", logLevel: "error" },
  });
  return { document, lines };
}

function bodyOf(lines: readonly string[], end: number) {
  const first = lines.findIndex((line, index) => index > end && line.trim() !== "");
  if (first < 0) return { body: "", bodyLine: end + 1 };
  return { body: lines.slice(first).join("\n").trim(), bodyLine: first + 1 };
}

type Parsed = Pick<FrontMatter, "fields" | "lineOf" | "mended">;

function parsed(head: readonly string[]): Parsed | { problems: Finding[] } {
  const { document, problems, lines, stars } = yamlHead(head.join("\n"));
  const lineAt = (offset: number) => Math.max(lines.linePos(offset).line, 1) + 1;
  if (problems.length > 0) return { problems: problems.map(({ at, message }) => ({ line: lineAt(at), message })) };
  if (!isMap(document.contents))
    return { problems: [{ line: 2, message: "its front matter must be a map of names to values" }] };
  try {
    const fields = document.toJS({ maxAliasCount: MOST_ALIASES }) as Fields;
    const mended = stars.map((at) => ({ line: lineAt(at), message: "a * alone has to be in quotes" }));
    return { fields, lineOf: (...path) => lineAt(startOf(document, path)), mended };
  } catch (error) {
    return { problems: [{ line: 1, message: firstLine(error instanceof Error ? error.message : String(error)) }] };
  }
}

const firstLine = (text: string): string => text.split("\n", 1)[0] as string;

/** The offset of the key at the end of a path; for a missing one, that of its nearest existing parent. */
function startOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const name = path[length - 1];
    const above = document.getIn(path.slice(0, length - 1), true);
    const key = isMap(above)
      ? above.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)?.key
      : document.getIn(path.slice(0, length), true);
    if (isNode(key) && key.range) return key.range[0];
  }
  return 0;
}
