import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { isBeyond, plainText } from "../text/html/plain.ts";
import { withoutInvisible } from "../text/invisible.ts";
import { removeUnseen } from "./lib/page-cleaning.ts";
import { convertPage, type PageFound, type PageTask } from "./lib/page-conversion.ts";
import { partTools } from "./lib/page-parts.ts";
import { shapeForText } from "./lib/page-shaping.ts";
import { type PdfFound, pdfText } from "./lib/pdf-text.ts";
import { whenSpent } from "./lib/spent.ts";

const MEMORY_MB = 512;
const ALLOWANCE = { cpuMs: 5_000, wallMs: 15_000, bytes: 768 * 1024 * 1024 };
/** A larger document is not converted: its beginning is returned as plain text. */
const MOST = { elements: 30_000, depth: 400 };
const MOST_PLAIN = 2_000_000;

export type ReadPage = {
  readonly title: string;
  readonly text: string;
  /** The page was too large to convert: this is only the text of its beginning. */
  readonly plain?: true;
};

/** The content of a page as markdown, as text, or as the visible HTML. */
export async function readHtml(task: PageTask): Promise<ReadPage> {
  if (isBeyond(task.html, MOST)) return asPlain(task.html);
  const found = await inThread<PageFound>({ page: task });
  if (!found) return asPlain(task.html);
  const body = found.markdown ?? (task.format === "html" ? found.html : plainText(found.html));
  return { title: withoutInvisible(found.title), text: withoutInvisible(body) };
}

const asPlain = (html: string): ReadPage => ({
  title: "",
  text: withoutInvisible(plainText(html.slice(0, MOST_PLAIN))),
  plain: true,
});

/** The text of a PDF; undefined if it cannot be read. */
export async function readPdf(bytes: Uint8Array): Promise<PdfFound | undefined> {
  const found = await inThread<PdfFound>({ pdf: bytes });
  return found && { pages: found.pages, text: withoutInvisible(found.text) };
}

type Task = { page: PageTask } | { pdf: Uint8Array };

/** One at a time: a page that takes too much time or memory costs only the worker. */
let turn: Promise<unknown> = Promise.resolve();
let thread: Worker | undefined;

function inThread<T>(task: Task): Promise<T | undefined> {
  const mine = turn.then(() => answered<T>(task));
  turn = mine;
  return mine;
}

function answered<T>(task: Task): Promise<T | undefined> {
  thread ??= started();
  const worker = thread;
  return new Promise((resolve) => {
    const end = (found: T | undefined, isLost: boolean) => {
      stopWatching();
      worker.off("message", told).off("error", lost).off("exit", lost);
      worker.unref();
      if (isLost) {
        thread = undefined;
        void worker.terminate();
      }
      resolve(found);
    };
    const lost = () => end(undefined, true);
    const told = ({ found }: { found?: T }) => end(found, false);
    const stopWatching = whenSpent(ALLOWANCE, lost);
    worker.on("message", told).on("error", lost).on("exit", lost);
    worker.ref();
    worker.postMessage(task);
  });
}

function started(): Worker {
  const { resolve } = createRequire(import.meta.url);
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: {
      linkedom: resolve("linkedom"),
      readability: resolve("@mozilla/readability"),
      markdown: resolve("node-html-markdown"),
      pdf: resolve("unpdf"),
    },
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  worker.on("error", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}

/** Plain JavaScript, so that it needs no file of its own. */
const THREAD = `
const { parentPort, workerData: at } = require("node:worker_threads");
const convert = ${String(convertPage)};
const work = {
  partTools: ${String(partTools)},
  removeUnseen: ${String(removeUnseen)},
  shapeForText: ${String(shapeForText)},
};
let libraries;
const load = () => libraries ??= { ...require(at.linkedom), ...require(at.readability), ...require(at.markdown) };
const pdf = ${String(pdfText)};
parentPort.on("message", async (task) => {
  try {
    parentPort.postMessage({ found: task.page ? convert(load(), work, task.page) : await pdf(require(at.pdf), task.pdf) });
  } catch {
    parentPort.postMessage({});
  }
});
`;
