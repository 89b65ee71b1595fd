const DIGITS = 36;

/** Short, because V8 keeps texts of up to twelve characters in one piece, and the store compares every id. */
const prefix = Array.from({ length: 8 }, () => Math.floor(Math.random() * DIGITS).toString(DIGITS)).join("");

/** Four digits long for more than a million calls. Seeded by the system; loading Node's crypto takes too long. */
let made = DIGITS ** 3 + Math.floor(Math.random() * DIGITS ** 3);

/** Globally unique and cheap: a random prefix per process, then a counter. Not for what must not be guessed. */
export const newID = (): string => `${prefix}${(made++).toString(DIGITS)}`;
