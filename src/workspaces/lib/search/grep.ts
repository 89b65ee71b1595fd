import type { FoundLine, TextQuery } from "../../../core/contracts/search.ts";
import type { Place } from "../../../core/words/touch.ts";
import { openFolder } from "../opened.ts";
import { outputOf } from "./child.ts";
import { compilePattern, escapeText } from "./regex.ts";
import { cancelled, type Engine, type Task, Unfit } from "./task.ts";
import { searchText } from "./texts.ts";
import { eachFile, walkFiles } from "./walk.ts";

const FIRST_BATCH = 32;
const MOST_FILES = 1_000;
const MOST_BYTES = 96 * 1024;
// what bytes and characters, CRLF and LF, this program and ours understand alike
const SIMPLE = /^(?:[\w "'#%&,\-/:;<=>@`~!|()]|\\[^\w\s<>]|\.\*)+$/;
// how files begin whose text is not what the bytes say
const MARKED = "\\A(?:\\xEF\\xBB\\xBF|\\xFF\\xFE|\\xFE\\xFF)";
// the Kelvin sign and the long s, which are k and s where case does not count
const FOLDED = "\\xE2\\x84\\xAA|\\xC5\\xBF";

/** A pattern for bytes that fits every line that the query means, and perhaps others; undefined: there is none. */
function looserPattern({ pattern, literal, ignoreCase }: TextQuery): string | undefined {
  const isAscii = /^[\x20-\x7e]*$/.test(pattern);
  if (ignoreCase && !isAscii) return undefined;
  const always = ignoreCase ? `${MARKED}|${FOLDED}` : MARKED;
  if (literal || !compilePattern(pattern, {})) return `${always}|(?:${escapeText(pattern)})`;
  return isAscii && SIMPLE.test(pattern) ? `${always}|(?:${pattern})` : undefined;
}

/** Of the files those that may hold a hit; grep looks at many at once, and the lines are found as in our own walk. */
async function* narrowed(task: Task<TextQuery>, path: string, pattern: string): AsyncGenerator<Place> {
  let batch: Place[] = [];
  let bytes = 0;
  let most = FIRST_BATCH;
  for await (const place of eachFile(task)) {
    batch.push(place);
    bytes += Buffer.byteLength(place.real) - task.folder.real.length + 3;
    if (batch.length < most && bytes < MOST_BYTES) continue;
    yield* await holding(task, path, pattern, batch);
    batch = [];
    bytes = 0;
    most = MOST_FILES;
  }
  yield* await holding(task, path, pattern, batch);
}

async function holding(task: Task<TextQuery>, path: string, pattern: string, batch: Place[]): Promise<Place[]> {
  if (batch.length === 0) return [];
  const { folder, query, signal } = task;
  const start = folder.real === "/" ? 1 : folder.real.length + 1;
  const names = batch.map(({ real }) => `./${real.slice(start)}`);
  const opened = openFolder(folder.real, folder.shown);
  let running: ReturnType<typeof outputOf>;
  try {
    const flags = ["-l", "-Z", "-a", "-P", ...(query.ignoreCase ? ["-i"] : [])];
    running = outputOf({ path, args: [...flags, "-e", pattern, "--", ...names], cwd: opened.self }, signal);
  } finally {
    opened.close();
  }
  const { code, output } = await running;
  if (signal?.aborted) throw cancelled();
  // it could not look everywhere: then all are looked at
  if (code !== 0 && code !== 1) return batch;
  const found = new Set(output.toString("utf8").split("\0"));
  return batch.filter((_, at) => found.has(names[at] as string));
}

async function* grepLines(task: Task<TextQuery>, path: string, deadlineMs: number): AsyncGenerator<FoundLine> {
  const pattern = looserPattern(task.query);
  if (pattern === undefined) throw new Unfit("a pattern that bytes cannot tell");
  yield* searchText(task, narrowed(task, path, pattern), deadlineMs);
}

/** GNU grep beside our own walk, which decides which files count. */
export const grepEngine = (path: string, deadlineMs: number): Engine => ({
  name: "grep",
  files: walkFiles,
  lines: (task) => grepLines(task, path, deadlineMs),
});
