import type { OpenOptions } from "../../../open.ts";
import { type Seen, terminalApprover } from "../lib/asking.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { exitStatus, UsageFailure } from "../lib/exit-status.ts";
import { answerLines, callFromWords } from "../lib/incoming.ts";
import { interruption } from "../lib/interruption.ts";
import { openingOf, withGate } from "../lib/opening.ts";
import { isInteractive } from "../lib/person.ts";
import { showProgress } from "../lib/progress.ts";
import { tell } from "../lib/telling.ts";
import { aPerson } from "../lib/workspace-store.ts";

/** Runs a call, or the calls of standard input, through the journey. */
export const run: Command = async (invocation) => {
  const { flags, json } = invocation;
  const jsonl = flags.has("jsonl");
  const call = jsonl ? undefined : await callFromWords(invocation);
  const seen: Seen = { diff: "" };
  const options = {
    toolset: "all",
    ...openingOf(invocation),
    ...(flags.has("dry-run") && { dryRun: true }),
    ...(flags.has("plan") && { plan: true }),
    ...(flags.has("no-commands") && { commands: false }),
    ...(flags.has("allow-commands") && { commands: true }),
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

/** `--yes` answers this one call; a program that reads the answer asks nobody. */
function approverOf(invocation: Invocation, seen: Seen): Pick<OpenOptions, "approve"> {
  const { flags, json } = invocation;
  if (flags.has("yes")) {
    if (flags.has("jsonl"))
      throw new UsageFailure("--yes answers one call, and --jsonl makes many.", "Choose a mode for them: --mode yolo.");
    aPerson(invocation, "approve a call");
    return { approve: () => ({ decision: "once", unasked: "the call was made with --yes" }) };
  }
  if (json || flags.has("jsonl") || !isInteractive()) return {};
  return { approve: terminalApprover({ seen, signal: interruption() }) };
}
