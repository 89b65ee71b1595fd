import * as z from "zod";
import type { Bytes } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import { type Look, type Proposal, Tool } from "../core/words/tool.ts";
import { write } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { type Decoded, decode, encode } from "../text/decode.ts";
import { countChanges } from "../text/diff.ts";
import { countLines, dominantEnding } from "../text/lines.ts";
import { writeReadings } from "./lib/clients/editing.ts";
import { inserted } from "./lib/inserted.ts";
import { missingFile } from "./lib/missing.ts";
import { refuseOmission } from "./lib/omitted.ts";
import { PATH_NAMES } from "./lib/path-argument.ts";

const MARK = "\uFEFF";

const input = () =>
  z.object({
    path: z.string(),
    content: z.string(),
    mode: z.enum(["overwrite", "append"]).optional(),
    insert_line: z.int().min(0).optional(),
  });

export const writeFile = Tool.define("write_file", {
  description:
    "Create a file or replace its whole content. Folders are made as needed. For a partial change use edit_file.",
  permissions: { required: ["write"] },
  aliases: {
    names: ["Write", "write", "file_write", "create", "create_file", "write_to_file"],
    args: { path: PATH_NAMES, content: ["contents", "text", "file_text", "file_content", "code_content"] },
    readings: writeReadings,
  },
  rare: ["mode", "insert_line"],
  get input() {
    return input();
  },
  scope: () => null,
  touches: ({ path }) => [write(path)],
  preview: async (request, look) => [await proposal(request, look)],
  async execute({ path, content, mode, insert_line }, { changes }) {
    const [change] = changes;
    if (!change)
      return {
        title: `Unchanged ${path}`,
        output: `${path} already has exactly this content.`,
        metadata: { path, changed: false },
      };
    const bytes = change.after?.length ?? 0;
    const created = change.before === null;
    const changed = insert_line !== undefined ? "Inserted into" : mode === "append" ? "Appended to" : "Overwrote";
    const verb = created ? "Created" : changed;
    const { added, removed } = lineCounts(change.before, change.after);
    const extent = created ? counted(countLines(content), "line") : `+${added} -${removed} lines`;
    return {
      title: `${verb} ${path}`,
      output: [`${verb} ${path} (${extent}, ${counted(bytes, "byte")}).`, change.note].filter(Boolean).join(" "),
      metadata: { path, bytes, created, added, removed, changed: true },
    };
  },
});

/** An existing file keeps its encoding, byte order mark and line endings; a new one is UTF-8, written as it came. */
async function proposal(request: z.output<ReturnType<typeof input>>, { files }: Look): Promise<Proposal> {
  const { path, content, mode, insert_line } = request;
  const info = await files.stat(path);
  if (info?.kind === "folder")
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a folder.`, "Name a file inside it.");
  if (!(content as string & { isWellFormed(): boolean }).isWellFormed()) throw halfCharacter();
  const bytes = info ? (await files.read(path)).bytes : new Uint8Array();
  const before = decode(bytes);
  refuseOmission(path, { text: content, old: before?.text ?? "" });
  if (insert_line !== undefined) {
    if (mode !== undefined)
      throw new ToolFailure(
        "VALIDATION_ERROR",
        "The call has both mode and insert_line.",
        "Send insert_line to insert lines, or mode to append or overwrite.",
      );
    if (!info) throw await missingFile(path, files);
    return { path, after: inserted(path, bytes, insert_line, content) };
  }
  if (!before || bytes.length === 0) {
    const added = new TextEncoder().encode(content);
    return mode === "append" ? { path, after: joined(bytes, added) } : { path, after: added, whole: true };
  }
  const text = mode === "append" ? withEndingsOf(before.text, content) : replacementFor(before.text, content);
  const kept = [
    ...(text === content ? [] : [`line endings (${endingName(text)})`]),
    ...(before.encoding === "utf-8" ? [] : [`encoding (${before.encoding})`]),
  ];
  const note = kept.length > 0 ? `Kept its ${kept.join(" and ")}.` : "";
  if (mode === "append") return { path, after: appended(path, bytes, text, before), note };
  const { encoding } = before;
  // a byte order mark in the content is not doubled
  const isMarked = text.startsWith(MARK) && encoding !== "latin1";
  try {
    const after = encode(isMarked ? text.slice(1) : text, { encoding, bom: before.bom || isMarked });
    return { path, after, whole: true, note };
  } catch {
    const after = new TextEncoder().encode(text);
    return { path, after, whole: true, note: `It was ${encoding} and is UTF-8 now.` };
  }
}

/** If the content differs only in line endings, it is meant to change them. */
function replacementFor(before: string, content: string): string {
  const text = withEndingsOf(before, content);
  return text === before ? content : text;
}

function withEndingsOf(before: string, content: string): string {
  if (!/[\r\n]/.test(before) || (/\r\n/.test(content) && /(?<!\r)\n/.test(content))) return content;
  const ending = dominantEnding(before);
  return content.replace(/\r\n|\n/g, () => ending);
}

const endingName = (text: string): string => {
  const ending = dominantEnding(text);
  return ending === "\r\n" ? "CRLF" : ending === "\n" ? "LF" : "CR";
};

function appended(path: string, bytes: Bytes, text: string, { encoding }: Decoded): Bytes {
  try {
    return joined(bytes, encode(text, { encoding, bom: false }));
  } catch {
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is ${encoding}, which cannot hold this text.`,
      "Replace the whole file (mode overwrite) to make it UTF-8.",
    );
  }
}

function joined(bytes: Bytes, added: Bytes): Bytes {
  const whole = new Uint8Array(bytes.length + added.length);
  whole.set(bytes);
  whole.set(added, bytes.length);
  return whole;
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
