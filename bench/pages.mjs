// A page in the middle of a file that is too large to hold.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import { once } from "./lib/apart.mjs";
import { compare, counted, median } from "./lib/measure.mjs";
import { built, withFolder } from "./lib/place.mjs";

const FIRST = 1_000_000;
const LAST = 1_000_100;
const SIZE = 1 << 30;
const PAGE = "Toolgate read_file";
const NEWLINE = 0x0a;

function writeHuge(file) {
  const fd = openSync(file, "w");
  try {
    for (let bytes = 0, line = 1; bytes < SIZE; ) {
      const lines = [];
      for (let end = line + 100_000; line < end; line++)
        lines.push(`${String(line).padStart(9, "0")} ${"a line of some length, as lines are. ".repeat(2)}\n`);
      bytes += writeSync(fd, lines.join(""));
    }
  } finally {
    closeSync(fd);
  }
}

/** The least that Node can do: 64 KiB at a time, up to the end of the last line. */
function bareScan(file) {
  const fd = openSync(file, "r");
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const kept = [];
  let line = 1;
  for (let count = readSync(fd, buffer); count > 0 && line <= LAST; count = readSync(fd, buffer)) {
    const piece = buffer.subarray(0, count);
    let from = line >= FIRST ? 0 : -1;
    let at = piece.indexOf(NEWLINE);
    for (; at !== -1 && line <= LAST; at = piece.indexOf(NEWLINE, at + 1)) {
      line++;
      if (line === FIRST) from = at + 1;
      if (line > LAST) kept.push(piece.toString("utf8", from, at + 1));
    }
    if (from !== -1 && line >= FIRST && line <= LAST) kept.push(piece.toString("utf8", from));
  }
  closeSync(fd);
  return kept.join("");
}

async function timed(work) {
  const started = performance.now();
  const text = await work();
  const ms = performance.now() - started;
  if (!text.includes(`${String(LAST).padStart(9, "0")} a line`) || text.includes(String(LAST + 1).padStart(9, "0")))
    throw new Error("these are other lines");
  console.log(JSON.stringify({ ms, megabytes: process.resourceUsage().maxRSS / 1024 }));
}

const runs = {
  nothing: async () => console.log(JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 })),
  scan: (file) => timed(() => bareScan(file)),
  async page(file) {
    const gate = await (await built("index.js")).open({ workspace: path.dirname(file), config: {} });
    const args = { path: path.basename(file), offset: FIRST, limit: LAST - FIRST + 1 };
    await timed(async () => (await gate.call({ name: "read_file", args })).output);
    await gate.close();
  },
};

export const tables = ({ quick }) =>
  withFolder(async (folder) => {
    const file = path.join(folder, "huge.txt");
    writeHuge(file);
    const memory = { scan: [], page: [] };
    const inNew = (name, which) => ({
      name,
      run: () => {
        const { ms, megabytes } = once(import.meta.filename, which, file);
        memory[which].push(megabytes);
        return ms;
      },
    });
    const table = await compare({
      title: `Lines ${FIRST} to ${LAST} of a 1 GB file, each time in a new process`,
      unit: "ms",
      cases: [inNew("a bare scan, 64 KiB at a time", "scan"), inNew(PAGE, "page")],
      rounds: quick ? 5 : 15,
      warmups: 1,
      targets: [{ name: PAGE, most: 1.5 }],
    });
    table.targets.push(counted(PAGE, "MB of memory", Math.max(...memory.page), 96));
    const { megabytes } = once(import.meta.filename, "nothing");
    table.notes.push(
      `At their peak Node alone takes ${megabytes.toFixed(0)} MB, the bare scan ${median(memory.scan).toFixed(0)} MB.`,
    );
    return [table];
  });

if (process.argv[1] === import.meta.filename) await runs[process.argv[2]](process.argv[3]);
