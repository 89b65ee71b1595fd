import type { HookAnswer } from "../../core/contracts/hook.ts";

/** How a script ended. `trouble` is set if it did not end by itself, or never started. */
export type ScriptEnd = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly trouble?: string;
};

/** `replaces` is the whole input; `changes` are only these arguments. */
export type Reading = Omit<HookAnswer, "args" | "input" | "failed"> & {
  readonly replaces?: Fields;
  readonly changes?: Fields;
  readonly failure?: Failure;
  /** Everything that a script printed that ended with the exit code for no. */
  readonly blocked?: string;
};

/** `grave`: it could not answer at all; otherwise it ended with another exit code. `always`: a person must be asked. */
export type Failure = { readonly what: string; readonly grave: boolean; readonly always?: true };

export type Fields = Readonly<Record<string, unknown>>;
type Decision = NonNullable<HookAnswer["decision"]>;

const MOST_TEXT = 8_000;
const NOT_STARTED = [126, 127];
const BLOCKED = 2;

/** The words of several agents for the same three answers. */
const DECISIONS: ReadonlyMap<string, Decision> = new Map([
  ...["allow", "approve", "approved"].map((word) => [word, "allow"] as const),
  ...["ask", "defer", "review"].map((word) => [word, "ask"] as const),
  ...["deny", "block", "reject"].map((word) => [word, "deny"] as const),
]);
const STRICTEST: readonly Decision[] = ["deny", "ask", "allow"];

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value.trim() !== "")?.trim();

/** Reads the answer of a script, in the words of whichever agent it was written for. The strictest one counts. */
export function readAnswer(end: ScriptEnd): Reading {
  const { code, stdout, stderr, trouble } = end;
  if (trouble !== undefined) return { failure: { what: trouble, grave: true }, ...context(saidBy(end)) };
  if (code === BLOCKED) {
    const reason = textIn(stderr, stdout);
    return { decision: "deny", ...(reason && { reason: cut(reason) }), blocked: cut(saidBy(end)) };
  }
  const said = objectIn(stdout);
  const reading = said.fields ? readFields(said.fields) : undefined;
  if (code !== 0) {
    // an explicit no counts, whatever the exit code
    if (reading?.decision === "deny" || reading?.decision === "ask") return reading;
    const what = code === null ? "it was killed" : `exit ${code}`;
    return {
      failure: { what, grave: code === null || NOT_STARTED.includes(code) },
      ...context(saidBy(end)),
    };
  }
  if (reading) return reading;
  if (said.broken) return { failure: { what: "it printed JSON that cannot be read", grave: true }, ...context(stdout) };
  return context(stdout);
}

const saidBy = ({ stdout, stderr }: ScriptEnd): string => [stdout.trim(), stderr.trim()].filter(Boolean).join("\n");

const context = (text: string): Pick<Reading, "context"> => (text.trim() === "" ? {} : { context: cut(text.trim()) });

const cut = (text: string): string =>
  text.length > MOST_TEXT
    ? `${text.slice(0, MOST_TEXT / 2)}\n[left out here: ${text.length - MOST_TEXT} characters]\n${text.slice(-MOST_TEXT / 2)}`
    : text;

/** Fields that make an object an answer; any other object is ordinary output. */
const FIELDS = new Set([
  ...["hookSpecificOutput", "permissionDecision", "permission", "decision", "reason", "continue", "stopReason"],
  ...["suppressOutput", "systemMessage", "cancel", "errorMessage", "user_message", "agent_message"],
  ...["updatedInput", "updated_input", "modifiedArgs", "overrideInput"],
  ...["additionalContext", "additional_context", "contextModification"],
]);
const isAnswer = (fields: Fields): boolean => {
  const names = Object.keys(fields);
  return names.length === 0 || names.some((name) => FIELDS.has(name));
};
const MOST_TRIED = 4;

/** Finds the answer: the whole text, or an object after lines of a log. */
function objectIn(stdout: string): { fields?: Fields; broken?: true } {
  const text = stdout.trim();
  if (text.startsWith("{")) {
    const fields = parsed(text);
    if (!fields) return { broken: true };
    return isAnswer(fields) ? { fields } : {};
  }
  const starts = [...text.matchAll(/\n[ \t]*\{/g)].map(({ index }) => index);
  // tries the first few and the last few: a log of objects has very many
  for (const start of new Set([...starts.slice(0, MOST_TRIED), ...starts.slice(-MOST_TRIED)])) {
    const fields = parsed(text.slice(start));
    if (fields && isAnswer(fields)) return { fields };
  }
  return {};
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readFields(all: Fields): Reading {
  const nested = isFields(all.hookSpecificOutput) ? all.hookSpecificOutput : {};
  const words = [nested.permissionDecision, all.permissionDecision, all.permission, all.decision].filter(
    (word) => word !== undefined && word !== null,
  );
  const known = words.map((word) => (typeof word === "string" ? DECISIONS.get(word.toLowerCase()) : undefined));
  const stops = all.continue === false;
  if (stops || all.cancel === true) known.push("deny");
  const input = inputIn(all, nested);
  const reason = textIn(
    ...[nested.permissionDecisionReason, all.permissionDecisionReason, all.reason, all.agent_message],
    ...[all.user_message, all.errorMessage, all.stopReason],
  );
  const more = textIn(
    ...[nested.additionalContext, all.additionalContext, all.additional_context, all.contextModification],
  );
  const decision = STRICTEST.find((each) => known.includes(each));
  const wrong = known.includes(undefined) ? "a decision that is not known" : input === "odd" ? "no input" : undefined;
  const reading: Reading = {
    ...(decision && { decision }),
    ...(reason && { reason: cut(reason) }),
    ...(more && { context: cut(more) }),
    ...(stops && { stop: textIn(all.stopReason, reason) ?? "" }),
  };
  // a deny stays a deny, whatever else the answer says
  if (wrong && decision !== "deny") return { ...reading, failure: { what: `it answered with ${wrong}`, grave: true } };
  return input === "odd" ? reading : { ...reading, ...input };
}

/** Each agent has its own field, which means either the whole input or only the changes. */
function inputIn(all: Fields, nested: Fields): Pick<Reading, "replaces" | "changes"> | "odd" {
  const given = (...values: unknown[]) => values.find((value) => value !== undefined && value !== null);
  const replaces = given(nested.updatedInput, all.modifiedArgs, all.overrideInput);
  const changes = given(all.updatedInput, all.updated_input, nested.tool_input);
  const value = replaces ?? changes;
  if (value === undefined) return {};
  if (!isFields(value)) return "odd";
  return replaces === undefined ? { changes: value } : { replaces: value };
}
