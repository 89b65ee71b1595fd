/** Kinds of characters. A word is searched for all of them at once, because nearly every check asks for one of them. */
export const STAND_IN = 1;
export const BLANK = 2;
export const SLASH = 4;
export const DOT = 8;
export const EQUALS = 16;
export const COMMA = 32;

const KINDS = new Uint8Array(128);
for (const [kind, characters] of [
  [STAND_IN, "\u0000\u0001\u0002"],
  [BLANK, " \t\n\v\f\r"],
  [SLASH, "/"],
  [DOT, "."],
  [EQUALS, "="],
  [COMMA, ","],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

const WHITE_SPACE = /\s/;

/** Which of these kinds a text holds, as bits. */
export const marksIn = (text: string): number => {
  let marks = 0;
  let beyond = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < KINDS.length) marks |= KINDS[code] as number;
    else beyond = true;
  }
  return beyond && WHITE_SPACE.test(text) ? marks | BLANK : marks;
};

/** Whether any of the words holds one of these kinds. */
export const holdsAny = (words: readonly { marks: number }[], kinds: number): boolean => {
  for (let index = 0; index < words.length; index++)
    if (((words[index] as { marks: number }).marks & kinds) !== 0) return true;
  return false;
};
