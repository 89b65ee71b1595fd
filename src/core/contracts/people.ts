/** A question of a tool to the person it works for. */
export type PersonQuestion = { question: string; options?: readonly string[] };

/** The person behind a call. */
export interface People {
  /** Throws ToolFailure where nobody can be asked, and when the person does not want to say. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<string>;
}
