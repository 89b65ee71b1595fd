import * as z from "zod";
import type { Bytes, FileView } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, type Proposal, Tool } from "../core/words/tool.ts";
import { write } from "../core/words/touch.ts";
import { changeDiff } from "../text/change-diff.ts";
import { decode, encode, encodeEdited } from "../text/decode.ts";
import { replaceEach } from "../text/edit-list.ts";
import { editReadings, entriesBy } from "./lib/clients/editing.ts";
import { encoded } from "./lib/encoded.ts";
import { missFailure } from "./lib/miss.ts";
import { missingFile } from "./lib/missing.ts";
import { refuseOmission } from "./lib/omitted.ts";
import { PATH_NAMES } from "./lib/path-argument.ts";

const ARGS = {
  old_str: ["old_string", "old", "search", "from", "old_text"],
  new_str: ["new_string", "new", "replace", "to", "new_text"],
  replace_all: ["all", "allow_multiple"],
  line: ["start_line", "line_number", "line_hint"],
} as const;

const flags = () => ({ replace_all: z.boolean().optional(), line: z.int().min(1).optional() });
const edit = () => z.strictObject({ old_str: z.string(), new_str: z.string(), ...flags() });

const input = () =>
  z
    .object({
      path: z.string(),
      old_str: z.string().optional(),
      new_str: z.string().optional(),
      ...flags(),
      edits: z.array(edit()).optional(),
    })
    .superRefine((request, context) => {
      if ((request.edits ?? []).length > 0) return;
      for (const name of ["old_str", "new_str"] as const)
        if (request[name] === undefined)
          context.addIssue({ code: "invalid_type", expected: "string", path: [name], input: undefined });
    })
    .meta({ required: ["path", "old_str", "new_str"] });
type Request = z.output<ReturnType<typeof input>>;

export const editFile = Tool.define("edit_file", {
  description: "Replace one exact piece of text in a file. Include enough lines to make it unique, or set replace_all.",
  permissions: { required: ["write"] },
  aliases: {
    names: [
      ...["Edit", "edit", "file_edit", "replace", "MultiEdit", "multiedit", "multi_edit", "search_replace"],
      ...["StrReplace", "str_replace", "search_and_replace", "replace_string_in_file", "multi_replace_string_in_file"],
    ],
    args: { path: PATH_NAMES, ...ARGS },
    readings: { ...editReadings, edits: entriesBy(ARGS) },
  },
  rare: ["line", "edits"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: ({ path }) => [write(path)],
  preview: async (request, look) => [await proposal(request, look)],
  async execute({ path }, { changes }) {
    const [change] = changes;
    if (!change)
      return {
        title: `Unchanged ${path}`,
        output: `${path} already looks like that.`,
        metadata: { path, changed: false },
      };
    const diff = changeDiff(change.place.shown, change.before, change.after);
    return {
      title: `${change.before === null ? "Created" : "Edited"} ${path}`,
      output: [change.note, diff.trimEnd()].filter(Boolean).join("\n\n"),
      metadata: { path, diff, changed: true, ...(change.note && { inexact: change.note }) },
    };
  },
});

async function proposal(request: Request, look: Look): Promise<Proposal> {
  const { path } = request;
  const edits = editsOf(request);
  const found = await bytesOf(path, look.files);
  if (!found && edits[0]?.old !== "") throw await missingFile(path, look.files);
  const bytes = found ?? new Uint8Array();
  const decoded = decode(bytes);
  if (!decoded) throw new ToolFailure("BINARY", `${path} is not text.`, "Only text can be edited.");
  const made = replaceEach(decoded.text, edits);
  if ("failed" in made) {
    const which = edits.length > 1 ? `Edit ${made.index + 1} of ${edits.length} failed, so none was made: ` : "";
    throw await missFailure(path, { which, old: "old_str", found: made.failed, look });
  }
  for (const { old, new: text } of edits) refuseOmission(path, { text, old });
  const note = made.how.length > 0 ? `The match was not exact: it differed in ${made.how.join(" and ")}.` : undefined;
  const after = encoded(path, decoded, () =>
    made.edits ? encodeEdited(bytes, decoded, made.text, made.edits) : encode(made.text, decoded),
  );
  return { path, after, ...(note && { note }) };
}

/** Reads at once, because there nearly always is a file. What else is there matters only if that fails. */
async function bytesOf(path: string, files: FileView): Promise<Bytes | undefined> {
  try {
    return (await files.read(path)).bytes;
  } catch (error) {
    const info = await files.stat(path);
    if (!info) return undefined;
    if (info.kind !== "folder") throw error;
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a folder.`, "Name a file inside it.");
  }
}

function editsOf({ old_str = "", new_str = "", replace_all, line, edits = [] }: Request) {
  if (edits.length > 0 && old_str + new_str !== "")
    throw new ToolFailure(
      "VALIDATION_ERROR",
      "The call has both edits and old_str or new_str.",
      "Give old_str and new_str for one edit, or edits for several.",
    );
  const list = edits.length > 0 ? edits : [{ old_str, new_str, replace_all, line }];
  return list.map((each) => ({
    old: each.old_str,
    new: each.new_str,
    all: each.replace_all ?? false,
    ...(each.line !== undefined && { line: each.line }),
  }));
}
