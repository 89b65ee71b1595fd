import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { grep } from "./grep.ts";
import { cutLine } from "./lib/search-shown.ts";
import { searchCode } from "./search-code.ts";

const tools = [grep, searchCode];
const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "src/b.ts": "const one = 1;\nconst two = one;\n",
  "src/c.js": "ONE\n",
  "skip.log": "one\n",
  ".gitignore": "*.log\n",
  "bin.dat": "one\0\n",
};
const gate = (files: Record<string, string | Uint8Array> = FILES, config = {}) =>
  bench(files, { store: "memory", tools, config });

describe("what grep shows", () => {
  const rows: [what: string, args: Record<string, unknown>, output: string][] = [
    [
      "hits by file",
      { pattern: "one" },
      "a.txt\n1:one\n\nsrc/b.ts\n1:const one = 1;\n2:const two = one;\n\n[3 hits in 2 files.]",
    ],
    [
      "ignored files too",
      { pattern: "one", glob: "*.{log,txt}", no_ignore: true },
      "a.txt\n1:one\n\nskip.log\n1:one\n\n[2 hits in 2 files.]",
    ],
    [
      "ignored files too, and nothing",
      { pattern: "four", no_ignore: true },
      "No line matches four in the workspace. Binary files were not searched.",
    ],
    ["one hit", { pattern: "^three$" }, "a.txt\n3:three\n\n[1 hit in 1 file.]"],
    [
      "context",
      { pattern: "two", path: "a.txt", context_lines: 1 },
      "a.txt\n1-one\n2:two\n3-three\n\n[1 hit in 1 file.]",
    ],
    ["files", { pattern: "one", mode: "files" }, "a.txt\nsrc/b.ts\n\n[2 files.]"],
    ["counts", { pattern: "one", mode: "count" }, "a.txt:1\nsrc/b.ts:2\n\n[3 hits in 2 files.]"],
    [
      "the limit",
      { pattern: "one", path: "src/b.ts", max_results: 1 },
      "src/b.ts\n1:const one = 1;\n\n[First 1 hit; more exist: narrow the pattern or raise max_results.]",
    ],
    [
      "exactly the limit",
      { pattern: "one", max_results: 3 },
      "a.txt\n1:one\n\nsrc/b.ts\n1:const one = 1;\n2:const two = one;\n\n[3 hits in 2 files.]",
    ],
    [
      "the limit with context",
      { pattern: "o", path: "a.txt", context_lines: 1, max_results: 1 },
      "a.txt\n1:one\n\n[First 1 hit; more exist: narrow the pattern or raise max_results.]",
    ],
    [
      "the limit of counts",
      { pattern: "one", mode: "count", max_results: 1 },
      "a.txt:1\n\n[3 hits in 2 files; 1 of them shown: raise max_results.]",
    ],
    ["no case", { pattern: "one", path: "src/c.js", case_sensitive: false }, "src/c.js\n1:ONE\n\n[1 hit in 1 file.]"],
    ["a glob", { pattern: "one", glob: "*.ts", mode: "files" }, "src/b.ts\n\n[1 file.]"],
    ["several globs", { pattern: "one", glob: ["*.ts", "*.txt"], mode: "files" }, "a.txt\nsrc/b.ts\n\n[2 files.]"],
    ["not below", { pattern: "one", recursive: false, mode: "files" }, "a.txt\n\n[1 file.]"],
    [
      "an invalid pattern",
      { pattern: "two = one;(" },
      "No line matches two = one;( in the workspace. Ignored (.gitignore) and binary files were not searched.\n\n[The pattern is not a valid regular expression and was searched for as text.]",
    ],
    [
      "nothing",
      { pattern: "four", path: "src" },
      "No line matches four in src. Ignored (.gitignore) and binary files were not searched.",
    ],
    [
      "nothing in such files",
      { pattern: "four", glob: "*.ts" },
      "No line matches four in the workspace in files that match *.ts. Ignored (.gitignore) and binary files were not searched.",
    ],
    [
      "no such files",
      { pattern: "one", glob: "*.rs" },
      "No file in the workspace matches *.rs, so nothing was searched.",
    ],
    ["text", { pattern: "one;", literal: true }, "src/b.ts\n2:const two = one;\n\n[1 hit in 1 file.]"],
  ];
  test.each(rows)("%s", async (_, args, output) => {
    const { call } = await gate();
    const result = await call("grep", args);
    expect(result.error).toBeUndefined();
    expect(result.output).toBe(output);
  });

  test("the limit of files", async () => {
    const { call } = await gate();
    const { output, metadata } = await call("grep", { pattern: "one", mode: "files", max_results: 1 });
    expect(output).toMatch(
      /^(a\.txt|src\/b\.ts)\n\n\[First 1 file; more exist: narrow the pattern or raise max_results\.\]$/,
    );
    expect(metadata).toMatchObject({ files: 1, more: true });
  });

  test("long lines are cut around the hit, and it is said", async () => {
    const { call } = await gate({ "long.js": `${"x".repeat(5_000)}needle${"y".repeat(5_000)}\n` });
    const { output } = await call("grep", { pattern: "needle" });
    expect(output).toContain("needle");
    expect(output).toContain(" [500 of 10006 characters]");
    expect(output).toContain("[1 hit in 1 file. 1 long line cut around the hit.]");
    expect(output.length).toBeLessThan(700);
  });

  test("100 hits unless told otherwise", async () => {
    const { call } = await gate({ many: "hit\n".repeat(300) });
    const { output, metadata } = await call("grep", { pattern: "hit" });
    expect(output.match(/:hit$/gm)).toHaveLength(100);
    expect(metadata).toMatchObject({ hits: 100, more: true });
    expect((await call("grep", { pattern: "hit", max_results: 300 })).metadata).toMatchObject({
      hits: 300,
      more: false,
    });
  });

  test("what may not be read is left out and counted", async () => {
    const { call } = await gate(FILES, { workspace: { forbidden_paths: ["src/b.ts"] } });
    const { output, metadata } = await call("grep", { pattern: "one" });
    expect(output).toBe("a.txt\n1:one\n\n[1 hit in 1 file. 1 file left out: this call may not read it.]");
    expect(metadata).toMatchObject({ excluded: 1 });
  });

  test("by the names that models were trained on", async () => {
    const { call } = await gate();
    const wanted = (await call("grep", { pattern: "one", mode: "files" })).output;
    for (const [name, args] of [
      ["Grep", { pattern: "one", output_mode: "files_with_matches" }],
      ["content_search", { query: "one", mode: "files", path: "." }],
      ["grep", { text: "one", mode: "files", include: "*" }],
      ["grep", { pattern: "one", mode: "files", globs: ["*"] }],
      ["grep", { pattern: "one", mode: "files", file_pattern: "*.{ts,txt}" }],
    ] as const)
      expect((await call(name, args)).output).toBe(wanted);
    const ignoring = await call("Grep", { pattern: "ONE", "-i": true, output_mode: "count" });
    expect(ignoring.metadata).toMatchObject({ hits: 4 });
    expect((await call("Grep", { pattern: "two", path: "a.txt", "-C": 1 })).output).toContain("1-one");
  });
});

