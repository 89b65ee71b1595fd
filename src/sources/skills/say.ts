/** Names a defect where it was written. `grave`: because of it something is left out. */
export type Say = (grave: boolean, message: string, ...path: (string | number)[]) => void;

export const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? "nothing";
