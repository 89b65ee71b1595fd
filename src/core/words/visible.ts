/** Characters that steer a terminal, have no width or reverse the writing direction; not tabs and line ends. */
const STEERING =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * Also whatever else could hide or pass for something: every control and format character, joiners, selectors, fillers,
 * symbols that are drawn as nothing, blanks other than a space, unassigned characters, and combining marks that pile up.
 */
const hiding = () =>
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}|(?<=\p{M}\p{M})\p{M}/gu;

const numbered = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Text that cannot steer a terminal: such characters are shown by their number. */
export const harmless = (text: string): string => text.replace(STEERING, numbered);

/** Equivalent JSON in which every character is visible. */
export const visibleJson = (json: string): string =>
  json.replace(hiding(), (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** One line in which every character is visible. Long runs of blanks are counted, so that they push nothing away. */
export const visibleLine = (text: string, mostBlanks = 8): string =>
  text
    .replaceAll("\t", "    ")
    .replace(hiding(), (character) => (character === "\n" ? "⏎" : numbered(character)))
    .replace(/ {9,}/g, (blanks) => (blanks.length > mostBlanks ? ` ⟨${blanks.length} blanks⟩ ` : blanks));

/** The same for a text of several lines. Runs of empty lines are counted, too. */
export function visibleLines(text: string, mostBlanks?: number): string[] {
  const lines: string[] = [];
  let empty = 0;
  const end = () => {
    if (empty > 3) lines.push(`⟨${empty} empty lines⟩`);
    else for (; empty > 0; empty--) lines.push("");
    empty = 0;
  };
  for (const line of text.split("\n")) {
    // any other blank is a word to a shell, and may be the name of a program
    if (/^[ \t]*\r?$/.test(line)) {
      empty += 1;
      continue;
    }
    end();
    lines.push(visibleLine(line, mostBlanks));
  }
  end();
  return lines;
}

/** Never less than what a terminal uses. */
const columnsOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  // spacing marks, which stand beside their letter, take up room
  return code < 0x300 ? 1 : /[\p{Mn}\p{Me}]/u.test(character) ? 0 : code < 0x1100 ? 1 : 2;
};

const columnsIn = (text: string): number => [...text].reduce((sum, each) => sum + columnsOf(each), 0);

/**
 * Breaks a line into pieces that fit: if the terminal broke it, a piece could pass for a line of ours. All but the
 * first start with `indent`.
 */
export function wrapped(line: string, width: number, indent = ""): string[] {
  if (line.length <= width && /^[\x20-\x7e]*$/.test(line)) return [line];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of line) {
    const columns = columnsOf(character);
    if (used + columns > width) {
      const space = piece.lastIndexOf(" ") + 1;
      const rest = space > piece.length / 2 ? piece.slice(space) : "";
      pieces.push(piece.slice(0, piece.length - rest.length));
      piece = indent + rest;
      used = columnsIn(piece);
    }
    piece += character;
    used += columns;
  }
  pieces.push(piece);
  return pieces;
}

/** One line of a list, for people. What does not fit continues further to the right than any line of the list starts. */
export const listed = (line: string, width: number, indent: string): string =>
  width === Number.POSITIVE_INFINITY ? line : wrapped(line, Math.max(width, 20), indent).join("\n");
