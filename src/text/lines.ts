export type Ending = "\n" | "\r\n" | "\r" | "";
export type Line = { start: number; text: string; ending: Ending };

/** All lines with their endings. A final line ending is not followed by another, empty line. */
export function splitLines(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  let start = from;
  let feed = text.indexOf("\n", start);
  let carriage = text.indexOf("\r", start);
  while (feed !== -1 || carriage !== -1) {
    if (carriage === -1 || (feed !== -1 && feed < carriage)) {
      lines.push({ start, text: text.slice(start, feed), ending: "\n" });
      start = feed + 1;
      feed = text.indexOf("\n", start);
      continue;
    }
    const ending = feed === carriage + 1 ? "\r\n" : "\r";
    lines.push({ start, text: text.slice(start, carriage), ending });
    start = carriage + ending.length;
    if (ending === "\r\n") feed = text.indexOf("\n", start);
    carriage = text.indexOf("\r", start);
  }
  if (start < text.length) lines.push({ start, text: text.slice(start), ending: "" });
  return lines;
}

/** The most frequent line ending; "\n" for a text without any. */
export function dominantEnding(text: string): "\n" | "\r\n" | "\r" {
  const feeds = countOf(text, "\n");
  const carriages = countOf(text, "\r");
  if (carriages === 0) return "\n";
  const pairs = countOf(text, "\r\n");
  if (pairs >= feeds - pairs && pairs >= carriages - pairs) return "\r\n";
  return feeds - pairs >= carriages - pairs ? "\n" : "\r";
}

export function countLines(text: string): number {
  if (text === "") return 0;
  const endsOpen = !text.endsWith("\n") && !text.endsWith("\r");
  return lineAt(text, text.length) - (endsOpen ? 0 : 1);
}

/** The 1-based number of the line that holds the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  return linesAt(text, [offset])[0]!;
}

/** `lineAt` of many offsets in one pass; they must ascend. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let feed = text.indexOf("\n");
  let carriage = text.indexOf("\r");
  return offsets.map((offset) => {
    while (feed !== -1 && feed < offset) {
      line++;
      feed = text.indexOf("\n", feed + 1);
    }
    while (carriage !== -1 && carriage < offset) {
      if (text.charCodeAt(carriage + 1) !== 10) line++;
      carriage = text.indexOf("\r", carriage + 1);
    }
    return line;
  });
}

function countOf(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + piece.length)) count++;
  return count;
}
