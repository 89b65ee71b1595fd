import * as z from "zod";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, Tool } from "../core/words/tool.ts";
import { counted } from "../text/counted.ts";
import { COMMENTS } from "./lib/clients/readings.ts";
import { missingFile } from "./lib/missing.ts";
import { isLikeFolder, PATH_NAMES } from "./lib/path-argument.ts";

export const deleteFile = Tool.define("delete_file", {
  description: "Delete one file. Folders are not deleted. undo_file brings it back.",
  permissions: { required: ["write"] },
  aliases: { names: ["file_delete", "remove_file", "Delete"], args: { path: PATH_NAMES }, readings: COMMENTS },
  get input() {
    return z.object({ path: z.string() });
  },
  scope: () => null,
  touches: ({ path }) => [{ action: "delete", target: path }],
  async preview({ path }, look) {
    await refuseOthers(path, look);
    return [{ path, after: null }];
  },
  async execute({ path }, { changes: [change] }) {
    const bytes = change?.before?.length ?? 0;
    const shown = change?.place.shown ?? path;
    const link = change?.place.link ? new TextDecoder().decode(change.before ?? undefined) : undefined;
    return {
      title: `Deleted ${path}`,
      output:
        link === undefined
          ? `Deleted ${shown} (${counted(bytes, "byte")}).`
          : `Deleted the link ${shown}. What it pointed to, ${link}, was not touched.`,
      metadata: { path, bytes },
    };
  },
});

async function refuseOthers(path: string, { files }: Look): Promise<void> {
  const info = await files.stat(path);
  if (!info) throw await missingFile(path, files);
  if (info.kind === "file" && isLikeFolder(path))
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is written like a folder, but leads to a file.`,
      "Leave out the slash at its end.",
    );
  if (info.kind === "file" || info.kind === "link") return;
  throw new ToolFailure(
    "VALIDATION_ERROR",
    info.kind === "folder" ? `${path} is a folder; only files are deleted.` : `${path} is not a regular file.`,
    info.kind === "folder" ? "Delete its files one by one; an empty folder does no harm." : "Leave it alone.",
  );
}
