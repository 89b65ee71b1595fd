import { timingSafeEqual } from "node:crypto";
import type { Grant } from "../../core/contracts/store/grants.ts";
import type { Value } from "./driver.ts";

/**
 * Marks what a person said, by a key that only their own processes have. A store may have come with a cloned folder,
 * rows, triggers and all: what does not bear the mark was said by nobody.
 */
export type Seal = (text: string) => string;

export const sealOfGrant = (seal: Seal, { tool, action, target, session, at }: Grant): string =>
  seal(JSON.stringify(["grant", tool, action, target, session, at]));

export const sealOfAnswer = (seal: Seal, id: string, answer: string, message: string | null): string =>
  seal(JSON.stringify(["answer", id, answer, message]));

export function isSealed(found: Value | undefined, due: string): boolean {
  const [a, b] = [Buffer.from(typeof found === "string" ? found : ""), Buffer.from(due)];
  return typeof found === "string" && a.length === b.length && timingSafeEqual(a, b);
}
