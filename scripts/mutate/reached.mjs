// What the tests of the project reach, collected once a test file and kept until that file changes.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Workshop } from "./workshop.mjs";

const CACHE = "node_modules/.cache/toolgate-mutate";
const LONGEST_MS = 60 * 60_000;

/** Where a file's imports lead does not change what its tests reach. */
const cacheOf = (file) => {
  const text = readFileSync(file, "utf8").replace(/^import .*?from ".*?";$/gms, "");
  return path.join(CACHE, `${createHash("sha1").update(file).update(text).digest("hex")}.json`);
};

const read = (file) => JSON.parse(readFileSync(file, "utf8"));

/** undefined: the time was up. Else [{ file, shared: [key], tests: { id: { reaches: [key], milliseconds } } }], of tests that pass. */
export async function reachedBy(testFiles, { say, fresh = false, deadline }) {
  const missing = testFiles.filter((file) => fresh || !existsSync(cacheOf(file)));
  if (missing.length > 0) {
    say(`looking at what the tests of ${missing.length} files reach …`);
    if (!(await collect(missing, Math.min(LONGEST_MS, deadline - Date.now())))) return undefined;
  }
  return testFiles.filter((file) => existsSync(cacheOf(file))).map((file) => read(cacheOf(file)));
}

async function collect(testFiles, milliseconds) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-reach-"));
  const workshop = new Workshop("reach", { TOOLGATE_REACH: folder });
  try {
    const answer = await workshop.run({ tests: testFiles.map((file) => ({ file })) }, milliseconds);
    for (const { file, tests } of answer?.modules ?? []) {
      const written = path.join(folder, `${file.replaceAll("/", "+")}.json`);
      const found = existsSync(written) ? read(written) : { shared: [], tests: {} };
      const passed = tests.filter(({ state }) => state === "passed");
      const reached = passed.map(({ id, milliseconds }) => [id, { reaches: found.tests[id] ?? [], milliseconds }]);
      writeFileSync(cacheOf(file), JSON.stringify({ file, shared: found.shared, tests: Object.fromEntries(reached) }));
    }
    return answer !== undefined;
  } finally {
    workshop.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
