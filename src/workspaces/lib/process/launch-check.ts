import type { Launch } from "../../../core/contracts/process.ts";
import { isWithinAny } from "../../../core/words/containment.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { kindOf } from "./mounts.ts";

/** The kernel's limit for a single argument is just above this. */
const LONGEST_COMMAND_BYTES = 131_000;

/** Throws if the command cannot be run, or not in that folder. */
export function checkLaunch({ command, cwd }: Launch, roots: readonly string[]): void {
  const invalid = (message: string, hint: string) => new ToolFailure("VALIDATION_ERROR", message, hint);
  if (command.includes("\0")) throw invalid("The command contains a NUL character.", "Leave it out.");
  if (Buffer.byteLength(command) > LONGEST_COMMAND_BYTES)
    throw invalid(`The command is longer than ${LONGEST_COMMAND_BYTES} bytes.`, "Write it to a file and run that.");
  if (!isWithinAny(cwd.real, roots))
    throw new ToolFailure(
      "PERMISSION_DENIED",
      `${cwd.shown} is outside the workspace.`,
      "Run it inside the workspace.",
    );
  if (kindOf(cwd.real) !== "folder")
    throw new ToolFailure("NOT_FOUND", `${cwd.shown} is not a folder to run in.`, "Name an existing folder.");
}
