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

/** What was typed cannot be meant; the hint says what can. */
export class UsageFailure extends Error {
  override name = "UsageFailure";
  readonly code: Code = "VALIDATION_ERROR";
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** A result for what never became a call. */
export const failedResult = (status: Status, error: Failure): Result => ({
  success: false,
  status,
  title: error.message.split("\n", 1)[0] ?? "",
  output: "",
  error,
  metadata: {},
});

/** Anything thrown, as a result: wrong input and wrong configuration are the caller's, the rest is an accident. */
export function resultOf(error: unknown): Result {
  const { code = "UNKNOWN", hint } = (error ?? {}) as { code?: Code; hint?: string };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageFailure) return failedResult("invalid", { code, message, hint: error.hint });
  if (code === "CONFIG_ERROR") return failedResult("invalid", { code, message, hint: hint ?? "" });
  // what the operating system says has its own codes
  return failedResult("failed", { code: /^E[A-Z\d]+$/.test(code) ? "IO_ERROR" : code, message, hint: hint ?? "" });
}

/** How a program, or a person, wants to be answered. */
export type Shape = "text" | "document" | "line";

/** Tells what went wrong: JSON on standard output, or lines for people on standard error. */
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
