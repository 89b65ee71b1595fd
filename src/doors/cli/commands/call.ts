import { approverOf } from "../lib/approving.ts";
import type { Command } from "../lib/command.ts";
import { exitStatus } from "../lib/exit-status.ts";
import { answerLines, callFromWords } from "../lib/incoming.ts";
import { openingForCalls, withGate } from "../lib/opening.ts";
import { showProgress } from "../lib/progress.ts";
import { tell } from "../lib/telling.ts";
import type { Seen } from "../lib/terminal-approver.ts";

/** Runs a call, or the calls of standard input, through the journey. */
export const run: Command = async (invocation) => {
  const { flags, json } = invocation;
  const jsonl = flags.has("jsonl");
  const call = jsonl ? undefined : await callFromWords(invocation);
  const seen: Seen = { diff: "" };
  const options = {
    toolset: "all",
    ...openingForCalls(invocation),
    ...approverOf(invocation, seen),
  };
  return withGate(options, async (gate, signal) => {
    if (!json && !jsonl) showProgress(gate);
    if (call) return tell(await gate.call(call(gate), { signal }), json, seen);
    const answer = async (each: Parameters<typeof gate.call>[0]) => {
      const result = await gate.call(each, { signal });
      return { answer: result, status: exitStatus(result.status) };
    };
    return answerLines(invocation, signal, answer, (result) => result);
  });
};
