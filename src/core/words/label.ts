/** The last words of names that a redaction takes for the key of a secret. A word too many costs only quotes. */
const KEY_LIKE = /(?:pass\w{0,32}|secrets?|token|key(?:_base)?|credentials?|string|pwd|authorization)$/i;

/**
 * Somebody else's name, to be followed by a colon and a text. `validate-secrets: no` would read as a secret and its
 * value, and the text would be redacted; after a closing quote of this kind it does not.
 */
export const labelOf = (name: string): string => (KEY_LIKE.test(name) ? `“${name}”` : name);
