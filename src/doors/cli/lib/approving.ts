import type { OpenOptions } from "../../../open.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { interruption } from "./interruption.ts";
import { isInteractive } from "./person.ts";
import { type Seen, terminalApprover } from "./terminal-approver.ts";
import { aPerson } from "./workspace-store.ts";

/** `--yes` approves this one call; with JSON output nobody is asked. */
export function approverOf(invocation: Invocation, seen: Seen): Pick<OpenOptions, "approve"> {
  const { flags, json } = invocation;
  if (flags.has("yes")) {
    if (flags.has("jsonl"))
      throw new UsageFailure(
        "--yes approves a single call, but --jsonl makes many.",
        "Choose a mode for all of them, such as --mode yolo.",
      );
    aPerson(invocation, "approve a call");
    return { approve: () => ({ decision: "once", unasked: "the call was made with --yes" }) };
  }
  if (json || flags.has("jsonl") || !isInteractive()) return {};
  return { approve: terminalApprover({ seen, signal: interruption() }) };
}
