import { plainFields } from "../words/plain.ts";
import { type Ending, type Result, type Returned, ToolFailure } from "../words/result.ts";

/** Turns whatever a tool returned into a Result. A shape that cannot be read is a failure, not a guess. */
export function toResult(returned: Returned, tool: string): Result {
  if (typeof returned === "string")
    return { success: true, status: "done", title: tool, output: returned, metadata: {} };
  if (typeof returned !== "object" || returned === null || !("output" in returned || "error" in returned))
    throw wrongShape(tool, returned);
  const { title, output, metadata, attachments, success, error, truncated } = returned;
  const result: Result = {
    success: true,
    status: "done",
    title: typeof title === "string" ? title : tool,
    output: typeof output === "string" ? output : output === undefined ? "" : toJson(output),
    metadata: typeof metadata === "object" && metadata !== null ? plainFields(metadata) : {},
  };
  if (Array.isArray(attachments) && attachments.length > 0) result.attachments = attachments;
  if (typeof truncated === "object" && truncated !== null) result.truncated = truncated;
  if (success !== false && (error === undefined || error === null)) return result;
  return { ...result, success: false, status: "failed", error: toFailure(error) };
}

type Text = string & { isWellFormed(): boolean; toWellFormed(): string };

const isWhole = (text: string): boolean => (text as Text).isWellFormed();
const whole = (text: string): string => (text as Text).toWellFormed();

const LONGEST_TITLE = 1_000;
const LONGEST_ERROR = 64_000;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… [cut: ${text.length} characters in all]`;

/** Outputs are cut elsewhere, and kept; what foreign code says in other places is only cut. */
function bounded(result: Result): Result {
  const { title, error } = result;
  const isLong = error !== undefined && error.message.length + error.hint.length > LONGEST_ERROR;
  if (title.length <= LONGEST_TITLE && !isLong) return result;
  const told = { ...result, title: cut(title, LONGEST_TITLE) };
  if (!error) return told;
  return {
    ...told,
    error: { ...error, message: cut(error.message, LONGEST_ERROR), hint: cut(error.hint, LONGEST_TITLE) },
  };
}

/** Replaces lone surrogates, cut off or sent by a model, because services refuse them, and cuts what is too long. */
export function wellFormed(given: Result): Result {
  const result = bounded(given);
  const { title, output, error } = result;
  const hasHalf = !isWhole(output) || !isWhole(title) || (error && !(isWhole(error.message) && isWhole(error.hint)));
  if (!hasHalf) return result;
  const told = { ...result, title: whole(title), output: whole(output) };
  return error ? { ...told, error: { ...error, message: whole(error.message), hint: whole(error.hint) } } : told;
}

function toFailure(error: unknown): NonNullable<Result["error"]> {
  const { code, message, hint } =
    typeof error === "object" && error !== null ? (error as Record<string, unknown>) : { message: error };
  return {
    code: typeof code === "string" ? (code as "UNKNOWN") : "UNKNOWN",
    message: typeof message === "string" && message ? message : "The tool reported a failure.",
    hint: typeof hint === "string" ? hint : "Read its output, then change the arguments or try another approach.",
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

const wrongShape = (tool: string, returned: unknown) =>
  new ToolFailure(
    "UNKNOWN",
    `${tool} returned ${returned === null || returned === undefined ? String(returned) : `a ${typeof returned}`} instead of a result.`,
    "This is a mistake in the tool: it must return a text, or an object with an output.",
  );

/** The result of a stopped tool that still returned what it had. */
export const cutShort = (result: Result, { status, code, message, hint, metadata }: Ending): Result => ({
  ...result,
  success: false,
  status,
  error: { code, message, hint },
  metadata: { ...result.metadata, ...metadata },
});
