import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Findings } from "../../src/core/contracts/search.ts";
import { engineNamed } from "../../src/workspaces/lib/search/engines.ts";
import { searchIn } from "../../src/workspaces/lib/search/search.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder } from "../journeys/harness.ts";

const PARTS = 12;
const LEAKS_WANTED = 2;
const MOST_ROUNDS = 400;

/** Puts links in place of folders and the folders back, for as long as it lives. */
const SWAPPER = `
const { renameSync } = require("node:fs");
const { workerData: parts } = require("node:worker_threads");
for (;;) for (const part of parts) {
  renameSync(part, part + ".away");
  renameSync(part + ".link", part);
  renameSync(part, part + ".link");
  renameSync(part + ".away", part);
}`;

/** A workspace in which each `deep/part` is sometimes its own folder and sometimes a link to one outside. */
function swapped(): { dir: string; stop(): Promise<unknown> } {
  const dir = folder();
  const outside = folder();
  const fill = (at: string, word: string): void => {
    for (const below of ["same.txt", `${word}.txt`, `sub/${word}.txt`, "sub/lower/same.txt"]) {
      mkdirSync(path.dirname(path.join(at, below)), { recursive: true });
      writeFileSync(path.join(at, below), `${word} before\nneedle ${word}\n${word} after\n`);
    }
  };
  fill(outside, "OUTSIDE");
  const parts = Array.from({ length: PARTS }, (_, at) => path.join(dir, `deep/part${at}`));
  for (const part of parts) {
    fill(part, "INSIDE");
    symlinkSync(outside, `${part}.link`);
  }
  const worker = new Worker(SWAPPER, { eval: true, workerData: parts });
  const stop = () => worker.terminate();
  onTestFinished(async () => void (await stop()));
  return { dir, stop };
}

/** The same search by a program that opens by path: what it finds outside shows that the race is on. */
const leaks = (dir: string): boolean =>
  spawnSync(rgPath, ["--no-config", "-j4", "needle", "deep"], { cwd: dir, encoding: "utf8" }).stdout.includes(
    "OUTSIDE",
  );

/** Goes on until the race was lost often enough by those that do not look. */
async function whileRacing(dir: string, search: () => Promise<string>): Promise<string> {
  const said: string[] = [];
  let leaked = 0;
  for (let round = 0; round < MOST_ROUNDS && leaked < LEAKS_WANTED; round += 1) {
    if (leaks(dir)) leaked += 1;
    said.push(await search());
  }
  expect(leaked).toBe(LEAKS_WANTED);
  return said.join("\n");
}

describe("a folder that is swapped for a link to another one while it is searched", () => {
  const CALLS: [string, object][] = [
    ["grep", { pattern: "needle", context_lines: 1, max_results: 1000 }],
    ["grep", { pattern: "needle", path: "deep/part3/sub", mode: "files" }],
    ["grep", { pattern: "needle", mode: "count" }],
    ["search_code", { pattern: "OUTSIDE|INSIDE", max_results: 1000 }],
    ["find_files", { pattern: "**/*.txt", max_results: 1000 }],
    ["find_files", { pattern: "*SIDE*", path: "deep/part5" }],
    ["list_files", { path: "deep", recursive: true, max_entries: 1000 }],
    ["list_files", { path: "deep/part3/sub" }],
    ["list_files", { path: "deep/part5" }],
  ];

  test("shows no name and no content of it, by any tool", { timeout: 120_000 }, async () => {
    const { dir, stop } = swapped();
    const one = await bench({}, { dir });
    const said = await whileRacing(dir, async () => {
      const outputs: string[] = [];
      for (const [name, args] of CALLS) outputs.push((await one.call(name, args)).output);
      // the question itself holds the word
      return outputs.join("\n").replaceAll("OUTSIDE|INSIDE", "");
    });
    expect(said).not.toContain("OUTSIDE");
    expect(said).toMatch(/needle INSIDE/);
    await stop();
    const calm = await one.call("grep", { pattern: "needle", path: "deep", max_results: 1000 });
    expect(calm).toMatchObject({ success: true });
  });

  test.each(["ripgrep", "walk"])("shows none of it by %s alone", { timeout: 120_000 }, async (name) => {
    const { dir } = swapped();
    const workspace = localWorkspace({ root: dir });
    const engine = await engineNamed(name, [dir]);
    if (!engine) throw new Error(`${name} is not here`);
    const search = searchIn({ files: workspace.files, roots: [dir], engine });
    const all = async (findings: Findings<unknown>): Promise<string> => {
      const found: unknown[] = [];
      for await (const each of findings) found.push(each);
      return JSON.stringify(found);
    };
    const said = await whileRacing(dir, async () => {
      const place = await workspace.locate(".");
      return [
        await all(search.lines(place, { pattern: "needle", context: 1 })),
        await all(search.files(place, { globs: ["**/*.txt"] })),
      ].join("\n");
    });
    expect(said).not.toContain("OUTSIDE");
    expect(said).toContain("needle INSIDE");
  });
});
