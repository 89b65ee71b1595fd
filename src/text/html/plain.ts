import { decodeEntities } from "./entities.ts";
import { walkHtml } from "./html-walk.ts";

const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody tfoot thead title tr ul".split(
    " ",
  ),
);
const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
/** Elements that end where the next one begins. */
const ENDING: ReadonlySet<string> = new Set("p li dt dd tr td th thead tbody tfoot option optgroup".split(" "));
const APART: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 ul ol table pre blockquote dl".split(" "));

/** The text of a page without markup, one block per line; white space is kept where it matters. */
export function plainText(html: string): string {
  const lines: string[] = [];
  // joined only once, because reading a growing string copies it again and again
  let pieces: string[] = [];
  let isSpaced = true;
  let kept = 0;
  const add = (piece: string) => {
    if (piece === "") return;
    pieces.push(piece);
    isSpaced = piece.endsWith(" ");
  };
  const take = (): string => {
    const line = pieces.join("");
    pieces = [];
    isSpaced = true;
    return line;
  };
  const end = (apart: boolean) => {
    const line = take();
    const text = kept > 0 ? line.trimEnd() : line.trim();
    if (text !== "" || (kept > 0 && line !== "")) lines.push(text);
    if (apart && lines.length > 0 && lines.at(-1) !== "") lines.push("");
  };
  walkHtml(html, {
    text(raw) {
      const text = decodeEntities(raw);
      if (kept === 0) {
        const flat = text.replace(/\s+/g, " ");
        add(isSpaced ? flat.trimStart() : flat);
        return;
      }
      const [first = "", ...rest] = text.split("\n");
      add(first);
      for (const next of rest) {
        lines.push(take());
        add(next);
      }
    },
    open(name) {
      if (name === "br") return end(false);
      if (BLOCKS.has(name)) end(APART.has(name));
      if (name === "pre") kept++;
      if (name === "li") add("- ");
      if ((name === "td" || name === "th") && pieces.length > 0) add(isSpaced ? "| " : " | ");
    },
    close(name) {
      if (BLOCKS.has(name)) end(APART.has(name));
      if (name === "pre" && kept > 0) kept--;
    },
  });
  end(false);
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Whether a page has too many or too deeply nested elements. Checked before anything is built from it. */
export function isBeyond(html: string, most: { readonly elements: number; readonly depth: number }): boolean {
  let elements = 0;
  let depth = 0;
  let isTooMuch = false;
  walkHtml(html, {
    open(name) {
      elements++;
      if (!VOID.has(name) && !ENDING.has(name)) depth++;
      isTooMuch = elements > most.elements || depth > most.depth;
      return !isTooMuch;
    },
    close(name) {
      if (!VOID.has(name) && !ENDING.has(name)) depth = Math.max(0, depth - 1);
    },
  });
  return isTooMuch;
}
