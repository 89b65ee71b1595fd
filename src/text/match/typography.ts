export const typographicBlanks = "\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000";
export const typographicMarks = `[\\u2018-\\u201F\\u2032\\u2033\\u2010-\\u2015\\u2212\\u2026${typographicBlanks}]`;

const marks = new RegExp(typographicMarks);
const allMarks = new RegExp(typographicMarks, "g");
const ellipsis = "\u2026";
// every mark that is not in this table is a kind of blank
const plainMarks = new Map([
  ...Array.from("\u2018\u2019\u201A\u201B\u2032", (mark) => [mark, "'"] as const),
  ...Array.from("\u201C\u201D\u201E\u201F\u2033", (mark) => [mark, '"'] as const),
  ...Array.from("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", (mark) => [mark, "-"] as const),
  [ellipsis, "..."] as const,
]);

export function hasTypography(text: string): boolean {
  return marks.test(text);
}

/** The text as typed on a keyboard: only for comparison, never to be written to a file. */
export function plainText(text: string): string {
  return marks.test(text) ? text.replace(allMarks, plainMark) : text;
}

export function plainMark(mark: string): string {
  return plainMarks.get(mark) ?? " ";
}

/** `wanted`, with the beginning and end that it shares with `copied` in the file's own characters. */
export function keepOwnCharacters(own: string, copied: string, wanted: string): string {
  const ownOffsets = offsetsInto(own, copied);
  const limit = Math.min(copied.length, wanted.length);
  let head = 0;
  while (head < limit && copied[head] === wanted[head]) head++;
  while (ownOffsets[head] === -1) head--;
  let tail = 0;
  while (tail < limit - head && copied[copied.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail++;
  while (ownOffsets[copied.length - tail] === -1) tail--;
  const middle = wanted.slice(head, wanted.length - tail);
  return own.slice(0, ownOffsets[head]) + middle + own.slice(ownOffsets[copied.length - tail]);
}

// three dots may match one ellipsis on either side; -1 means inside of such a replacement
function offsetsInto(own: string, copied: string): number[] {
  const offsets = new Array<number>(copied.length + 1).fill(-1);
  let ownAt = 0;
  let copiedAt = 0;
  while (copiedAt < copied.length) {
    offsets[copiedAt] = ownAt;
    const copiedIsEllipsis = copied[copiedAt] === ellipsis;
    const ownIsEllipsis = own[ownAt] === ellipsis;
    ownAt += copiedIsEllipsis && !ownIsEllipsis ? 3 : 1;
    copiedAt += ownIsEllipsis && !copiedIsEllipsis ? 3 : 1;
  }
  offsets[copied.length] = own.length;
  return offsets;
}
