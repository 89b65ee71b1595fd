import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { folder } from "../journeys/harness.ts";
import { processes } from "./processes.ts";

const run = processes();
const EACH = 150;

test("two processes that change one file hundreds of times lose nothing", { timeout: 60_000 }, async () => {
  const root = folder();
  const file = path.join(root, "shared.txt");
  writeFileSync(file, "# one\n# two\n");
  const ends = await Promise.all(["one", "two"].map((name) => run("add", root, "shared.txt", name, String(EACH))));
  expect(ends).toEqual(Array(2).fill({ code: 0, signal: null, errors: "" }));
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const wanted = ["one", "two"].flatMap((name) => [
    `# ${name}`,
    ...Array.from({ length: EACH }, (_, n) => `${name} ${n}`),
  ]);
  expect(lines.sort()).toEqual(wanted.sort());
});
