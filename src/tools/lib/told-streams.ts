import type { Captured } from "../../core/contracts/process.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";
import type { Truncated } from "../../core/words/result.ts";
import type { Context } from "../../core/words/tool.ts";
import { trimOutput } from "../../text/trim.ts";

export type ToldStreams = { text: string; truncated?: Truncated };

/** A little less than the limit of any output, to leave room for notes about the command. */
const SHOWN_BYTES = 60 * 1024;
const LINES_FOR_NOTES = 12;

/** The output of a command for a model: standard output alone is unlabelled; with errors, both are labelled. */
export async function toldStreams(
  { stdout, stderr }: { stdout: Captured; stderr: Captured },
  maxLines: number,
  keep: Context["keep"],
): Promise<ToldStreams> {
  const told = ([out = "", err = ""]: readonly string[]): string => {
    if (err === "") return out || "(no output)";
    return [out && `stdout:\n${out}`, `stderr:\n${err}`].filter(Boolean).join("\n\n");
  };
  // output that is complete in memory is cut and kept later, by whoever shows it
  if (stdout.omittedBytes + stderr.omittedBytes === 0)
    return { text: told([stdout.text.trimEnd(), stderr.text.trimEnd()]) };
  const most = { bytes: SHOWN_BYTES, lines: Math.max(4, maxLines - LINES_FOR_NOTES) };
  const shown = await Promise.all([
    cutStream(stdout, "stdout", beside(stderr, most), keep),
    cutStream(stderr, "stderr", beside(stdout, most), keep),
  ]);
  return { text: told(shown.map(({ text }) => text)), truncated: sum(shown.map(({ truncated }) => truncated)) };
}

type Budget = { bytes: number; lines: number };

/** What the other stream leaves over, which is at least half. */
const beside = ({ text, lines }: Captured, most: Budget): Budget => ({
  bytes: most.bytes - Math.min(utf8(text).length, most.bytes >> 1),
  lines: most.lines - Math.min(lines, most.lines >> 1),
});

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

async function cutStream(captured: Captured, name: string, budget: Budget, keep: Context["keep"]) {
  const { bytes, lines, omittedBytes, omittedLines, path, keptBytes = bytes } = captured;
  const isCut = omittedBytes > 0;
  const cut = trimOutput(captured.text, budget, isCut ? { bytes, lines } : undefined);
  const text = cut.text.trimEnd();
  const counts = { shownBytes: bytes - omittedBytes, totalBytes: bytes, totalLines: lines, omittedLines };
  const truncated: Truncated = cut.truncated ?? counts;
  if (!isCut && !cut.truncated) return { text, truncated };
  const file = isCut ? { path, bytes, keptBytes } : await keptNow(captured.text, name, keep);
  const found = file.path === undefined ? truncated : { ...truncated, path: file.path };
  return { text: `${text}\n${noticeOf(file)}`, truncated: found };
}

type File = { path: string | undefined; bytes: number; keptBytes: number };

/** Keeps a stream that fits into memory if it is cut because of the other one. */
async function keptNow(text: string, name: string, keep: Context["keep"]): Promise<File> {
  const bytes = utf8(text);
  const path = await keep(bytes, `${name}.txt`).catch(() => undefined);
  return { path, bytes: bytes.length, keptBytes: bytes.length };
}

function noticeOf({ path, bytes, keptBytes }: File): string {
  if (path === undefined) return "[The rest of the output could not be kept.]";
  const what = keptBytes < bytes ? `The first ${keptBytes} of ${bytes} bytes` : `All ${bytes} bytes`;
  return `[${what} are in ${path}.]`;
}

function sum(all: readonly Truncated[]): Truncated {
  const path = all.find((each) => each.path !== undefined)?.path;
  const total = (count: (each: Truncated) => number) => all.reduce((so, each) => so + count(each), 0);
  return {
    shownBytes: total((each) => each.shownBytes),
    totalBytes: total((each) => each.totalBytes),
    totalLines: total((each) => each.totalLines),
    omittedLines: total((each) => each.omittedLines),
    ...(path !== undefined && { path }),
  };
}
