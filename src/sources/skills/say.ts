/** Reports a defect at a path. `grave` means that something is left out because of it. */
export type Say = (grave: boolean, message: string, ...path: (string | number)[]) => void;

export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? "nothing";
