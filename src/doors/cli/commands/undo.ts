import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { interruption } from "../lib/interruption.ts";
import { openingOf, storeForLooking, withGate } from "../lib/opening.ts";
import { isInteractive } from "../lib/person.ts";
import { tell } from "../lib/telling.ts";
import { type Seen, terminalApprover } from "../lib/terminal-approver.ts";

/** Undoes, or redoes, the last change of a file or of a turn. */
export const run: Command = async (invocation) => {
  const { command, words, flags, values, json } = invocation;
  const [path, ...more] = words;
  if (more.length > 0)
    throw new UsageFailure(`toolgate ${command} takes at most one path.`, `Run it once for each: ${words.join(", ")}.`);
  const asks = !json && !flags.has("yes") && isInteractive();
  const opening = openingOf(invocation);
  const seen: Seen = { diff: "" };
  const options = {
    ...storeForLooking(opening.workspace),
    ...opening,
    toolset: ["undo_file", "undo_turn"],
    // a person who types this command has said what they want
    approve: asks
      ? terminalApprover({ seen, signal: interruption() })
      : () => ({ decision: "once", unasked: `a person ran toolgate ${command}` }),
  };
  const again = command === "redo" ? { redo: true } : {};
  const { call: one, turn } = values;
  if ([path, one, turn].filter((each) => each !== undefined).length > 1)
    throw new UsageFailure("A path, --call and --turn name different things.", "Give one of them.");
  const meant = one === undefined ? { turn: turn ?? "last" } : { call: one };
  const call =
    path === undefined
      ? { name: "undo_turn", args: { ...meant, ...again } }
      : { name: "undo_file", args: { path, ...again } };
  return withGate(options, async (gate, signal) => tell(await gate.call(call, { signal }), json, seen));
};
