export type Metadata = Record<string, unknown>;

export type Status = "done" | "planned" | "unknown" | "invalid" | "refused" | "cancelled" | "timed-out" | "failed";

export type Code =
  | "VALIDATION_ERROR"
  | "IO_ERROR"
  | "CONFIG_ERROR"
  | "PERMISSION_DENIED"
  | "RATE_LIMITED"
  | "NOT_FOUND"
  | "TIMEOUT"
  | "UNKNOWN"
  | "UNKNOWN_TOOL"
  | "CONFLICT"
  | "CANCELLED"
  | "BINARY"
  | "COMMAND_FAILED"
  | "LLM_ASSIST_REQUIRED";

/** What went wrong; `hint` says what to do next. */
export type Failure = { code: Code; message: string; hint: string };

export type Attachment = { mime: string; data: string; name?: string };

/** Exactly what a cut output left out, and the path of the file that holds all of it. */
export type Truncated = {
  shownBytes: number;
  totalBytes: number;
  totalLines: number;
  omittedLines: number;
  path?: string;
};

/** How every call ends. `output` is for the model and names its next move; `metadata` is for programs. */
export type Result<M extends Metadata = Metadata> = {
  success: boolean;
  status: Status;
  title: string;
  output: string;
  error?: Failure;
  metadata: M;
  attachments?: Attachment[];
  truncated?: Truncated;
};

/** What a tool may return; the journey makes a Result of it. */
export type Returned<M extends Metadata = Metadata> =
  | string
  | {
      title?: string;
      output: unknown;
      metadata?: M;
      attachments?: Attachment[];
      success?: boolean;
      error?: unknown;
      /** The tool has cut the output itself and said in it where the rest is, so it is not kept again. */
      truncated?: Truncated;
    };

/** What a tool throws for failures that it foresaw. Anything else that is thrown counts as an accident. */
export class ToolFailure extends Error {
  override name = "ToolFailure";
  readonly code: Code;
  readonly hint: string;
  readonly output: string;
  readonly metadata: Metadata;
  constructor(code: Code, message: string, hint: string, more: { output?: string; metadata?: Metadata } = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.output = more.output ?? "";
    this.metadata = more.metadata ?? {};
  }
}

/** Ends the journey early with a status of its own; thrown and caught inside the journey. */
export class Ending extends ToolFailure {
  readonly status: Status;
  constructor(
    status: Status,
    code: Code,
    message: string,
    hint: string,
    more: { output?: string; metadata?: Metadata } = {},
  ) {
    super(code, message, hint, more);
    this.status = status;
  }
}

export const PERSON = "person";

/** Why whoever runs the model should stop, and who wants that: a person, a hook or a policy. */
export type Stop = { readonly reason: string; readonly by: string };

/** Set if the agent that made the call should stop. Only the journey can say that a person wants it. */
export function stopIn({ status, metadata, error }: Result): Stop | undefined {
  if (metadata.stop !== true) return undefined;
  const { by, stopReason } = metadata;
  const reason = typeof stopReason === "string" ? stopReason : (error?.message ?? "a hook stopped it");
  const isKnown = typeof by === "string" && (by !== PERSON || status === "cancelled");
  return { reason, by: isKnown ? by : "hook" };
}

/** The text that a model reads of a result: output, error and exit code, complete. */
export function render(result: Result): string {
  const { output, error, metadata } = result;
  const exit =
    typeof metadata.exitCode === "number" && metadata.exitCode !== 0 ? `exit code: ${metadata.exitCode}` : "";
  if (!error && exit === "") return output || result.title;
  const failure = error ? `Error (${error.code}): ${error.message}${error.hint ? `\n${error.hint}` : ""}` : "";
  return [output, failure, exit].filter(Boolean).join("\n\n") || result.title;
}
