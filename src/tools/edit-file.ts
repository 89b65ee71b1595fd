import * as z from "zod";
import { sameStamp } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, type Proposal, Tool } from "../core/words/tool.ts";
import { write } from "../core/words/touch.ts";
import { changeDiff } from "../text/change-diff.ts";
import { decode, encodeEdited } from "../text/decode.ts";
import { type Replacement, replaceText } from "../text/match.ts";
import { encoded } from "./lib/encoded.ts";
import { missingFile } from "./lib/missing.ts";
import { refuseOmission } from "./lib/omitted.ts";
import { PATH_NAMES } from "./lib/paths.ts";

const input = z.object({
  path: z.string(),
  old_str: z.string(),
  new_str: z.string(),
  replace_all: z.boolean().optional(),
});
type Request = z.output<typeof input>;

export const editFile = Tool.define("edit_file", {
  description: "Replace one exact piece of text in a file. Include enough lines to make it unique, or set replace_all.",
  permissions: { required: ["write"] },
  aliases: {
    names: ["Edit", "edit", "file_edit", "replace"],
    args: {
      path: PATH_NAMES,
      old_str: ["old_string", "old", "search", "from", "old_text"],
      new_str: ["new_string", "new", "replace", "to", "new_text"],
      replace_all: ["all", "allow_multiple"],
    },
  },
  input,
  scope: () => null,
  touches: ({ path }) => [write(path)],
  preview: async (request, look) => [await proposal(request, look)],
  async execute({ path }, { changes }) {
    const [change] = changes;
    if (!change)
      return {
        title: `Unchanged ${path}`,
        output: `${path} already reads like that.`,
        metadata: { path, changed: false },
      };
    const diff = changeDiff(change.place.shown, change.before, change.after);
    return {
      title: `Edited ${path}`,
      output: [change.note, diff.trimEnd()].filter(Boolean).join("\n\n"),
      metadata: { path, diff, changed: true, ...(change.note && { inexact: change.note }) },
    };
  },
});

async function proposal(request: Request, look: Look): Promise<Proposal> {
  const { path } = request;
  const info = await look.files.stat(path);
  if (!info) throw await missingFile(path, look.files);
  if (info.kind === "folder")
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a folder.`, "Name a file inside it.");
  const { bytes } = await look.files.read(path);
  const decoded = decode(bytes);
  if (!decoded) throw new ToolFailure("BINARY", `${path} is not text.`, "Only text can be edited.");
  const found = replaceText(decoded.text, {
    old: request.old_str,
    new: request.new_str,
    all: request.replace_all ?? false,
  });
  if (found.kind !== "replaced") throw await miss(request, found, look);
  refuseOmission(path, { text: request.new_str, old: request.old_str });
  const note = found.how.length > 0 ? `The match was not exact: it differed in ${found.how.join(" and ")}.` : undefined;
  const after = encoded(path, decoded, () => encodeEdited(bytes, decoded, found.text, found.edits));
  return { path, after, ...(note && { note }) };
}

/** A miss teaches: what is nearest, what differs, and whether somebody else changed the file. */
async function miss(
  { path }: Request,
  found: Exclude<Replacement, { kind: "replaced" }>,
  look: Look,
): Promise<ToolFailure> {
  if (found.kind === "unusable")
    return new ToolFailure(
      "VALIDATION_ERROR",
      `Nothing was done to ${path}. ${found.why}`,
      "To write a whole file use write_file.",
    );
  if (found.kind === "ambiguous") {
    const loosely = found.how.length > 0 ? ` (not exactly: differing in ${found.how.join(" and ")})` : "";
    return new ToolFailure(
      "VALIDATION_ERROR",
      `old_str fits ${found.count} places in ${path}${loosely}: at lines ${found.places.join(", ")}${found.count > found.places.length ? ", …" : ""}.`,
      "Include more lines around it to make it unique, or set replace_all.",
      { metadata: { path, places: found.places, count: found.count } },
    );
  }
  const changed = await changedSinceRead(path, look);
  const { nearest } = found;
  const stale = changed ? " The file has changed since it was read in this session." : "";
  if (!nearest)
    return new ToolFailure(
      "NOT_FOUND",
      `old_str is not in ${path}, and nothing there is like it.${stale}`,
      "Read the file again and copy the text from it.",
      { metadata: { path, changed } },
    );
  return new ToolFailure(
    "NOT_FOUND",
    `old_str is not in ${path}.${stale}`,
    "Take the text of old_str from the file as it is shown here, without the line numbers.",
    {
      output: `The nearest text is at line ${nearest.line}:\n${nearest.shown}\n\nWhat differs (- old_str, + file):\n${nearest.differs}`,
      metadata: { path, line: nearest.line, changed },
    },
  );
}

async function changedSinceRead(path: string, look: Look): Promise<boolean> {
  const then = await look.seen(path);
  const now = await look.files.stat(path);
  return then !== undefined && now !== undefined && !sameStamp(then, now.stamp);
}
