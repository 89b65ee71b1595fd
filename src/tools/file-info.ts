import * as z from "zod";
import type { FileInfo, FileView } from "../core/contracts/workspace.ts";
import type { Part } from "../core/words/sight.ts";
import { Tool } from "../core/words/tool.ts";
import { read } from "../core/words/touch.ts";
import { counted } from "../text/counted.ts";
import { decode } from "../text/decode.ts";
import { countLines } from "../text/lines.ts";
import { isoTime } from "./lib/iso-time.ts";
import { missingFile } from "./lib/missing.ts";
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
  async execute({ path }, { files }) {
    const info = await files.stat(path);
    if (!info) throw await missingFile(path, files);
    const { kind, stamp } = info;
    const mode = info.mode.toString(8).padStart(3, "0");
    const modified = isoTime(stamp.mtimeMs);
    const content = await contentOf(files, path, info);
    const size = kind === "file" ? [counted(stamp.size, "byte")] : [];
    return {
      title: `Looked at ${path}`,
      output: [`${path}: ${kind}`, ...size, ...content.words, `mode ${mode}`, `modified ${modified}`].join(", "),
      metadata: { path, kind, size: stamp.size, mode, modified, ...content.facts },
    };
  },
});

const NOTHING_OF_IT: Part = { first: 1, last: 0, of: 0 };

async function contentOf(files: FileView, path: string, { kind, stamp }: FileInfo) {
  if (kind === "folder") {
    const entries = (await files.list(path)).length;
    return { words: [`${entries} ${entries === 1 ? "entry" : "entries"}`], facts: { entries } };
  }
  if (kind !== "file" || stamp.size > MOST_READ) return { words: [], facts: {} };
  const decoded = decode((await files.read(path)).bytes);
  await files.shows?.(path, NOTHING_OF_IT);
  if (!decoded) return { words: ["binary"], facts: { binary: true } };
  const { text, encoding } = decoded;
  const lines = countLines(text);
  return { words: [`${encoding} text`, counted(lines, "line")], facts: { binary: false, encoding, lines } };
}
