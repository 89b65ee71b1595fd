import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import type { PersonQuestion } from "../../core/contracts/people.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { counted } from "../../text/counted.ts";
import { seen } from "./manifest.ts";

const MOST_FIELDS = 8;
const MOST_OPTIONS = 20;
const LONGEST_MESSAGE = 2_000;
const LONGEST_LABEL = 200;
const LONGEST_ANSWER = 10_000;
const MOST_TRIES = 3;

/** The parts of a form's field that we use; the protocol allows no nesting. */
type Field = {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  enumNames?: unknown[];
  oneOf?: { const?: unknown; title?: unknown }[];
  items?: { enum?: unknown[]; anyOf?: { const?: unknown; title?: unknown }[] };
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};
type Value = string | number | boolean | string[];

export type Asking = {
  readonly server: string;
  readonly tool: string;
  ask(question: PersonQuestion): Promise<string>;
};

/** How a form ended; `why` says what kept it from being filled in. */
export type Filled = { readonly result: ElicitResult; readonly why?: string };

const declined = (why: string): Filled => ({ result: { action: "decline" }, why });

/** A form must never ask for these: no server should get them this way. */
const SECRET =
  /pass[ _-]?(?:word|phrase|code)|secret|credential|private[ _-]?key|api[ _-]?key|access[ _-]?key|\btokens?\b|\bpin\b|\bcvv?c?\b|card[ _-]?number|\botp\b|\bssn\b/i;

/** Asks the person a server's form, one question per field. The answers go to the server. */
export async function fillIn(params: ElicitRequestParams, asking: Asking): Promise<Filled> {
  if (!("requestedSchema" in params)) return declined("it wants a page to be opened, which is not done for a server");
  const { message, requestedSchema } = params;
  const properties = (requestedSchema.properties ?? {}) as Record<string, Field>;
  const required = new Set(requestedSchema.required ?? []);
  const fields = Object.entries(properties);
  if (fields.length > MOST_FIELDS) return declined(`its form has ${counted(fields.length, "field")}`);
  const asksSecret = fields.find(
    ([name, { type, title, description }]) =>
      type !== "boolean" && type !== "number" && SECRET.test([spaced(name), title, description].join(" ")),
  );
  // a name chosen by somebody else is repeated to the model only if it is a plain one
  if (asksSecret)
    return declined(`it asks for a secret${/^[\w-]{1,40}$/.test(asksSecret[0]) ? ` (${asksSecret[0]})` : ""}`);
  const says = seen(String(message), LONGEST_MESSAGE);
  try {
    if (fields.length === 0) return await confirmed(says, asking);
    const content: Record<string, Value> = {};
    let answered = 0;
    for (const [name, field] of fields) {
      const given = await answerTo(says, name, field, required.has(name), asking);
      if (given !== undefined) answered += 1;
      const value = given ?? (field.default as Value | undefined);
      if (value !== undefined) content[name] = value;
    }
    return answered === 0
      ? { result: { action: "cancel" }, why: NOT_ANSWERED }
      : { result: { action: "accept", content } };
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "CANCELLED")
      return { result: { action: "cancel" }, why: NOT_ANSWERED };
    return declined(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}

const NOT_ANSWERED = "the person did not answer";

/** Splits field names such as apiKey and api_key into words. */
const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ");

async function confirmed(says: string, asking: Asking): Promise<Filled> {
  const answer = await asking.ask(questionOf(says, "Do you agree?", ["yes", "no"], asking));
  return /^(?:y|yes)$/i.test(answer.trim())
    ? { result: { action: "accept", content: {} } }
    : { result: { action: "decline" }, why: "the person said no" };
}

const questionOf = (says: string, wants: string, options: readonly string[], asking: Asking): PersonQuestion => ({
  question: `${says}\n\n${wants}\n\n(What you answer is sent to the server ${asking.server}, for its tool ${seen(asking.tool, 100)}.)`,
  asker: `the server ${asking.server}`,
  ...(options.length > 0 && { options }),
});

/** Returns undefined if the field is optional and was left out. */
async function answerTo(
  says: string,
  name: string,
  field: Field,
  isRequired: boolean,
  asking: Asking,
): Promise<Value | undefined> {
  const choices = choicesOf(field);
  const label = seen(typeof field.title === "string" && field.title !== "" ? field.title : name, LONGEST_LABEL);
  const about = typeof field.description === "string" ? `: ${seen(field.description, LONGEST_LABEL)}` : "";
  const otherwise = field.default === undefined ? "" : `, by default ${seen(JSON.stringify(field.default), 60)}`;
  const wants = `${label}${about} (${kindOf(field)}${isRequired ? "" : ", may be left empty"}${otherwise})`;
  let problem = "";
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const question = questionOf(says, `${problem}${wants}`, optionsOf(field, choices), asking);
    let answer: string;
    try {
      answer = await asking.ask(question);
    } catch (error) {
      if (!isRequired && error instanceof ToolFailure && error.code === "CANCELLED") return undefined;
      throw error;
    }
    const read = readAnswer(answer.trim().slice(0, LONGEST_ANSWER), field, choices);
    if ("value" in read) return read.value;
    problem = `That is not ${read.wants}. `;
  }
  throw new ToolFailure("CANCELLED", "The person's answers did not match the form.", "Go on without them.");
}

