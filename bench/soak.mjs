// node bench/soak.mjs [CALLS]: makes very many calls through one gate, and says whether memory and the store stay small.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { built, withFolder } from "./lib/place.mjs";

const CALLS = Number(process.argv[2] ?? 100_000);
const STEPS = 10;
const MEGABYTE = 1_048_576;
/** How much more the second half may hold than the first half did at its end. */
const MOST_HEAP_GROWTH = 24 * MEGABYTE;
const MOST_STORE_BYTES_A_CALL = 4_096;
const JOURNAL = "32MB";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size, 0);

/** Mostly reads, as agents do; every tenth call changes a file, and some fail. */
function callOf(index) {
  if (index % 10 === 0) return { name: "write_file", args: { path: `f${index % 50}.txt`, content: `${index}\n` } };
  if (index % 97 === 0) return { name: "read_file", args: { path: "missing.txt", offset: index } };
  return { name: "read_file", args: { path: `f${index % 50}.txt`, offset: 1, limit: 1 + (index % 200) } };
}

await withFolder(async (folder) => {
  const { open } = await built("index.js");
  for (let file = 0; file < 50; file++) writeFileSync(path.join(folder, `f${file}.txt`), "0\n");
  const config = { loops: "off", journal: { max_size: JOURNAL } };
  const gate = await open({ workspace: folder, mode: "yolo", config });
  const heaps = [];
  const started = performance.now();
  for (let index = 0; index < CALLS; index++) {
    await gate.call(callOf(index));
    if ((index + 1) % Math.floor(CALLS / STEPS) !== 0) continue;
    collect();
    heaps.push(process.memoryUsage().heapUsed);
    const { rss } = process.memoryUsage();
    const store = sizeOf(path.join(folder, ".toolgate"));
    const perCall = ((performance.now() - started) / (index + 1)).toFixed(2);
    console.log(
      `${index + 1} calls: heap ${(heaps.at(-1) / MEGABYTE).toFixed(1)} MB, process ${(rss / MEGABYTE).toFixed(0)} MB, store ${(store / MEGABYTE).toFixed(1)} MB, ${perCall} ms a call`,
    );
  }
  await gate.close();
  const growth = heaps.at(-1) - heaps[Math.floor(heaps.length / 2) - 1];
  const each = sizeOf(path.join(folder, ".toolgate")) / CALLS;
  const isFlat = growth <= MOST_HEAP_GROWTH && each <= MOST_STORE_BYTES_A_CALL;
  console.log(
    `${isFlat ? "met    " : "NOT MET"}  heap of the second half grew by ${(growth / MEGABYTE).toFixed(1)} MB; the store holds ${each.toFixed(0)} bytes a call`,
  );
  process.exitCode = isFlat ? 0 : 1;
});
