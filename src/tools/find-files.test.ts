import { utimesSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { findFiles } from "./find-files.ts";

const tools = [findFiles];
const FILES = {
  "old.ts": "",
  "src/new.ts": "",
  "src/deep/mid.tsx": "",
  "x.md": "",
  ".gitignore": "*.log\n",
  "a.log": "",
};

async function gate(config = {}) {
  const made = await bench(FILES, { store: "memory", tools, config });
  for (const [at, name] of ["old.ts", "src/deep/mid.tsx", "src/new.ts"].entries())
    utimesSync(path.join(made.dir, name), 1_000 + at, 1_000 + at);
  return made;
}

const rows: [what: string, args: Record<string, unknown>, output: string][] = [
  ["newest first", { pattern: "**/*.{ts,tsx}" }, "src/new.ts\nsrc/deep/mid.tsx\nold.ts\n\n[3 files, newest first.]"],
  ["all, without a pattern", { path: "src" }, "src/new.ts\nsrc/deep/mid.tsx\n\n[2 files, newest first.]"],
  ["all, by no pattern", { path: "src", pattern: null }, "src/new.ts\nsrc/deep/mid.tsx\n\n[2 files, newest first.]"],
  ["all, by no globs", { path: "src", globs: null }, "src/new.ts\nsrc/deep/mid.tsx\n\n[2 files, newest first.]"],
  [
    "all, by an empty pattern",
    { path: "src", pattern: "" },
    "src/new.ts\nsrc/deep/mid.tsx\n\n[2 files, newest first.]",
  ],
  ["all of one folder", { path: "src", recursive: false }, "src/new.ts\n\n[1 file.]"],
  ["not below the folder", { pattern: "**/*.ts*", recursive: false }, "old.ts\n\n[1 file.]"],
  ["ignored ones too", { pattern: "*.log", no_ignore: true }, "a.log\n\n[1 file.]"],
  ["ignored ones too, and none", { pattern: "*.zip", no_ignore: true }, "No file in the workspace matches *.zip."],
  [
    "a choice of places",
    { pattern: "{**/*.tsx,src/*.ts}" },
    "src/new.ts\nsrc/deep/mid.tsx\n\n[2 files, newest first.]",
  ],
  ["a choice of one", { pattern: "*.{ts}" }, "src/new.ts\nold.ts\n\n[2 files, newest first.]"],
  [
    "a choice within a choice",
    { pattern: "{old,{new,mid}}.{ts{,x}}" },
    "src/new.ts\nsrc/deep/mid.tsx\nold.ts\n\n[3 files, newest first.]",
  ],
  ["a range", { pattern: "{w..y}.md" }, "x.md\n\n[1 file.]"],
  ["without a choice", { pattern: ["*.ts*", "!{src/deep/**,old.*}"] }, "src/new.ts\n\n[1 file.]"],
  ["a name at any depth", { pattern: "mid.tsx" }, "src/deep/mid.tsx\n\n[1 file.]"],
  ["a folder's own", { pattern: "src/*" }, "src/new.ts\n\n[1 file.]"],
  ["from a folder", { pattern: "*.ts", path: "src" }, "src/new.ts\n\n[1 file.]"],
  ["several", { pattern: ["*.md", "old.*"] }, "x.md\nold.ts\n\n[2 files, newest first.]"],
  ["without some", { globs: ["*.ts", "!src/**"] }, "old.ts\n\n[1 file.]"],
  [
    "the limit",
    { pattern: "*.ts*", max_results: 1 },
    "src/new.ts\n\n[1 of 3 files, newest first: narrow the pattern or raise max_results.]",
  ],
  [
    "nothing",
    { pattern: "*.rs" },
    "No file in the workspace matches *.rs. Ignored files (.gitignore) were not searched; no_ignore: true searches them too.",
  ],
  [
    "what is ignored",
    { pattern: "*.log", path: "src" },
    "No file in src matches *.log. Ignored files (.gitignore) were not searched; no_ignore: true searches them too.",
  ],
];
test.each(rows)("%s", async (_, args, output) => {
  const { call } = await gate();
  const result = await call("find_files", args);
  expect(result.error).toBeUndefined();
  expect(result.output).toBe(output);
});

describe("refused", () => {
  const refused: [what: string, args: Record<string, unknown>, status: string, says: RegExp][] = [
    ["too many choices", { pattern: "{1..9999}.ts" }, "failed", /too complicated/],
    ["a missing folder", { pattern: "*", path: "scr" }, "failed", /scr does not exist/],
    ["a file", { pattern: "*", path: "x.md" }, "failed", /x\.md is a file/],
    ["a folder outside", { pattern: "*", path: "../x" }, "refused", /outside/],
  ];
  test.each(refused)("%s", async (_, args, status, says) => {
    const { call } = await gate();
    const result = await call("find_files", args);
    expect([result.status, result.error?.message]).toEqual([status, expect.stringMatching(says)]);
  });
});

test("what may not be read is left out and counted; other names work", async () => {
  const { call } = await gate({ workspace: { forbidden_paths: ["src/deep"] } });
  for (const name of ["Glob", "glob", "search_files", "glob_search"])
    expect((await call(name, { pattern: "**/*.tsx" })).output).toBe(
      "No file in the workspace matches **/*.tsx. Ignored files (.gitignore) were not searched; no_ignore: true searches them too.\n\n[1 file left out: this call may not read it.]",
    );
});
