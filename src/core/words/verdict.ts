export type Answer = "allow" | "ask" | "deny";

/**
 * What a policy says of a call. `exclude` narrows a search or listing to what may be read. `grantable` marks an ask
 * that a person's standing yes answers: those of mode, danger and autonomy alone.
 */
export type Verdict = { answer: Answer; by: string; reason: string; exclude?: readonly string[]; grantable?: boolean };
