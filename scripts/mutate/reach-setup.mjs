// Runs before every test file while reach is collected: keeps apart what each test reaches.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";

const shared = new Set();
const tests = {};
let current = shared;
let file;
globalThis.__reach = (key) => current.add(key);

beforeEach(({ task }) => {
  file = task.file.filepath;
  current = new Set();
});

afterEach(({ task }) => {
  tests[task.id] = [...current];
  current = shared;
});

afterAll(() => {
  if (!file) return;
  const folder = process.env.TOOLGATE_REACH;
  mkdirSync(folder, { recursive: true });
  const name = path.relative(process.cwd(), file);
  writeFileSync(
    path.join(folder, `${name.replaceAll("/", "+")}.json`),
    JSON.stringify({ file: name, shared: [...shared], tests }),
  );
});