describe("what grep refuses", () => {
  const rows: [what: string, args: Record<string, unknown>, status: string, says: RegExp][] = [
    ["a missing place", { pattern: "x", path: "srv" }, "failed", /srv does not exist/],
    ["a place outside", { pattern: "x", path: "../x" }, "refused", /outside/],
    ["a line break", { pattern: "a\nb" }, "failed", /line break/],
    ["no pattern", {}, "invalid", /pattern/],
    ["a wrong mode", { pattern: "x", mode: "all" }, "invalid", /mode/],
    ["a wrong glob", { pattern: "x", glob: [1, {}] }, "invalid", /glob/],
  ];
  test.each(rows)("%s", async (_, args, status, says) => {
    const { call } = await gate();
    const { status: ended, error } = await call("grep", args);
    expect(ended).toBe(status);
    expect(error?.message).toMatch(says);
  });

  test("a missing place is told with what may have been meant", async () => {
    const { call } = await gate();
    expect((await call("grep", { pattern: "x", path: "scr" })).error?.hint).toContain("src");
  });

  test("nothing reaches a shell", async () => {
    const { call, text } = await gate();
    for (const pattern of ["$(touch pwned)", '"; touch pwned; "', "`touch pwned`"])
      for (const name of ["grep", "search_code"]) expect((await call(name, { pattern })).success).toBe(true);
    expect(text("pwned")).toBeUndefined();
  });
});

describe("search_code", () => {
  test("shows two lines of context and 50 hits", async () => {
    const { call } = await gate({ "f.ts": "1\n2\n3\nhit\n5\n6\n7\n" });
    expect((await call("search_code", { pattern: "hit" })).output).toBe(
      "f.ts\n2-2\n3-3\n4:hit\n5-5\n6-6\n\n[1 hit in 1 file.]",
    );
    const many = await gate({ "f.ts": "hit\n".repeat(60) });
    expect((await many.call("search_code", { query: "hit" })).metadata).toMatchObject({ hits: 50, more: true });
  });
});

