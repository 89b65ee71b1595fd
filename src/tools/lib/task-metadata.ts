import * as z from "zod";
import { ToolFailure } from "../../core/words/result.ts";

const LONGEST = 20_000;
const isShort = (metadata: object): boolean => JSON.stringify(metadata).length <= LONGEST;

/** Notes that agents keep about a task. */
export const taskMetadata = () =>
  z.record(z.string(), z.unknown()).refine(isShort, `has at most ${LONGEST} characters as JSON`);

type Metadata = Record<string, unknown>;

/** null removes a value. */
export function mergedMetadata(before: Metadata, after: Metadata): Metadata {
  const both = Object.fromEntries(Object.entries({ ...before, ...after }).filter(([, value]) => value !== null));
  if (!isShort(both))
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `The metadata of a task have at most ${LONGEST} characters as JSON, with what is there already.`,
      "Remove what is no longer needed by setting it to null.",
    );
  return both;
}
