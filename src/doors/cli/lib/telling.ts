import type { Result } from "../../../core/words/result.ts";
import { exitStatus, reportFailure } from "./exit-status.ts";
import { colouredDiff, colours, documentOf, print, printLine, visibleOnTerminal } from "./terminal.ts";
import type { Seen } from "./terminal-approver.ts";

/** Prints a result: as JSON for programs; output and error for people, without the diff that they already `saw`. */
export async function tell(result: Result, json: boolean, saw: Seen = { diff: "" }): Promise<number> {
  if (json) await print(documentOf(result));
  else {
    const news =
      result.success && saw.diff ? result.output.replace(saw.diff.trimEnd(), () => "").trim() : result.output;
    const output = news || (result.success ? result.title : "");
    if (output) await printLine(forPeople(output));
    if (result.error) reportFailure(result.error);
  }
  return exitStatus(result.status);
}

const DIFF_HEAD = /^--- .*\n\+\+\+ .*\n@@ /m;

/** Unchanged, unless it goes to a terminal: then made harmless, with diffs coloured. */
function forPeople(output: string): string {
  if (!process.stdout.isTTY) return output;
  const start = output.search(DIFF_HEAD);
  if (start === -1) return visibleOnTerminal(output);
  return visibleOnTerminal(output.slice(0, start)) + colouredDiff(output.slice(start), colours());
}
