import type { Call } from "../words/call.ts";
import type { Touch } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";

/** What a person is shown: the call as it will run, what it touches, what it changes. */
export type Question = Call & {
  readonly tool: string;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  readonly diff: string;
};

/** `others`: calls of the same wave that the one answer also decides. */
export type AskedVerdict = Verdict & { readonly others?: readonly { call: Question; verdict: Verdict }[] };

export type Decision = "once" | "session" | "always" | "deny" | "abort";
export type PersonsAnswer = { decision: Decision; message?: string } | { decision: "edit"; args: unknown };

/** Any text, so that a decision may come from a variable or a terminal; a word that is none of ours is a no. */
type Word = "edit" | Decision | (string & {});
type Reply = Word | { decision: Word; message?: string; args?: unknown };

/** Asks a person. Anything but a clear yes is a no, and so is an error. */
export type Approver = (call: Question, verdict: AskedVerdict) => Reply | Promise<Reply>;

const DECISIONS: readonly string[] = ["once", "session", "always", "deny", "abort"] satisfies Decision[];

export function readAnswer(answer: unknown): PersonsAnswer {
  if (typeof answer === "string")
    return DECISIONS.includes(answer) ? { decision: answer as Decision } : { decision: "deny" };
  if (typeof answer !== "object" || answer === null) return { decision: "deny" };
  const { decision, message, args } = answer as { decision?: unknown; message?: unknown; args?: unknown };
  if (decision === "edit") return args === undefined ? { decision: "deny" } : { decision, args };
  if (typeof decision !== "string" || !DECISIONS.includes(decision)) return { decision: "deny" };
  return { decision: decision as Decision, ...(typeof message === "string" && { message }) };
}
