import type { JsonSchema } from "../../core/words/json-schema.ts";
import { counted } from "../../text/counted.ts";
import { wildcardMatcher } from "../../text/wildcards.ts";
import { schemaProblem } from "../lib/schema-bounds.ts";

/** What a server says about one of its tools. Its claims about itself decide nothing. */
export type ServedTool = { readonly name: string; readonly description: string; readonly schema: JsonSchema };

/** What is known about a server without starting it: its protocol `era`, and what it said about itself. */
export type Manifest = {
  readonly at: number;
  readonly era: "legacy" | "modern";
  readonly discover?: unknown;
  readonly tools: readonly ServedTool[];
  /** Which of its tools were left out, and why. */
  readonly notes: readonly string[];
};

const MOST_TOOLS = 1_000;
const LONGEST_NAME = 128;
const LONGEST_DESCRIPTION = 4_000;
/** Invisible characters can carry text that only a model reads. */
const unseen = () => /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{VS}\u2800]|(?![\u200c\u200d])\p{Cf}/gu;
const ESCAPES = /\u001b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** A text without invisible characters, but with its line breaks. */
export const seen = (text: string, longest = LONGEST_DESCRIPTION): string => {
  const plain = text
    .slice(0, 4 * longest)
    .replace(ESCAPES, "")
    .replace(/\r\n?/g, "\n")
    .replace(unseen(), (character) => (character === "\n" || character === "\t" ? character : ""))
    .trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
};

/** Variation selectors are allowed: scripts and emoji need them. */
const hasUnseen = (text: string): boolean => text.replace(/[\n\t\p{VS}]/gu, "").search(unseen()) !== -1;

type Told = { name?: unknown; title?: unknown; description?: unknown; inputSchema?: unknown };

/** The tools of a server's list that can be offered, in a stable order. The rest is reported. */
export function readTools(listed: readonly unknown[], only?: readonly string[]): Pick<Manifest, "tools" | "notes"> {
  const tools = new Map<string, ServedTool>();
  const notes: string[] = [];
  for (const each of listed.slice(0, MOST_TOOLS)) {
    const { name, title, description, inputSchema } = (each ?? {}) as Told;
    const shown = typeof name === "string" ? seen(name, 60).replace(/\s+/g, " ") : "";
    if (
      typeof name !== "string" ||
      name === "" ||
      name.length > LONGEST_NAME ||
      hasUnseen(name) ||
      /[\n\t]/.test(name)
    ) {
      notes.push(`a tool was left out: its name ${shown ? `(${shown}) ` : ""}cannot be used`);
      continue;
    }
    if (only && !only.some((pattern) => wildcardMatcher(pattern, false)(name))) continue;
    const schema = shownSchema(inputSchema);
    if (typeof schema === "string") notes.push(`${shown} was left out: ${schema}`);
    else if (tools.has(name)) notes.push(`${shown} was listed twice; the first counts`);
    else {
      const about = [description, title].find((text): text is string => typeof text === "string" && text.trim() !== "");
      tools.set(name, { name, description: seen(about ?? ""), schema });
    }
  }
  const left = listed.length - MOST_TOOLS;
  if (left > 0) notes.push(`${counted(left, "tool")} beyond the first ${MOST_TOOLS} were left out`);
  return { tools: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), notes };
}

const TEXTS = new Set(["description", "title", "$comment"]);

/** The schema with its texts made visible, or the reason why it cannot be used. */
function shownSchema(given: unknown): JsonSchema | string {
  const problem = schemaProblem(given);
  if (problem) return `its schema ${problem}`;
  let unseen = false;
  const clean = (value: unknown, key: string, isMap: boolean): unknown => {
    if (typeof value === "string") {
      if (!isMap && TEXTS.has(key)) return seen(value, 1_000);
      unseen ||= hasUnseen(value);
      return value;
    }
    if (Array.isArray(value)) return value.map((each) => clean(each, "", false));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        unseen ||= hasUnseen(name);
        return [name, clean(each, name, MAPS.has(key))];
      }),
    );
  };
  const schema = clean(given, "", false) as JsonSchema;
  return unseen ? "its schema has characters in it that cannot be seen" : { ...schema, type: "object" };
}

/** Maps whose keys are chosen by the schema's author, so `description` is not a text there. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
