import type { Call } from "../words/call.ts";
import type { Touch } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";
import type { Enforcement } from "./process.ts";

/** What a person is shown: the call as it will run, its touches and changes. `describe` turns it into text. */
export type Question = Call & {
  readonly tool: string;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  readonly diff: string;
  /** Why the call needs a yes, and which policy asks. */
  readonly reason: string;
  readonly by: string;
  /** What a standing yes would cover, in words. Empty if none is offered. */
  readonly always: readonly string[];
  /** The files that decide what runs. A yes holds for them as they are now. */
  readonly bound: readonly string[];
  /** How a command would be contained while it runs. */
  readonly enforcement?: Enforcement;
};

/** `others`: calls of the same wave that are asked about together with this one. */
export type AskedVerdict = Verdict & { readonly others?: readonly { call: Question; verdict: Verdict }[] };

export type Decision = "once" | "session" | "always" | "deny" | "abort";
/** `who`: the person who answered. `unasked`: why it is a yes although nobody was asked. The record says either. */
export type PersonsAnswer =
  | { decision: Decision; message?: string; unasked?: string; who?: string }
  | { decision: "edit"; args: unknown; who?: string };

/** Nobody could be asked. `hint` says how a person could allow the call. */
export type Nobody = { decision: "nobody"; hint: string };

/** Any text, so that a decision may come from a variable or a terminal. An unknown word is a no. */
type Word = "edit" | Decision | (string & {});
type Reply = Word | { decision: Word; message?: string; args?: unknown; unasked?: string; who?: string };

type Replies = Reply | Nobody | readonly Reply[];

/**
 * Asks a person. Anything but a clear yes is a no, and so is an error. The calls of a wave are asked about one by one,
 * unless the approver can show `several` at once: then `verdict.others` holds the rest of them. A single answer is for
 * all; a list has one for each, in order, and whatever it leaves out is a no.
 */
export type Approver = ((call: Question, verdict: AskedVerdict) => Replies | Promise<Replies>) & {
  readonly several?: boolean;
};

const DECISIONS: readonly string[] = ["once", "session", "always", "deny", "abort"] satisfies Decision[];

export function readAnswer(answer: unknown): PersonsAnswer {
  if (typeof answer === "string")
    return DECISIONS.includes(answer) ? { decision: answer as Decision } : { decision: "deny" };
  if (typeof answer !== "object" || answer === null) return { decision: "deny" };
  const { decision, message, args, unasked, who } = answer as Record<string, unknown>;
  const named = typeof who === "string" && who.trim() !== "" ? { who: who.trim().slice(0, LONGEST_NAME) } : {};
  if (decision === "edit") return args === undefined ? { decision: "deny" } : { decision, args, ...named };
  if (!DECISIONS.includes(decision as string)) return { decision: "deny" };
  return {
    decision: decision as Decision,
    ...(typeof message === "string" && { message }),
    ...(typeof unasked === "string" && { unasked }),
    ...named,
  };
}

/** One answer for each of `count` calls. A list counts only if the approver can show several. */
export function readAnswers(answer: unknown, count: number, several: boolean): (PersonsAnswer | Nobody)[] {
  if (isNobody(answer)) return Array.from({ length: count }, () => answer);
  if (!several || !Array.isArray(answer)) {
    const one = readAnswer(answer);
    // one set of arguments cannot be meant for several calls
    return Array.from({ length: count }, () => (one.decision === "edit" && count > 1 ? { decision: "deny" } : one));
  }
  return Array.from({ length: count }, (_, index) => readAnswer(answer[index]));
}

function isNobody(answer: unknown): answer is Nobody {
  const { decision, hint } = (answer ?? {}) as { decision?: unknown; hint?: unknown };
  return decision === "nobody" && typeof hint === "string";
}

const LONGEST_NAME = 100;
