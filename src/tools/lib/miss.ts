import { sameStamp } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Look } from "../../core/words/tool.ts";
import type { Replacement } from "../../text/match.ts";

/** `which` begins the message; `old` is the caller's name for the text that was looked for. */
type Miss = { which: string; old: string; found: Exclude<Replacement, { kind: "replaced" }>; look: Look };

/** Explains a miss: the nearest text, what differs, and whether somebody else changed the file. */
export async function missFailure(path: string, { which, old, found, look }: Miss): Promise<ToolFailure> {
  if (found.kind === "unusable")
    return new ToolFailure(
      "VALIDATION_ERROR",
      `${which}Nothing was done to ${path}. ${found.why}`,
      "To write a whole file use write_file.",
    );
  if (found.kind === "ambiguous") {
    const loosely = found.how.length > 0 ? ` (not exactly: differing in ${found.how.join(" and ")})` : "";
    return new ToolFailure(
      "VALIDATION_ERROR",
      `${which}${old} fits ${found.count} places in ${path}${loosely}: at lines ${found.places.join(", ")}${found.count > found.places.length ? ", …" : ""}.`,
      old === "old_str"
        ? "Include more lines around it to make it unique, name its line (line), or set replace_all."
        : "Include more lines around it to make it unique.",
      { metadata: { path, places: found.places, count: found.count } },
    );
  }
  const changed = await changedSinceRead(path, look);
  const { nearest } = found;
  const stale = changed ? " The file has changed since it was read in this session." : "";
  if (!nearest)
    return new ToolFailure(
      "NOT_FOUND",
      `${which}${old} was not found in ${path}, and nothing there is like it.${stale}`,
      "Read the file again and copy the text from it.",
      { metadata: { path, changed } },
    );
  return new ToolFailure(
    "NOT_FOUND",
    `${which}${old} was not found in ${path}.${stale}`,
    `Take ${old === "old_str" ? "the text of old_str" : old} from the file as it is shown here, without the line numbers.`,
    {
      output: `The nearest text is at line ${nearest.line}:\n${nearest.shown}\n\nWhat differs (- ${old}, + file):\n${nearest.differs}`,
      metadata: { path, line: nearest.line, changed },
    },
  );
}

async function changedSinceRead(path: string, look: Look): Promise<boolean> {
  const then = await look.seen(path);
  const now = await look.files.stat(path);
  return then !== undefined && now !== undefined && !sameStamp(then, now.stamp);
}
