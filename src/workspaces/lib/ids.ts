// seeded by the system; to load Node's crypto takes longer than to judge a call
const prefix = [Math.random(), Math.random()].map((part) => part.toString(36).slice(2, 9)).join("");
let made = 0;

/** Unique everywhere, and cheap: one random prefix a process, then a count. Not for what must not be guessed. */
export const newID = (): string => `${prefix}${(made++).toString(36)}`;