describe("cutLine", () => {
  const rows: [text: string, at: number, shown: RegExp][] = [
    ["short", 2, /^short$/],
    ["x".repeat(500), 0, /^x{500}$/],
    [`${"x".repeat(500)}y`, 0, /^x{500}… \[500 of 501 characters\]$/],
    [`${"x".repeat(500)}y`, 500, /^…x{499}y \[500 of 501 characters\]$/],
    [`${"x".repeat(400)}hit${"y".repeat(600)}`, 400, /^…x{100}hity{397}… \[500 of 1003 characters\]$/],
    [`${"😀".repeat(300)}hit${"😀".repeat(300)}`, 601, /^…(😀){49}hit/u],
  ];
  test.each(rows)("%#", (text, at, shown) => {
    const cut = cutLine({ text, at });
    expect(cut).toMatch(shown);
    expect(/\p{Surrogate}/u.test(cut)).toBe(false);
  });
  test("what an engine left out counts too", () => {
    expect(cutLine({ text: "abc", at: 0, left: 10 })).toBe("abc [3 of 13 characters]");
  });
});

test("in a dry run a search sees what was planned", async () => {
  const { call } = await bench(FILES, { store: "memory", tools, dryRun: true });
  await call("write_file", { path: "new.txt", content: "one more\n" });
  expect((await call("grep", { pattern: "one more" })).output).toContain("new.txt");
});

describe("arguments that narrow", () => {
  const files = { "a.ts": "1\n2\nhit\n4\n5\n", "b.py": "hit\n", "c.tsx": "x\nhit\n", "d.md": "two\nlines hit\n" };
  test.each<[args: object, shown: string]>([
    [{ before: 1, path: "a.ts" }, "a.ts\n2-2\n3:hit"],
    [{ after: 2, path: "a.ts" }, "a.ts\n3:hit\n4-4\n5-5"],
    [{ before: 2, after: 0, path: "a.ts" }, "a.ts\n1-1\n2-2\n3:hit"],
    [{ "-A": 1, "-B": 1, path: "a.ts" }, "a.ts\n2-2\n3:hit\n4-4"],
    [{ context_lines: 1, after: 0, path: "a.ts" }, "a.ts\n2-2\n3:hit"],
    [{ type: "py" }, "b.py\n1:hit"],
    [{ type: "ts", glob: "*.tsx" }, "c.tsx\n2:hit"],
    [{ type: "typescript", mode: "files" }, "a.ts\nc.tsx"],
    [{ type: "ts", glob: "!a.*", mode: "files" }, "c.tsx"],
    [{ glob: "*.py, *.tsx", mode: "files" }, "b.py\nc.tsx"],
    [{ exclude: ["*.ts", "*.py", "*.md"], mode: "files" }, "c.tsx"],
    [{ glob: ["*.ts", "*.py"], exclude: "a.*", mode: "files" }, "b.py"],
    [{ pattern: "two\\nlines", multiline: true }, "d.md\n1:two\n2:lines hit"],
    [{ "-w": true, pattern: "hi", mode: "files" }, "No line matches"],
  ])("%j", async (args, shown) => {
    const { call } = await bench(files, { store: "memory", sandbox: "off" });
    const { output } = await call("grep", { pattern: "hit", ...args });
    expect(output.startsWith(`${shown}`)).toBe(true);
    expect(output.slice(shown.length)).toMatch(/^(?:$|\n\n\[| )/);
  });

  test("lines around hits are asked for in search_code, too, on one side alone", async () => {
    const { call } = await bench(files, { store: "memory", sandbox: "off" });
    const { output } = await call("search_code", { pattern: "hit", path: "a.ts", after: 1 });
    expect(output).toMatch(/^a\.ts\n3:hit\n4-4\n\n/);
  });

  test("a type that nobody knows is refused, and a pattern over lines names the way", async () => {
    const { call } = await bench(files, { store: "memory", sandbox: "off" });
    const unknown = await call("grep", { pattern: "hit", type: "cobol85" });
    expect(unknown.error).toMatchObject({ code: "VALIDATION_ERROR", message: "There is no file type cobol85." });
    const lines = await call("grep", { pattern: "two\\nlines" });
    expect(lines.error?.hint).toContain("multiline: true");
  });
});
