import { ToolFailure } from "../../core/words/result.ts";
import { omission } from "../../text/omission.ts";

/** Refuses a text that would put "rest of the code" into a file in place of the code. */
export function refuseOmission(path: string, { text, old }: { text: string; old: string }): void {
  const line = omission(text, { old, path });
  if (line === undefined) return;
  throw new ToolFailure(
    "VALIDATION_ERROR",
    `The new text of ${path} has the line ${JSON.stringify(line)}, which stands for lines that were left out.`,
    "Write out those lines, or change only the part that differs. If it is meant as a comment, word it differently.",
    { metadata: { path, line } },
  );
}
