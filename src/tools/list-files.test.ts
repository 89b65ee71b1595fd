import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { listFiles } from "./list-files.ts";

const FILES = {
  "b.txt": "12345",
  "a.ts": "x".repeat(1536),
  "src/c.ts": "1",
  "src/deep/d.ts": "12",
  "z/e.md": "",
  ".hidden": "1",
  "out.log": "1",
  ".gitignore": "*.log\n",
};
const gate = async (config = {}) => {
  const made = await bench(FILES, { store: "memory", tools: [listFiles], config });
  symlinkSync("b.txt", path.join(made.dir, "link"));
  return made;
};

const rows: [what: string, args: Record<string, unknown>, output: string][] = [
  [
    "a folder",
    {},
    "src/\nz/\n.gitignore\t6 bytes\n.hidden\t1 byte\na.ts\t1.5 KB\nb.txt\t5 bytes\nlink (link)\nout.log\t1 byte",
  ],
  ["another folder", { path: "src" }, "src/deep/\nsrc/c.ts\t1 byte"],
  ["another folder, spelled otherwise", { path: "./z/../src/" }, "src/deep/\nsrc/c.ts\t1 byte"],
  ["a folder in a folder", { path: "src/deep" }, "src/deep/d.ts\t2 bytes"],
  ["a choice of one", { pattern: "*.{ts}" }, "a.ts\t1.5 KB"],
  ["a choice", { pattern: "{a,b}.{ts,txt}" }, "a.ts\t1.5 KB\nb.txt\t5 bytes"],
  ["case counts", { pattern: "*.TS" }, "(nothing matches *.TS)"],
  ["not below", { pattern: "**/*.ts", recursive: false }, "a.ts\t1.5 KB"],
  ["all below, ignored too", { recursive: true, pattern: "*.log", no_ignore: true }, "out.log\t1 byte"],
  ["all below, a choice of places", { pattern: "{src/*.ts,z/**}" }, "src/c.ts\t1 byte\nz/e.md\t0 bytes"],
  ["the limit", { max_entries: 2 }, "src/\nz/\n\n[2 of 8 entries: narrow it or raise max_entries.]"],
  ["a pattern", { pattern: "*.ts" }, "a.ts\t1.5 KB"],
  ["a pattern that fits nothing", { pattern: "*.rs" }, "(nothing matches *.rs)"],
  [
    "all below",
    { recursive: true },
    ".gitignore\t6 bytes\n.hidden\t1 byte\na.ts\t1.5 KB\nb.txt\t5 bytes\nsrc/c.ts\t1 byte\nsrc/deep/d.ts\t2 bytes\nz/e.md\t0 bytes",
  ],
  ["all below a folder", { path: "src", recursive: true }, "src/c.ts\t1 byte\nsrc/deep/d.ts\t2 bytes"],
  [
    "all below, a pattern",
    { recursive: true, pattern: "*.ts" },
    "a.ts\t1.5 KB\nsrc/c.ts\t1 byte\nsrc/deep/d.ts\t2 bytes",
  ],
  ["a pattern with folders", { pattern: "src/**/*.ts" }, "src/c.ts\t1 byte\nsrc/deep/d.ts\t2 bytes"],
  [
    "all below, the limit",
    { recursive: true, pattern: "*.ts", limit: 1 },
    "a.ts\t1.5 KB\n\n[1 of 3 files, the shallowest: narrow it or raise max_entries.]",
  ],
];
test.each(rows)("%s", async (_, args, output) => {
  const { call } = await gate();
  const result = await call("list_files", args);
  expect(result.error).toBeUndefined();
  expect(result.output).toBe(output);
});

describe("refused", () => {
  const refused: [what: string, args: Record<string, unknown>, status: string, says: RegExp][] = [
    ["a missing folder", { path: "scr" }, "failed", /scr does not exist/],
    ["a file", { path: "a.ts" }, "failed", /a\.ts is a file/],
    ["too many stars", { exclude: "*a*a*a*{b,c}" }, "failed", /The glob \*a\*a\*a\*\{b,c\} is too complicated/],
    ["too long a glob", { exclude: "a".repeat(5_000) }, "failed", /is too long/],
    ["a folder outside", { path: "../x" }, "refused", /outside/],
  ];
  test.each(refused)("%s", async (_, args, status, says) => {
    const { call } = await gate();
    const result = await call("list_files", args);
    expect([result.status, result.error?.message]).toEqual([status, expect.stringMatching(says)]);
  });
});

test("an empty folder; other names", async () => {
  const { call, put } = await gate();
  put("empty/x/y", "");
  for (const name of ["list", "ls", "LS", "list_directory", "list_dir"])
    expect((await call(name, { path: "empty/x" })).output).toBe("empty/x/y\t0 bytes");
});

test("from the root on, however the folder is spelled", async () => {
  const { call, dir } = await gate();
  for (const folder of ["src", "./src", "src/", "z/../src", `${dir}/src`, `${dir}/./src/`])
    expect((await call("list_files", { path: folder })).output).toBe("src/deep/\nsrc/c.ts\t1 byte");
  for (const folder of [".", "./", dir, "src/.."])
    expect((await call("list_files", { path: folder, pattern: "a*" })).output).toBe("a.ts\t1.5 KB");
});

test.each([{}, { recursive: true }])("what may not be read is left out and counted: %j", async (args) => {
  const { call } = await gate({ workspace: { forbidden_paths: ["b.txt"] } });
  const { output } = await call("list_files", args);
  expect(output).not.toContain("b.txt");
  expect(output).toContain("[1 file left out: this call may not read it.]");
});
