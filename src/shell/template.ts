/** A placeholder in a command line, and the quotes around it. */
export type Hole = { readonly name: string; readonly inside: "nothing" | "single" | "double" };
export type Template = { readonly pieces: readonly (string | Hole)[] };

/** The name that stands for the template's own folder. */
export const FOLDER = "SKILL_DIR";

const HOLE = /^\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/;
const FOLDER_HERE = /^\$(?:SKILL_DIR(?![A-Za-z0-9_])|\{SKILL_DIR\})/;
const SIMPLE_VARIABLE = /^\$\{[A-Za-z_]\w*\}/;

/** `brackets`: the number of open unquoted `[`. After a name they start a subscript, which a blank does not end. */
type Reader = {
  rest: string;
  pieces: (string | Hole)[];
  text: string;
  inside: Hole["inside"];
  isWordStart: boolean;
  brackets: number;
  isSubscript: boolean;
};

/**
 * A shell line with placeholders for values. Only simple cases are accepted: a placeholder is unquoted, or in single or
 * double quotes without a substitution.
 */
export function readTemplate(line: string): Template | { problem: string } {
  const reader: Reader = {
    rest: line,
    pieces: [],
    text: "",
    inside: "nothing",
    isWordStart: true,
    brackets: 0,
    isSubscript: false,
  };
  while (reader.rest !== "") {
    const problem = step(reader);
    if (problem !== undefined) return { problem };
  }
  if (reader.inside !== "nothing") return { problem: "a quote is not closed" };
  if (reader.text !== "") reader.pieces.push(reader.text);
  const missed = reader.pieces.find((piece) => typeof piece === "string" && /\{\{|\}\}/.test(piece));
  if (missed !== undefined) return { problem: "{{ and }} must hold the name of an argument, without a \\ before it" };
  return { pieces: reader.pieces };
}

function step(reader: Reader): string | undefined {
  const { rest, inside } = reader;
  const hole = HOLE.exec(rest);
  // the shell expands a subscript again, even if it is quoted
  if (reader.brackets > 0 && (hole || FOLDER_HERE.test(rest)))
    return "a value cannot stand in the subscript of an array";
  if (hole) return put(reader, hole[0], { name: hole[1] as string, inside });
  const folder = FOLDER_HERE.exec(rest);
  if (folder && inside === "single") return "$SKILL_DIR means nothing inside single quotes; use double quotes";
  if (inside === "single") return take(reader, 1, rest[0] === "'" ? "nothing" : "single");
  if (folder) return put(reader, folder[0], { name: FOLDER, inside });
  if (rest[0] === "\\") return take(reader, 2, inside);
  if (rest[0] === "`") return "backticks cannot be used in it";
  if (inside === "double") {
    if (rest.startsWith("$(")) return "a substitution inside double quotes cannot be used in it";
    if (rest.startsWith("${") && !SIMPLE_VARIABLE.test(rest))
      return "an expansion such as ${x:-y} cannot be used in it";
    return take(reader, 1, rest[0] === '"' ? "nothing" : "double");
  }
  return plain(reader);
}

/** The start of a construct in which quotes have another meaning. */
const FOREIGN: readonly { start: RegExp; problem: string }[] = [
  { start: /^\$\(\(|^\(\(/, problem: "arithmetic cannot be used in it" },
  { start: /^\$['"]/, problem: "$'…' and $\"…\" cannot be used in it" },
  { start: /^\$\{(?![A-Za-z_]\w*\})/, problem: "an expansion such as ${x:-y} cannot be used in it" },
  { start: /^<<(?!<)/, problem: "a here-document cannot be used in it" },
];

function plain(reader: Reader): string | undefined {
  const { rest, isWordStart } = reader;
  const foreign = FOREIGN.find(({ start }) => start.test(rest));
  if (foreign) return foreign.problem;
  if (rest[0] === "#" && isWordStart) return "a comment cannot be used in it";
  if (rest.startsWith("<<<")) return take(reader, 3, "nothing");
  return take(reader, 1, rest[0] === "'" ? "single" : rest[0] === '"' ? "double" : "nothing");
}

function take(reader: Reader, length: number, inside: Hole["inside"]): undefined {
  const taken = reader.rest.slice(0, length);
  if (reader.inside === "nothing") countBrackets(reader, taken);
  reader.text += taken;
  reader.rest = reader.rest.slice(length);
  reader.inside = inside;
  reader.isWordStart = /^[\s;&|()]$/.test(taken);
}

function countBrackets(reader: Reader, taken: string): void {
  if (taken === "[") {
    const isBehindName = /\w$/.test(reader.text) || (reader.text === "" && reader.pieces.length > 0);
    reader.isSubscript = isBehindName || (reader.isSubscript && reader.brackets > 0);
    reader.brackets++;
  } else if (taken === "]") reader.brackets = Math.max(0, reader.brackets - 1);
  else if (!reader.isSubscript && /^\s$/.test(taken)) reader.brackets = 0;
}

function put(reader: Reader, taken: string, hole: Hole): undefined {
  if (reader.text !== "") reader.pieces.push(reader.text);
  reader.pieces.push(hole);
  reader.text = "";
  reader.rest = reader.rest.slice(taken.length);
  reader.isWordStart = false;
}

export const namesIn = ({ pieces }: Template): string[] => [
  ...new Set(pieces.flatMap((piece) => (typeof piece === "object" ? [piece.name] : []))),
];

/** One word, whatever is in it. */
const quoted = (text: string): string => `'${inSingle(text)}'`;
const inSingle = (text: string): string => text.replaceAll("'", `'\\''`);

/** The line with its values filled in, each as separate words and nothing else. A missing value leaves nothing. */
export function fill({ pieces }: Template, values: (name: string) => readonly string[]): string {
  const texts = pieces.map((piece) => (typeof piece === "string" ? piece : inPlace(piece, values(piece.name))));
  return texts.join("").trim();
}

function inPlace({ inside }: Hole, words: readonly string[]): string {
  if (inside === "single") return inSingle(words.join(" "));
  // the quotes are closed before the value and reopened after it
  if (inside === "double") return words.length === 0 ? "" : `"${quoted(words.join(" "))}"`;
  return words.map(quoted).join(" ");
}
