/** A count with its noun: `1 hit`, `2 hits`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
