import * as z from "zod";
import type { FileInfo, FileView } from "../core/contracts/workspace.ts";
import { Tool } from "../core/words/tool.ts";
import { read } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { decode } from "../text/decode.ts";
import { countLines } from "../text/lines.ts";
import { isoTime } from "./lib/iso-time.ts";
import { missingFile } from "./lib/missing.ts";
import { encodingOf } from "./lib/output-pages.ts";
import { PATH_NAMES } from "./lib/path-argument.ts";

/** Larger files are not read to describe them. */
const MOST_READ = 4 * 1024 * 1024;

export const fileInfo = Tool.define("file_info", {
  description: "Describe a path: kind, size, mode, time of change, and for text its encoding and number of lines.",
  permissions: { required: ["read"] },
  aliases: { names: ["get_file_info", "stat"], args: { path: PATH_NAMES } },
  get input() {
    return z.object({ path: z.string() });
  },
  scope: () => null,
  touches: ({ path }) => [read(path)],
  shows: ({ path }, files) => look(path, files),
  async execute({ path }, { files }) {
    const { info, content } = await look(path, files);
    const { kind, stamp } = info;
    const mode = info.mode.toString(8).padStart(3, "0");
    const modified = isoTime(stamp.mtimeMs);
    const size = kind === "file" ? [counted(stamp.size, "byte")] : [];
    return {
      title: `Looked at ${path}`,
      output: [`${path}: ${kind}`, ...size, ...content.words, `mode ${mode}`, `modified ${modified}`].join(", "),
      metadata: { path, kind, size: stamp.size, mode, modified, ...content.facts },
    };
  },
});

async function look(path: string, files: FileView) {
  const info = await files.stat(path);
  if (!info) throw await missingFile(path, files);
  return { info, content: await contentOf(files, path, info) };
}

const BINARY = { words: ["binary"], facts: { binary: true } };

/** Judged by its beginning, as when it is read in pages. */
async function contentOfLarge(files: FileView, path: string) {
  for await (const piece of files.chunks(path)) {
    if (encodingOf(piece) === undefined) return BINARY;
    break;
  }
  await files.shows?.(path, []);
  return { words: [], facts: {} };
}

async function contentOf(files: FileView, path: string, { kind, stamp }: FileInfo) {
  if (kind === "folder") {
    const entries = (await files.list(path)).length;
    return { words: [`${entries} ${entries === 1 ? "entry" : "entries"}`], facts: { entries } };
  }
  if (kind !== "file") return { words: [], facts: {} };
  if (stamp.size > MOST_READ) return contentOfLarge(files, path);
  const decoded = decode((await files.read(path)).bytes);
  // nothing more can be shown of what is not text, so this counts as reading it
  if (!decoded) return BINARY;
  await files.shows?.(path, []);
  const { text, encoding } = decoded;
  const lines = countLines(text);
  return { words: [`${encoding} text`, counted(lines, "line")], facts: { binary: false, encoding, lines } };
}
