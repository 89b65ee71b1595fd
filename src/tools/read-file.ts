import * as z from "zod";
import type { Bytes, FileView } from "../core/contracts/workspace.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Part } from "../core/words/sight.ts";
import { Tool } from "../core/words/tool.ts";
import { read } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { decode } from "../text/decode.ts";
import { readFileReadings } from "./lib/clients/reading-files.ts";
import { attach, mediaType, refuseTooLarge } from "./lib/media.ts";
import { missingFile } from "./lib/missing.ts";
import { notebookText } from "./lib/notebook.ts";
import { type Page, pageOfStream, pageOfText, type Wanted } from "./lib/output-pages.ts";
import { PATH_NAMES } from "./lib/path-argument.ts";

const PAGE_LINES = 2_000;
const PAGE_BYTES = 50 * 1024;
/** Larger files are scanned and never held whole. */
const HELD_BYTES = 4 * 1024 * 1024;

const lineRange = () =>
  z.union([z.tuple([z.int().min(1), z.int().min(1)]), z.string().regex(/^\s*\d+\s*[-:,]\s*\d+\s*$/)]);

const input = () =>
  z.object({
    path: z.string(),
    offset: z.int().min(1).describe("First line").optional(),
    limit: z.int().min(1).optional(),
    line_range: lineRange().optional(),
    max_bytes: z.int().min(1).optional(),
  });

export const readFile = Tool.define("read_file", {
  description: "Read a text file with line numbers. A long file comes in pages; the reply names the next call.",
  permissions: { required: ["read"] },
  aliases: {
    names: [
      ...["Read", "read", "file_read", "view", "view_file", "read_text_file", "read_files"],
      ...["NotebookRead", "view_image"],
    ],
    args: {
      path: PATH_NAMES,
      offset: ["start_line", "from", "start_line_one_indexed"],
      limit: ["max_lines", "head", "num_lines"],
      line_range: ["range", "lines"],
    },
    readings: readFileReadings,
  },
  rare: ["line_range", "max_bytes"],
  get input() {
    return input();
  },
  idempotent: true,
  scope: () => null,
  touches: ({ path }) => [read(path)],
  async execute(request, { files }) {
    const { path } = request;
    const found = await look(request, files);
    if ("mime" in found) return shownWhole(path, found.mime, found.bytes);
    const { page, size } = found;
    const last = lastOf(page);
    return {
      title: `Read ${path}`,
      output: show(path, page, last),
      metadata: {
        path,
        bytes: size,
        first: page.first,
        last,
        lines: page.total,
        more: page.more,
        encoding: page.encoding,
      },
    };
  },
  shows: look,
});

type Found = { page: Page; size: number } | { mime: string; bytes: Bytes };

/** Reads the page or the media file that is wanted, and says what of the file it shows. */
async function look(request: z.output<ReturnType<typeof input>>, files: FileView): Promise<Found> {
  const { path } = request;
  const wanted = wantedOf(request);
  const info = await files.stat(path);
  if (!info) throw await missingFile(path, files);
  if (info.kind === "folder") throw await isFolder(path, files);
  const { size } = info.stamp;
  const bytes = size > HELD_BYTES ? await firstPiece(files, path) : (await files.read(path)).bytes;
  const mime = mediaType(bytes);
  if (mime) refuseTooLarge(path, mime, size);
  if (mime) return { mime, bytes: size > HELD_BYTES ? (await files.read(path)).bytes : bytes };
  const page = size > HELD_BYTES ? await pageOfStream(files, path, wanted) : pageOfBytes(path, bytes, wanted);
  if (!page) throw isBinary(path, size);
  if (page.lines.length === 0 && wanted.offset > 1) throw pastTheEnd(path, wanted.offset, page.total);
  if (page.first > 1 || page.more || page.cut.length > 0) await files.shows?.(path, wholeLines(page));
  return { page, size };
}

const lastOf = ({ first, lines }: Page): number => first + lines.length - 1;

/** The runs of lines between those that were cut. */
function wholeLines(page: Page): Part[] {
  const parts: Part[] = [];
  let first = page.first;
  for (const end of [...page.cut, lastOf(page) + 1]) {
    parts.push({ first, last: end - 1, of: page.total });
    first = end + 1;
  }
  return parts;
}

function wantedOf({
  offset = 1,
  limit = PAGE_LINES,
  line_range,
  max_bytes = PAGE_BYTES,
}: z.output<ReturnType<typeof input>>): Wanted {
  const most = Math.min(limit, PAGE_LINES);
  if (line_range === undefined) return { offset, limit: most, maxBytes: max_bytes };
  const [first, last] = typeof line_range === "string" ? line_range.split(/[-:,]/).map(Number) : line_range;
  if (!first || !last || last < first)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `The line range ${first}-${last} is empty.`,
      "Give the first and the last line, counted from 1.",
    );
  return { offset: first, limit: Math.min(most, last - first + 1), maxBytes: max_bytes };
}

/** A notebook is shown as its cells. */
function pageOfBytes(path: string, bytes: Bytes, wanted: Wanted): Page | undefined {
  const decoded = decode(bytes);
  if (!decoded) return undefined;
  const cells = path.endsWith(".ipynb") ? notebookText(decoded.text) : undefined;
  return pageOfText(cells === undefined ? decoded : { ...decoded, text: cells }, wanted);
}

async function firstPiece(files: FileView, path: string): Promise<Bytes> {
  for await (const piece of files.chunks(path)) return piece;
  return new Uint8Array();
}

const shownWhole = (path: string, mime: string, bytes: Bytes) => ({
  title: `Read ${path}`,
  output: `${path} is attached (${mime}, ${counted(bytes.length, "byte")}).`,
  metadata: { path, bytes: bytes.length, mime },
  attachments: [attach(path, mime, bytes)],
});

/** Numbered lines, then what the reader must know to continue. */
function show(path: string, page: Page, last: number): string {
  if (page.lines.length === 0) return "(the file is empty)";
  const notes: string[] = [];
  if (page.more || page.first > 1)
    notes.push(`Lines ${page.first}-${last}${page.total === undefined ? "" : ` of ${page.total}`}.`);
  if (page.more) notes.push(`Go on with {"path":${JSON.stringify(path)},"offset":${last + 1}}.`);
  if (page.encoding !== "utf-8") notes.push(`The file is ${page.encoding}.`);
  const text = page.lines.map((line, index) => `${page.first + index}\t${line}`).join("\n");
  return notes.length > 0 ? `${text}\n\n[${notes.join(" ")}]` : text;
}

async function isFolder(path: string, files: FileView): Promise<ToolFailure> {
  const entries = await files.list(path);
  const names = entries.slice(0, 200).map(({ name, kind }) => (kind === "folder" ? `${name}/` : name));
  const more = entries.length > names.length ? [`… and ${entries.length - names.length} more`] : [];
  return new ToolFailure(
    "VALIDATION_ERROR",
    `${path} is a folder.`,
    "Name a file in it, or look at folders with list_files.",
    {
      output: [...names, ...more].join("\n"),
      metadata: { path, entries: entries.length },
    },
  );
}

const isBinary = (path: string, size: number) =>
  new ToolFailure(
    "BINARY",
    `${path} is not text (${counted(size, "byte")}).`,
    "Only text can be read as lines. file_info describes it, which counts as reading it.",
    {
      metadata: { path, bytes: size },
    },
  );

const pastTheEnd = (path: string, offset: number, total = 0) =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `${path} has ${total} line${total === 1 ? "" : "s"}, so there is nothing at line ${offset}.`,
    total ? `Use an offset from 1 to ${total}.` : "The file is empty.",
  );
