const PAGE_BYTES = 40 * 1024;
const PAGE_LINES = 2_000;
const LEAST_BYTES = 200;

export type Part = { readonly text: string; readonly from: number; readonly to: number; readonly total: number };

/** A part of a long text from an offset: as much as fits, up to the end of a line if one is near. */
export function partOf(text: string, offset: number, most = PAGE_BYTES): Part {
  const room = Math.max(LEAST_BYTES, Math.min(most, PAGE_BYTES));
  const from = offset > 0 && isLow(text, offset) ? offset + 1 : offset;
  const { read } = new TextEncoder().encodeInto(text.slice(from, from + room), new Uint8Array(room));
  let to = Math.min(from + read, afterLines(text, from));
  if (to < text.length) {
    const line = text.lastIndexOf("\n", to - 1);
    if (line > from + (to - from) / 2) to = line + 1;
    else if (isLow(text, to)) to--;
  }
  return { text: text.slice(from, to), from, to, total: text.length };
}

const isLow = (text: string, at: number): boolean => /[\uDC00-\uDFFF]/.test(text.charAt(at));

function afterLines(text: string, from: number): number {
  let at = from;
  for (let line = 0; line < PAGE_LINES; line++) {
    const end = text.indexOf("\n", at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

/** How to continue after a part, if there is more. */
export const goOn = ({ from, to, total }: Part, again: Readonly<Record<string, unknown>>): string[] =>
  to < total ? [`[Characters ${from}-${to} of ${total}. Go on with ${JSON.stringify({ ...again, offset: to })}.]`] : [];
