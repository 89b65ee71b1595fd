/** Kinds of characters. A word is searched for all of them at once, because nearly every check asks for one of them. */
export const STAND_IN = 1;
export const BLANK = 2;
export const SLASH = 4;
export const DOT = 8;
export const EQUALS = 16;
export const COMMA = 32;
/** Every character that may mean something to the shell, and most others that few words contain. */
export const SPECIAL = 64;

/** By code unit; there is one for each, so that nothing needs to be compared while a text is searched. */
export const kindsOf = (kinds: readonly (readonly [number, string])[], others = 0): Uint8Array => {
  const table = new Uint8Array(0x1_0000).fill(others);
  for (const [kind, characters] of kinds) for (const character of characters) table[character.charCodeAt(0)] = kind;
  return table;
};

/** What `\s` matches. */
const WHITE_SPACE =
  " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";
const MARKS = kindsOf(
  [
    [0, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+%:@~^]"],
    [STAND_IN | SPECIAL, "\u0000\u0001\u0002"],
    [BLANK | SPECIAL, WHITE_SPACE],
    [SLASH, "/"],
    [DOT, "."],
    [EQUALS, "="],
    [COMMA, ","],
  ],
  SPECIAL,
);

/** Which of these kinds a text holds, as bits. */
export const kindsIn = (text: string, table: Uint8Array): number => {
  let kinds = 0;
  for (let index = 0; index < text.length; index++) kinds |= table[text.charCodeAt(index)] as number;
  return kinds;
};
export const marksIn = (text: string): number => kindsIn(text, MARKS);

/** Whether any of the words holds one of these kinds. */
export const holdsAny = (words: readonly { marks: number }[], kinds: number): boolean => {
  for (let index = 0; index < words.length; index++)
    if (((words[index] as { marks: number }).marks & kinds) !== 0) return true;
  return false;
};
