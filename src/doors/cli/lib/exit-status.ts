import type { Code, Failure, Result, Status } from "../../../core/words/result.ts";
import { documentOf, errorColours, toJson, visibleOnTerminal } from "./terminal.ts";

const EXIT: Readonly<Record<Status, number>> = {
  done: 0,
  planned: 0,
  failed: 1,
  "timed-out": 1,
  refused: 2,
  invalid: 3,
  unknown: 4,
  cancelled: 130,
};

export const exitStatus = (status: Status): number => EXIT[status];

/** The input makes no sense; the hint says what would. */
export class UsageFailure extends Error {
  override name = "UsageFailure";
  readonly code: Code = "VALIDATION_ERROR";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** A result for something that never became a call. */
export const failedResult = (status: Status, error: Failure): Result => ({
  success: false,
  status,
  title: error.message.split("\n", 1)[0] ?? "",
  output: "",
  error,
  metadata: {},
});

/** Turns any error into a result: wrong input or configuration is `invalid`, everything else `failed`. */
export function resultOf(error: unknown): Result {
  const { code = "UNKNOWN", hint } = (error ?? {}) as { code?: Code; hint?: string };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageFailure) return failedResult("invalid", { code, message, hint: error.hint });
  if (code === "CONFIG_ERROR") return failedResult("invalid", { code, message, hint: hint ?? "" });
  // operating system errors have codes of their own
  return failedResult("failed", { code: /^E[A-Z\d]+$/.test(code) ? "IO_ERROR" : code, message, hint: hint ?? "" });
}

/** The output format: for people, one JSON document, or JSON lines. */
export type Shape = "text" | "document" | "line";

/** Reports an error: as JSON on standard output, or as lines for people on standard error. */
export function report(error: unknown, shape: Shape): number {
  const result = resultOf(error);
  if (shape !== "text") process.stdout.write(shape === "line" ? `${toJson(result)}\n` : documentOf(result));
  else if (result.error) reportFailure(result.error);
  return exitStatus(result.status);
}

export function reportFailure({ code, message, hint }: Failure): void {
  const paint = errorColours();
  const shown = (text: string) => visibleOnTerminal(text, process.stderr);
  process.stderr.write(`${paint.red(`Error (${code}):`)} ${shown(message)}\n`);
  if (hint) process.stderr.write(`${paint.dim(shown(hint))}\n`);
}
