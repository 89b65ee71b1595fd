const BLANK = /\s/;

/** Whether a text contains white space. Nearly every word is short, and a loop is then faster than a pattern. */
export const hasBlank = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code > 126) return BLANK.test(text);
  }
  return false;
};

/** The text in front of the first mark in it, or all of it. */
export const upTo = (mark: string, text: string): string => {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
};
