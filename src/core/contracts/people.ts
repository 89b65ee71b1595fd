import { ToolFailure } from "../words/result.ts";

/**
 * A question of a tool to the person it works for; `options` are what the tool suggests as answers. `asker`: whose words
 * they are, for the person to know: the model's, or those of a server.
 */
export type PersonQuestion = { question: string; options?: readonly string[]; asker?: string };

/** The person behind a call. */
export interface People {
  /** Throws ToolFailure when the person does not want to say. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<string>;
}

/** How open() is told to ask a person. An answer is a text; nothing, or anything else, means that there is none. */
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
