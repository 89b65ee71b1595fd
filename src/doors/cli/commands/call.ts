import type { Gate } from "../../../core/gate.ts";
import type { Result } from "../../../core/words/result.ts";
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
    if (call) return tell(await toldOfLocks(gate, await gate.call(call(gate), { signal })), json, seen);
    const answer = async (each: Parameters<typeof gate.call>[0]) => {
      const result = await gate.call(each, { signal });
      return { answer: result, status: exitStatus(result.status) };
    };
    return answerLines(invocation, signal, answer, (result) => result);
  });
};

const LOCKS_END =
  "[A lock ends with the process that took it, so this one ends with this command. To hold it for longer, take it in a process that keeps running, such as `toolgate call --jsonl` or `toolgate mcp`.]";

/** A result that says "locked for 60 s" is true only while the process runs. */
async function toldOfLocks(gate: Gate, result: Result): Promise<Result> {
  const { tokens } = result.metadata;
  if (!Array.isArray(tokens) || !(await gate.locks.list()).some(({ token }) => tokens.includes(token))) return result;
  return { ...result, output: `${result.output}\n\n${LOCKS_END}` };
}
