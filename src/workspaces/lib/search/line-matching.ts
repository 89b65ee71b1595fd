import { Worker } from "node:worker_threads";
import type { TextQuery } from "../../../core/contracts/search.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { compilePattern } from "./pattern-regex.ts";
import { cancelled } from "./task.ts";

/** For each text its hits, as pairs: the line index, and the position in the line. */
type Hits = readonly (readonly number[])[];

export type Matching = {
  tookAsText: boolean;
  /** Whether the bytes of a file could contain a hit. May say yes wrongly, never no. */
  couldHold(bytes: Uint8Array): boolean;
  /** `of` names what is searched, for the message if it takes too long. */
  match(texts: readonly string[], of: string): Promise<Hits>;
  close(): void;
};

/** A worker gets the source of this function: it must be self-contained. A global regex may match across lines. */
function hitsIn(text: string, regex: RegExp): number[] {
  const hits: number[] = [];
  let line = 0;
  if (regex.global) {
    let start = 0;
    let told = -1;
    for (const { 0: match, index } of text.matchAll(regex)) {
      if (index === text.length && (text === "" || text.endsWith("\n"))) break;
      for (let feed = text.indexOf("\n", start); feed !== -1 && feed < index; feed = text.indexOf("\n", start)) {
        line += 1;
        start = feed + 1;
      }
      const last = index + Math.max(0, match.length - 1);
      let at = line;
      for (let from = start; from <= last; at += 1) {
        if (at > told) hits.push(at, at === line ? index - start : 0);
        told = Math.max(told, at);
        const feed = text.indexOf("\n", from);
        if (feed === -1) break;
        from = feed + 1;
      }
    }
    return hits;
  }
  for (let start = 0; start < text.length; line += 1) {
    const feed = text.indexOf("\n", start);
    const end = feed === -1 ? text.length : feed;
    const stop = text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    const found = regex.exec(text.slice(start, stop));
    if (found) hits.push(line, found.index);
    start = end + 1;
  }
  return hits;
}

const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const hitsIn = ${hitsIn.toString()};
const regex = new RegExp(workerData.source, workerData.flags);
parentPort.on("message", (texts) => parentPort.postMessage(texts.map((text) => hitsIn(text, regex))));
`;

const tooSlow = (of: string, ms: number): ToolFailure =>
  new ToolFailure(
    "TIMEOUT",
    `The pattern did not finish on ${of} within ${ms} ms.`,
    "Use a simpler pattern without nested repetitions, or literal text.",
  );

/** A pattern with repetition can take forever, so it runs in a worker, which can be terminated. */
export function matchingOf(query: TextQuery, deadlineMs: number): Matching {
  const regex = compilePattern(query.pattern, query);
  if (regex && (query.literal || !/[*+?{]/.test(regex.source))) return atOnce(regex, query, false);
  if (regex) return inWorker(regex, deadlineMs);
  return atOnce(
    compilePattern(query.pattern, { ...query, literal: true }) as RegExp,
    { ...query, literal: true },
    true,
  );
}

function atOnce(regex: RegExp, { pattern, literal, ignoreCase }: TextQuery, tookAsText: boolean): Matching {
  const needle = literal && !ignoreCase ? Buffer.from(pattern) : undefined;
  return {
    tookAsText,
    couldHold: (bytes) =>
      !needle || isWide(bytes) || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(needle),
    match: async (texts) => texts.map((text) => (needle && !text.includes(pattern) ? [] : hitsIn(text, regex))),
    close: () => {},
  };
}

/** Whether it begins with a UTF-16 byte order mark. */
export const isWide = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

type Waiting = { settle(hits: Hits): void; fail(error: Error): void };

function inWorker({ source, flags }: RegExp, deadlineMs: number): Matching {
  let worker: Worker | undefined;
  let waiting: Waiting | undefined;
  const fail = (error: Error): void => {
    void worker?.terminate();
    worker = undefined;
    waiting?.fail(error);
  };
  const started = (): Worker => {
    const made = new Worker(WORKER, { eval: true, workerData: { source, flags }, env: {}, execArgv: [] });
    made.on("message", (hits: Hits) => waiting?.settle(hits));
    made.on("error", fail);
    return made;
  };
  const match = (texts: readonly string[], of: string): Promise<Hits> =>
    new Promise<Hits>((settle, reject) => {
      const timer = setTimeout(() => fail(tooSlow(of, deadlineMs)), deadlineMs);
      const end = () => {
        clearTimeout(timer);
        waiting = undefined;
      };
      waiting = {
        settle(hits) {
          end();
          settle(hits);
        },
        fail(error) {
          end();
          reject(error);
        },
      };
      worker ??= started();
      worker.postMessage(texts);
    });
  return { tookAsText: false, couldHold: () => true, match, close: () => fail(cancelled()) };
}
