// What the tests of the project reach, collected once a test file and kept until that file changes.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Workshop } from "./workshop.mjs";

const CACHE = "node_modules/.cache/toolgate-mutate";
const LONGEST_MS = 60 * 60_000;
const GROUP = 4;
/** Of all the time, the part that may be spent before the first mutant. */
const SHARE = 0.6;

/** Where a file's imports lead does not change what its tests reach. */
const cacheOf = (file) => {
  const text = readFileSync(file, "utf8").replace(/^import .*?from ".*?";$/gms, "");
  return path.join(CACHE, `${createHash("sha1").update(file).update(text).digest("hex")}.json`);
};

const read = (file) => JSON.parse(readFileSync(file, "utf8"));

/**
 * [{ file, shared: [key], tests: { id: { reaches: [key], milliseconds } } }], of tests that pass; where time is short,
 * of the first files only.
 */
export async function reachedBy(testFiles, { say, fresh = false, deadline }) {
  const missing = testFiles.filter((file) => fresh || !existsSync(cacheOf(file)));
  if (missing.length > 0) await collect(missing, Date.now() + SHARE * (deadline - Date.now()), say);
  return testFiles.filter((file) => existsSync(cacheOf(file))).map((file) => read(cacheOf(file)));
}

/** In groups, so that what is known when the time is up can be used. */
async function collect(testFiles, until, say) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-reach-"));
  const workshop = new Workshop("reach", { TOOLGATE_REACH: folder });
  try {
    for (let from = 0; from < testFiles.length && Date.now() < until; from += GROUP) {
      say(`looking at what the tests of ${testFiles.length - from} files reach …`);
      const tests = testFiles.slice(from, from + GROUP).map((file) => ({ file }));
      const answer = await workshop.run({ tests }, Math.min(LONGEST_MS, until - Date.now()));
      for (const module of answer?.modules ?? []) keep(module, folder);
    }
  } finally {
    workshop.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function keep({ file, tests }, folder) {
  const written = path.join(folder, `${file.replaceAll("/", "+")}.json`);
  const found = existsSync(written) ? read(written) : { shared: [], tests: {} };
  const passed = tests.filter(({ state }) => state === "passed");
  const reached = passed.map(({ id, milliseconds }) => [id, { reaches: found.tests[id] ?? [], milliseconds }]);
  writeFileSync(cacheOf(file), JSON.stringify({ file, shared: found.shared, tests: Object.fromEntries(reached) }));
}
