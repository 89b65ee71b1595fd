import type { FoundLine, TextQuery } from "../../../core/contracts/search.ts";
import type { Bytes } from "../../../core/contracts/workspace.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Place } from "../../../core/words/touch.ts";
import { Neighbours } from "./found-lines.ts";
import { isWide, type Matching, matchingOf } from "./line-matching.ts";
import { cancelled, passOver, type Task } from "./task.ts";

/** As in ripgrep, a NUL within this many bytes makes a file binary, and a later one ends the search in it. */
const BEGINNING = 64 * 1024;
const HELD = 4 << 20;
const LONGEST_LINE = 32 << 20;
const BATCH_FILES = 64;
const BATCH_TEXT = 1 << 20;

type Waiting = { path: string; text: string };

/** The matching lines of these files. Texts are matched in batches, small at first, so that a hit comes soon. */
export async function* searchText(
  task: Task<TextQuery>,
  places: AsyncIterable<Place>,
  deadlineMs: number,
): AsyncGenerator<FoundLine> {
  const matching = matchingOf(task.query, deadlineMs);
  const stop = () => matching.close();
  task.report.tookAsText = matching.tookAsText;
  task.signal?.addEventListener("abort", stop);
  try {
    let most = 1;
    let batch: Waiting[] = [];
    let length = 0;
    for await (const place of places) {
      const bytes = await wholeOf(task, place);
      if (bytes === "large") {
        yield* await searchBatch(task, matching, batch);
        batch = [];
        length = 0;
        yield* searchLarge(task, matching, place);
        continue;
      }
      const text = bytes && matching.couldHold(bytes) ? textOf(bytes) : undefined;
      if (text === undefined) continue;
      batch.push({ path: place.shown, text });
      length += text.length;
      if (batch.length < most && length < BATCH_TEXT) continue;
      yield* await searchBatch(task, matching, batch);
      most = Math.min(BATCH_FILES, most * 2);
      batch = [];
      length = 0;
    }
    yield* await searchBatch(task, matching, batch);
  } catch (error) {
    throw task.signal?.aborted ? cancelled() : error;
  } finally {
    task.signal?.removeEventListener("abort", stop);
    matching.close();
  }
}

async function searchBatch(task: Task<TextQuery>, matching: Matching, batch: readonly Waiting[]): Promise<FoundLine[]> {
  if (batch.length === 0) return [];
  if (task.signal?.aborted) throw cancelled();
  const hits = await matching.match(
    batch.map(({ text }) => text),
    batch.length === 1 ? (batch[0] as Waiting).path : `files from ${batch[0]?.path} to ${batch.at(-1)?.path}`,
  );
  return batch.flatMap(({ path, text }, at) => {
    const own = hits[at] ?? [];
    return own.length === 0 ? [] : new Neighbours(path, task.query.context ?? 0).add(text, own);
  });
}

/** Returns undefined if the file vanished or cannot be read. */
async function wholeOf({ files, report }: Task, place: Place): Promise<Bytes | "large" | undefined> {
  try {
    const info = await files.stat(place);
    if (info?.kind !== "file") return undefined;
    return info.stamp.size > HELD ? "large" : (await files.read(place)).bytes;
  } catch (error) {
    passOver(error, report);
    return undefined;
  }
}

/** The text up to a NUL; undefined for a binary file. */
function textOf(bytes: Bytes): string | undefined {
  if (isWide(bytes)) return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  const end = bytes.indexOf(0);
  if (end !== -1 && end < BEGINNING) return undefined;
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
}

async function* searchLarge(task: Task<TextQuery>, matching: Matching, place: Place): AsyncGenerator<FoundLine> {
  const neighbours = new Neighbours(place.shown, task.query.context ?? 0);
  try {
    for await (const piece of piecesOf(task, place)) {
      const [hits = []] = await matching.match([piece], place.shown);
      yield* neighbours.add(piece, hits);
      if (task.signal?.aborted) throw cancelled();
    }
  } catch (error) {
    if (error instanceof ToolFailure && (error.code === "TIMEOUT" || error.code === "CANCELLED")) throw error;
    passOver(error, task.report);
  }
}

/** Whole lines, about a megabyte at a time. Of a line that is too long to hold, only the beginning. */
async function* piecesOf({ files }: Task, place: Place): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = "";
  let skipping = false;
  for await (const chunk of files.chunks(place)) {
    const nul = isWide(chunk) || decoder?.encoding.startsWith("utf-16") ? -1 : chunk.indexOf(0);
    if (!decoder && nul !== -1 && nul < BEGINNING) return;
    decoder ??= new TextDecoder(isWide(chunk) ? (chunk[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8");
    let text = decoder.decode(nul === -1 ? chunk : chunk.subarray(0, nul), { stream: true });
    if (skipping) {
      const feed = text.indexOf("\n");
      if (feed !== -1) {
        skipping = false;
        text = text.slice(feed + 1);
      } else text = "";
    }
    rest += text;
    if (nul !== -1) break;
    if (rest.length < BATCH_TEXT) continue;
    const end = rest.lastIndexOf("\n") + 1;
    if (end > 0) {
      yield rest.slice(0, end);
      rest = rest.slice(end);
    } else if (rest.length > LONGEST_LINE) {
      yield `${rest}\n`;
      rest = "";
      skipping = true;
    }
  }
  if (rest !== "") yield rest;
}
