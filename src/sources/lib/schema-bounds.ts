import { isPlain } from "../../arguments/json-schema.ts";

const DEEPEST = 40;
const MOST_NODES = 10_000;
const LONGEST = 300_000;
/** Keys by which a library's schema would be recognized. JSON data must not have them. */
const STRANGE = ["_zod", "~standard", "safeParse", "$async", "__proto__"];

/** Why a stranger's JSON Schema is rejected, as the end of a sentence; undefined if it is accepted. */
export function schemaProblem(schema: unknown): string | undefined {
  if (!isPlain(schema)) return "is no object";
  if (schema.type !== undefined && schema.type !== "object") return "takes no object";
  const strange = STRANGE.find((key) => Object.hasOwn(schema, key));
  if (strange) return `has ${strange} in it`;
  const walk = { nodes: 0, problem: undefined as string | undefined };
  look(schema, 0, walk);
  if (walk.problem) return walk.problem;
  return JSON.stringify(schema).length > LONGEST ? `is longer than ${LONGEST} characters` : undefined;
}

function look(value: unknown, depth: number, walk: { nodes: number; problem: string | undefined }): void {
  if (walk.problem || typeof value !== "object" || value === null) return;
  walk.nodes += 1;
  if (depth > DEEPEST) walk.problem = `is more than ${DEEPEST} levels deep`;
  else if (walk.nodes > MOST_NODES) walk.problem = `has more than ${MOST_NODES} parts`;
  else
    for (const [key, inner] of Object.entries(value)) {
      if (isReference(key) && typeof inner === "string" && !inner.startsWith("#"))
        walk.problem = `refers to ${inner.slice(0, 100)}, and nothing is fetched for a schema`;
      look(inner, depth + 1, walk);
    }
}

const isReference = (key: string): boolean => key === "$ref" || key === "$dynamicRef" || key === "$recursiveRef";
