import { forEachChild, type HereDoc, type ParsedScript, type SyntaxNode } from "unbash";

const BACKSLASH = 92;
const NEWLINE = 10;
const HASH = 35;
/** Blank, tab, newline, `;` and `&`. */
const SEPARATORS: ReadonlySet<number> = new Set([32, 9, NEWLINE, 59, 38]);

/** Only separators, comments and here-documents may come between commands. The parser has overlooked anything else. */
export const overlooked = (script: ParsedScript, source: string): string | undefined => {
  const documents = source.includes("<<") ? documentsIn(script) : NONE;
  for (const document of documents) {
    const reason = endsElsewhere(document);
    if (reason !== undefined) return reason;
  }
  let from = 0;
  for (const statement of script.commands) {
    if (!isGap(source, from, statement.pos, documents)) return "it is not valid shell";
    from = statement.end;
  }
  return isGap(source, from, source.length, documents) ? undefined : "it is not valid shell";
};

const NONE: readonly HereDoc[] = [];

const documentsIn = (script: ParsedScript): readonly HereDoc[] => {
  const found: HereDoc[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "HereDoc") found.push(node);
    // only a substitution in a word can hold one, and the parser need not look for any in the others
    if (node.type !== "Word" || node.text.includes("<")) forEachChild(node, visit);
  };
  visit(script);
  return found;
};

/** Delimiters that every shell reads the same way. */
const PLAIN = /^[\w.,:+!@%^/~-]+$/;

/** Why a shell may end a here-document earlier than the parser, and run the lines after it. */
const endsElsewhere = ({ closing, delimiter, body }: HereDoc): string | undefined => {
  if (closing === undefined) return "a here-document in it does not end";
  const end = delimiter?.value ?? "";
  if (!PLAIN.test(end)) return "the delimiter of a here-document in it is unusual";
  // some shells join a line that ends in a backslash to the next one before they compare it
  return !delimiter?.quoted && goesOn(body.text, end)
    ? "a line of a here-document in it continues after a backslash"
    : undefined;
};

const goesOn = (text: string, end: string): boolean => {
  const lines = text.split("\n");
  return lines.some(
    (line, index) => line.endsWith("\\") && (end.startsWith(line.trim().slice(0, -1)) || lines[index + 1] === end),
  );
};

const isGap = (source: string, from: number, to: number, documents: readonly HereDoc[]): boolean => {
  for (let index = from; index < to; index++) {
    const code = source.charCodeAt(index);
    if (code === 32) continue;
    if (documents.length > 0) {
      const at = index;
      const document = documents.find(({ body, closing }) => at >= body.pos && at < (closing?.end ?? body.end));
      if (document !== undefined) {
        index = (document.closing?.end ?? document.body.end) - 1;
        continue;
      }
    }
    if (SEPARATORS.has(code)) continue;
    if (code === HASH) {
      const end = source.indexOf("\n", index);
      if (end < 0) return true;
      index = end;
    } else if (code === BACKSLASH && source.charCodeAt(index + 1) === NEWLINE) index++;
    else return false;
  }
  return true;
};

/** The parser searches for the end of each of these separately, which would take seconds if a word had more. */
const MOST_OPEN = 1_000;

/** Whether one word holds so many braces, or the line so many `$[`, that parsing it would take too long. */
export const isTooInvolved = (source: string): boolean => {
  if (source.length <= MOST_OPEN || !(source.includes("{") || source.includes("$["))) return false;
  let open = 0;
  let sums = 0;
  for (let index = 0; index < source.length; index++) {
    const char = source[index];
    if (char === "{") open++;
    else if (char === "[" && source[index - 1] === "$") sums++;
    else if (char === " " || char === "\n" || char === "\t") open = 0;
    else if (char === "'" && open < MOST_OPEN) {
      const end = source.indexOf("'", index + 1);
      if (end > 0) index = end;
    }
    if (open > MOST_OPEN || sums > MOST_OPEN) return true;
  }
  return false;
};
