import type { GateView } from "../../core/words/gate-view.ts";
import { PERSON, type Result, render, type Stop, stopIn } from "../../core/words/result.ts";
import type { ModelCall, ToolAnswer } from "./model.ts";

const MOST_CALLS = 128;

/** Runs the calls of one message. */
export async function answersTo(
  gate: GateView,
  calls: readonly ModelCall[],
  messageID: string,
  signal: AbortSignal,
): Promise<Result[]> {
  const results = await gate.callAll(
    calls.slice(0, MOST_CALLS).map((call) => ({ ...call, messageID })),
    { signal },
  );
  return [...results, ...calls.slice(MOST_CALLS).map(() => TOO_MANY)];
}

export const stopFrom = (reason: string): Stop => ({ reason: reason || "a hook stopped it", by: "hook" });

/** A person's word counts before that of a hook. */
export function stopAmong(results: readonly Result[]): Stop | undefined {
  const stops = results.flatMap((each) => stopIn(each) ?? []);
  return stops.find(({ by }) => by === PERSON) ?? stops[0];
}

const TOO_MANY: Result = {
  ...{ success: false, status: "invalid", title: "Not run", output: "", metadata: {} },
  error: {
    code: "VALIDATION_ERROR",
    message: `Only the first ${MOST_CALLS} calls of a message are run.`,
    hint: "Send the others in the next message.",
  },
};

/** What the model is told of a result. */
export function answerOf({ id, name }: ModelCall, result: Result): ToolAnswer {
  const images = (result.attachments ?? []).filter(({ mime }) => mime.startsWith("image/"));
  return { id, name, text: render(result), failed: !result.success, ...(images.length > 0 && { images }) };
}
