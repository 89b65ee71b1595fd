// seeded by the system; loading Node's crypto takes longer than judging a call
const prefix = [Math.random(), Math.random()].map((part) => part.toString(36).slice(2, 9)).join("");
let made = 0;

/** Globally unique and cheap: a random prefix per process, then a counter. Not for what must not be guessed. */
export const newID = (): string => `${prefix}${(made++).toString(36)}`;
