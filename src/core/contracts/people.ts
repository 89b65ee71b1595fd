import { ToolFailure } from "../words/result.ts";

/**
 * A question from a tool to the person it works for. `options` are suggested answers. `asker` tells the person whose
 * words these are: the model's, or a server's.
 */
export type PersonQuestion = { question: string; options?: readonly string[]; asker?: string };

/** The person behind a call. */
export interface People {
  /** Throws ToolFailure if the person does not answer. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<string>;
}

/** The function by which open() asks a person. An answer is a text; anything else means that there is no answer. */
export type AskPerson = (
  question: PersonQuestion,
  signal: AbortSignal,
) => Promise<string | undefined> | string | undefined;

export const peopleBehind = (ask: AskPerson): People => ({
  async ask(question, signal) {
    const answer: unknown = await ask(question, signal);
    if (typeof answer === "string" && answer.trim() !== "") return answer;
    throw new ToolFailure(
      "CANCELLED",
      "The person did not answer.",
      "Continue with what is known, or stop and say what is missing.",
    );
  },
});
