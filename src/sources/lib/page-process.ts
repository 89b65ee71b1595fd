import { createRequire } from "node:module";
import { Apart } from "./apart.ts";
import { removeUnseen } from "./page-cleaning.ts";
import { convertPage, type PageTask } from "./page-conversion.ts";
import { partTools } from "./page-parts.ts";
import { shapeForText } from "./page-shaping.ts";
import { pdfText } from "./pdf-text.ts";

const ALLOWANCE = { cpuMs: 5_000, wallMs: 15_000, bytes: 768 * 1024 * 1024 };
/** The host has to hold the answer, and links that are made absolute can multiply the length of a page. */
const MOST_TEXT = 32_000_000;

export type Task = { page: PageTask } | { pdf: Uint8Array };

const documents = new Apart(ALLOWANCE.wallMs, () => {
  const { resolve } = createRequire(import.meta.url);
  const libraries = {
    linkedom: resolve("linkedom"),
    readability: resolve("@mozilla/readability"),
    markdown: resolve("node-html-markdown"),
    pdf: resolve("unpdf"),
  };
  return { code: THREAD, libraries, allowance: ALLOWANCE, memoryMb: 512 };
});

/** Converts a document in a process of its own. Undefined if it costs too much or the process is lost. */
export const convertedApart = <T>(task: Task): Promise<T | undefined> => documents.ask<T>(task);

/** Ends the process, unless somebody waits for it. The next document starts another. */
export const endIfIdle = (): void => documents.endIfIdle();

// plain JavaScript, so that it needs no file of its own
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
