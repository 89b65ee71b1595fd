import * as z from "zod";
import type { Bytes } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, Tool } from "../core/words/tool.ts";
import { write } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { decode, encode } from "../text/decode.ts";
import { countChanges } from "../text/diff.ts";
import { countLines } from "../text/lines.ts";
import { PATH_NAMES } from "./lib/paths.ts";

const input = z.object({
  path: z.string(),
  content: z.string(),
  mode: z.enum(["overwrite", "append"]).optional(),
});

export const writeFile = Tool.define("write_file", {
  description:
    "Create a file or replace its whole content. Folders are made as needed. For a partial change use edit_file.",
  permissions: { required: ["write"] },
  aliases: {
    names: ["Write", "write", "file_write"],
    args: { path: PATH_NAMES, content: ["contents", "text", "file_text"] },
  },
  rare: ["mode"],
  input,
  scope: () => null,
  touches: ({ path }) => [write(path)],
  preview: async (request, look) => [{ path: request.path, after: await contentOf(request, look) }],
  async execute({ path, content, mode }, { changes }) {
    const [change] = changes;
    if (!change)
      return {
        title: `Unchanged ${path}`,
        output: `${path} already has exactly this content.`,
        metadata: { path, changed: false },
      };
    const bytes = change.after?.length ?? 0;
    const created = change.before === null;
    const verb = created ? "Created" : mode === "append" ? "Appended to" : "Overwrote";
    const { added, removed } = lineCounts(change.before, change.after);
    const extent = created ? counted(countLines(content), "line") : `+${added} -${removed} lines`;
    return {
      title: `${verb} ${path}`,
      output: `${verb} ${path} (${extent}, ${counted(bytes, "byte")}).`,
      metadata: { path, bytes, created, added, removed, changed: true },
    };
  },
});

/** What is appended takes on the file's encoding; what replaces all is written as it came. */
async function contentOf({ path, content, mode }: z.output<typeof input>, { files }: Look): Promise<Bytes> {
  const info = await files.stat(path);
  if (info?.kind === "folder")
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a folder.`, "Name a file inside it.");
  if (!(content as string & { isWellFormed(): boolean }).isWellFormed()) throw halfCharacter();
  if (mode !== "append" || !info) return new TextEncoder().encode(content);
  const { bytes } = await files.read(path);
  const { encoding = "utf-8" } = decode(bytes) ?? {};
  try {
    const added = encode(content, { encoding, bom: false });
    const whole = new Uint8Array(bytes.length + added.length);
    whole.set(bytes);
    whole.set(added, bytes.length);
    return whole;
  } catch {
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is ${encoding}, which cannot hold this text.`,
      "Replace the whole file (mode overwrite) to make it UTF-8.",
    );
  }
}

/** It would silently become another character. */
const halfCharacter = () =>
  new ToolFailure(
    "VALIDATION_ERROR",
    "The content has half of a surrogate pair, which no file can hold.",
    "Send the whole character, or leave it out.",
  );

const lineCounts = (before: Bytes | null, after: Bytes | null) =>
  countChanges((before && decode(before)?.text) ?? "", (after && decode(after)?.text) ?? "");