type Choice = { readonly value: string; readonly label: string };

function choicesOf({ enum: values, enumNames, oneOf, items }: Field): Choice[] | undefined {
  const titled = oneOf ?? items?.anyOf;
  const plain = values ?? items?.enum;
  const choices = titled
    ? titled.map(({ const: value, title }) => ({ value: String(value), label: String(title ?? value) }))
    : plain?.map((value, index) => ({ value: String(value), label: String(enumNames?.[index] ?? value) }));
  return choices?.slice(0, 200).map(({ value, label }) => ({ value, label: seen(label, LONGEST_LABEL) }));
}

const optionsOf = ({ type }: Field, choices: readonly Choice[] | undefined): string[] =>
  type === "boolean" ? ["yes", "no"] : (choices ?? []).slice(0, MOST_OPTIONS).map(({ label }) => label);

const KINDS: Readonly<Record<string, string>> = { boolean: "yes or no", number: "a number", integer: "a whole number" };

function kindOf(field: Field): string {
  if (field.type === "array") return "any of these, with commas";
  if (choicesOf(field)) return "one of these";
  return KINDS[field.type ?? ""] ?? "a text";
}

type Read = { readonly value: Value } | { readonly wants: string };

function readAnswer(answer: string, field: Field, choices: readonly Choice[] | undefined): Read {
  const { type, minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = field;
  const chosen = (text: string) =>
    choices?.find(({ value, label }) => [value, label].some((each) => each.toLowerCase() === text.toLowerCase()))
      ?.value;
  if (type === "array") {
    const given = answer.split(",").map((each) => chosen(each.trim()));
    const { minItems = 0, maxItems = Infinity } = field;
    const fits = given.every((each) => each !== undefined) && given.length >= minItems && given.length <= maxItems;
    return fits ? { value: given as string[] } : { wants: kindOf(field) };
  }
  if (choices) {
    const value = chosen(answer);
    return value === undefined ? { wants: kindOf(field) } : { value };
  }
  if (type === "boolean") {
    if (/^(?:y|yes|true|1)$/i.test(answer)) return { value: true };
    return /^(?:n|no|false|0)$/i.test(answer) ? { value: false } : { wants: kindOf(field) };
  }
  if (type === "number" || type === "integer") {
    const value = Number(answer);
    const fits = answer !== "" && Number.isFinite(value) && (type === "number" || Number.isInteger(value));
    if (!fits) return { wants: kindOf(field) };
    return value >= minimum && value <= maximum ? { value } : { wants: `from ${minimum} to ${maximum}` };
  }
  const fits = answer.length >= minLength && answer.length <= maxLength;
  return fits ? { value: answer } : { wants: `a text of ${minLength} to ${maxLength} characters` };
}
