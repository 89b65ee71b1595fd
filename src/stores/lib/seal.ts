import { timingSafeEqual } from "node:crypto";
import type { Value } from "./driver.ts";

/**
 * Signs what a person said, with a key that only their own processes have. A store may have come with a cloned folder,
 * including its rows and triggers: what has no valid seal was said by nobody.
 */
export type Seal = (text: string) => string;

type Kind = "grant" | "answer" | "plan" | "row" | "page" | "checkpoint" | "unchained";

/** Covers everything that was said, and its kind. */
export const sealOf = (seal: Seal, kind: Kind, said: readonly (Value | undefined)[]): string =>
  seal(JSON.stringify([kind, ...said]));

/** Never throws: a record without a seal is better than none. */
export function sealIfPossible(seal: Seal, kind: Kind, said: readonly (Value | undefined)[]): string | null {
  try {
    return sealOf(seal, kind, said);
  } catch {
    return null;
  }
}

export function isSealed(found: Value | undefined, due: string): boolean {
  const [a, b] = [Buffer.from(typeof found === "string" ? found : ""), Buffer.from(due)];
  return typeof found === "string" && a.length === b.length && timingSafeEqual(a, b);
}
