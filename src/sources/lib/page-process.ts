import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { removeUnseen } from "./page-cleaning.ts";
import { convertPage, type PageTask } from "./page-conversion.ts";
import { guardThread } from "./page-guard.ts";
import { partTools } from "./page-parts.ts";
import { shapeForText } from "./page-shaping.ts";
import { pdfText } from "./pdf-text.ts";
import { whenSpent } from "./spent.ts";

const MEMORY_MB = 512;
const ALLOWANCE = { cpuMs: 5_000, wallMs: 15_000, bytes: 768 * 1024 * 1024 };
/** The process watches its own time. This is for one that cannot, and includes its start. */
const MOST_MS = ALLOWANCE.wallMs + 5_000;
/** The host has to hold the answer, and links that are made absolute can multiply the length of a page. */
const MOST_TEXT = 32_000_000;

export type Task = { page: PageTask } | { pdf: Uint8Array };

let child: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();
let wanted = 0;

/**
 * Converts a document in a process of its own: V8 aborts a whole process that reaches its heap limit, even if only a
 * thread did. One document at a time; undefined if it costs too much or the process is lost.
 */
export function convertedApart<T>(task: Task): Promise<T | undefined> {
  wanted++;
  const mine = turn
    .then(() => answered<T>(task))
    .catch(() => undefined)
    .finally(() => wanted--);
  turn = mine;
  return mine;
}

/** Ends the process, unless somebody waits for it. The next document starts another. */
export function endIfIdle(): void {
  if (child && wanted === 0) drop(child);
}

function answered<T>(task: Task): Promise<T | undefined> {
  child ??= started();
  const asked = child;
  return new Promise((resolve) => {
    const end = (found?: T) => {
      clearTimeout(late);
      asked.off("message", told).off("error", lost).off("exit", lost).off("disconnect", lost);
      // an idle process must not keep the host alive
      asked.unref();
      asked.channel?.unref();
      resolve(found);
    };
    const lost = () => {
      end();
      drop(asked);
    };
    const told = ({ found }: { found?: T }) => end(found);
    const late = setTimeout(lost, MOST_MS);
    asked.on("message", told).on("error", lost).on("exit", lost).on("disconnect", lost);
    asked.ref();
    asked.channel?.ref();
    asked.send(task, (error) => error && lost());
  });
}

function drop(lost: ChildProcess): void {
  if (child === lost) child = undefined;
  lost.kill("SIGKILL");
}

function started(): ChildProcess {
  const { resolve } = createRequire(import.meta.url);
  const libraries = {
    linkedom: resolve("linkedom"),
    readability: resolve("@mozilla/readability"),
    markdown: resolve("node-html-markdown"),
    pdf: resolve("unpdf"),
  };
  const made = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, "-e", GUARD], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ELECTRON_RUN_AS_NODE: "1" },
    cwd: "/",
    // a terminal's Ctrl-C is for the host, which may go on after it
    detached: true,
    windowsHide: true,
    serialization: "advanced",
  });
  for (const event of ["error", "exit", "disconnect"]) made.on(event, () => child === made && drop(made));
  made.send({ code: THREAD, libraries });
  return made;
}

// both are plain JavaScript, so that they need no files of their own
const GUARD = `
(${String(guardThread)})({
  Thread: require("node:worker_threads").Worker,
  whenSpent: ${String(whenSpent)},
  allowance: ${JSON.stringify(ALLOWANCE)},
});
`;

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
    const found = task.page ? convert(load(), work, task.page) : await pdf(require(at.pdf), task.pdf);
    parentPort.postMessage(found.text.length > ${MOST_TEXT} ? {} : { found });
  } catch {
    parentPort.postMessage({});
  }
});
`;
