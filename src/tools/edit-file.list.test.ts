import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { memoryStore } from "../stores/memory.ts";

type Args = Record<string, unknown>;
const rows = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

describe("several edits at once", () => {
  test.each<[what: string, before: string, args: Args, after: string]>([
    [
      "one after the other",
      "a\nb\nc\n",
      {
        edits: [
          { old_str: "a", new_str: "1" },
          { old_str: "c", new_str: "3" },
        ],
      },
      "1\nb\n3\n",
    ],
    [
      "beside null for the text of a single one",
      "a\n",
      { old_str: null, new_str: null, edits: [{ old_str: "a", new_str: "1" }] },
      "1\n",
    ],
    [
      "each in what the ones before it made",
      "a\nb\n",
      {
        edits: [
          { old_str: "a", new_str: "x\ny" },
          { old_str: "y\nb", new_str: "z" },
        ],
      },
      "x\nz\n",
    ],
    [
      "all of several places in one of them",
      "a b a\nc\n",
      {
        edits: [
          { old_str: "a", new_str: "x", replace_all: true },
          { old_str: "c", new_str: "d" },
        ],
      },
      "x b x\nd\n",
    ],
    [
      "by other names",
      "a\nb\n",
      {
        edits: [
          { old_string: "a", newString: "1" },
          { search: "b", replace: "2", all: false },
        ],
      },
      "1\n2\n",
    ],
    [
      "with what changes nothing",
      "a\n",
      { edits: [{ old_str: "a", new_str: "b", dry_run: false, expected_replacements: 1, reason: "x", line: null }] },
      "b\n",
    ],
    ["as JSON, with a word for a yes", "a a\n", { edits: '[{"old":"a","new":"2","all":"true"}]' }, "2 2\n"],
    ["as JSON", "a\nb\n", { edits: JSON.stringify([{ old_str: "b", new_str: "2" }]) }, "a\n2\n"],
    ["beside empty texts", "a\n", { old_str: "", new_str: "", edits: [{ old_str: "a", new_str: "b" }] }, "b\n"],
    [
      "with CRLF, a mark and another encoding",
      "\uFEFFa\r\nb\r\n",
      {
        edits: [
          { old_str: "a\nb", new_str: "a\nx\nb" },
          { old_str: "b\n", new_str: "é\n" },
        ],
      },
      "\uFEFFa\r\nx\r\né\r\n",
    ],
    [
      "lines of hints are those of the file as it was",
      rows("x", "a", "y", "a", "z", "a"),
      {
        edits: [
          { old_str: "x\n", new_str: "1\n2\n3\n4\n5\n" },
          { old_str: "a", new_str: "b", line: 4 },
          { old_str: "a", new_str: "c", line: 6 },
        ],
      },
      rows("1", "2", "3", "4", "5", "a", "y", "b", "z", "c"),
    ],
    [
      "and of lines that went",
      rows("1", "2", "3", "a", "y", "y", "a"),
      {
        edits: [
          { old_str: "1\n2\n3\n", new_str: "" },
          { old_str: "a", new_str: "b", line: 7 },
        ],
      },
      rows("a", "y", "y", "b"),
    ],
  ])("%s", async (_, before, args, after) => {
    const { call, dir } = await bench({ f: before }, { store: "memory" });
    const result = await call("edit_file", { path: "f", ...args });
    expect(result.error).toBeUndefined();
    expect(readFileSync(path.join(dir, "f"), "utf8")).toBe(after);
    await call("undo_file", { path: "f" });
    expect(readFileSync(path.join(dir, "f"), "utf8")).toBe(before);
  });

  test.each<[what: string, args: Args, status: string, says: RegExp]>([
    [
      "the second is nowhere",
      {
        edits: [
          { old_str: "a", new_str: "1" },
          { old_str: "zebra", new_str: "2" },
        ],
      },
      "failed",
      /^Edit 2 of 2 failed, so none was made: old_str was not found in f/,
    ],
    [
      "the second fits what the first wrote, and more",
      {
        edits: [
          { old_str: "a", new_str: "b" },
          { old_str: "b", new_str: "2" },
        ],
      },
      "failed",
      /^Edit 2 of 2 failed.* fits 2 places/,
    ],
    [
      "an empty old text in a file with text",
      {
        edits: [
          { old_str: "a", new_str: "b" },
          { old_str: "", new_str: "2" },
        ],
      },
      "failed",
      /is empty/,
    ],
    ["one leaves lines out", { edits: [{ old_str: "a", new_str: "// ..." }] }, "failed", /left out/],
    ["without a new text", { edits: [{ old_str: "a" }] }, "invalid", /edits\[0\]\.new_str is required/],
    ["no edits, no texts", { edits: [] }, "invalid", /old_str is required/],
    [
      "a list and a text",
      { old_str: "a", new_str: "b", edits: [{ old_str: "a", new_str: "c" }] },
      "failed",
      /edits and/,
    ],
    ...(
      [
        ["dry_run", true, /dry_run of entry 1: a call is never a dry run/],
        ["dryRun", true, /dryRun of entry 1/],
        ["use_regex", true, /use_regex of entry 1: only exact text/],
        ["expected_replacements", 2, /expected_replacements of entry 1/],
        ["only_first", true, /edits\[0\]\.only_first is not accepted/],
        ["file_path", "g", /edits\[0\]\.file_path is not accepted/],
      ] as const
    ).map(([name, value, says]): [string, Args, string, RegExp] => [
      `one asks for ${name}`,
      { edits: [{ old_str: "a", new_str: "b", [name]: value }] },
      "invalid",
      says,
    ]),
    ["of which one is no edit", { edits: ["a"] }, "invalid", /edits/],
  ])("are all made or none: %s", async (_, args, status, says) => {
    const store = memoryStore();
    const { call, text } = await bench({ f: "a\nb\nc\n" }, { store });
    const result = await call("edit_file", { path: "f", ...args });
    expect(result.status).toBe(status);
    expect(result.error?.message).toMatch(says);
    expect(text("f")).toBe("a\nb\nc\n");
    expect(await store.changes({})).toEqual([]);
  });
});

describe("a line only chooses between equal places", () => {
  const file = rows("a", "b", "a", "b", "b", "b", "b", "a");
  test.each<[line: number, after: string | undefined]>([
    [1, file.replace(/^a/, "x")],
    [3, file.replace("b\na\n", "b\nx\n")],
    [4, file.replace("b\na\n", "b\nx\n")],
    [8, file.replace(/a\n$/, "x\n")],
    [7, file.replace(/a\n$/, "x\n")],
    [9, file.replace(/a\n$/, "x\n")],
    // between two of them, or nowhere near
    [2, undefined],
    [5, undefined],
    [6, undefined],
    [500, undefined],
  ])("line %i", async (line, after) => {
    const { call, text } = await bench({ f: file }, { store: "memory" });
    const result = await call("edit_file", { path: "f", old_str: "a", new_str: "x", line });
    expect(result.success).toBe(after !== undefined);
    expect(text("f")).toBe(after ?? file);
  });

  test.each<[what: string, before: string, args: Args, after: string]>([
    ["a single place is taken wherever it is", "a\nb\n", { old_str: "b", new_str: "x", line: 1 }, "a\nx\n"],
    ["all places are all places", "a\na\n", { old_str: "a", new_str: "x", line: 1, replace_all: true }, "x\nx\n"],
    ["a line within the place", "a\nb\n-\na\nb\n", { old_str: "a\nb\n", new_str: "x\n", line: 5 }, "a\nb\n-\nx\n"],
    [
      "an exact place before one at the line",
      "  a\n-\na\n",
      { old_str: "  a", new_str: "  x", line: 3 },
      "  x\n-\na\n",
    ],
    [
      "places that differ in the same way",
      "\ta\n\tb\n-\n\ta\n\tb\n",
      { old_str: "  a\n  b\n", new_str: "  a\n  c\n", line: 4 },
      "\ta\n\tb\n-\n\ta\n\tc\n",
    ],
    ["by another name", "a\na\n", { old_str: "a", new_str: "x", start_line: 2 }, "a\nx\n"],
    ["two on one line", "a a\n-\na\n", { old_str: "a", new_str: "x", line: 3 }, "a a\n-\nx\n"],
  ])("%s", async (_, before, args, after) => {
    const { call, text } = await bench({ f: before }, { store: "memory" });
    expect((await call("edit_file", { path: "f", ...args })).error).toBeUndefined();
    expect(text("f")).toBe(after);
  });

  test("two places on the line are still two", async () => {
    const { call, text } = await bench({ f: "a a\n-\na\n" }, { store: "memory" });
    expect((await call("edit_file", { path: "f", old_str: "a", new_str: "x", line: 1 })).success).toBe(false);
    expect(text("f")).toBe("a a\n-\na\n");
  });
});

describe("an empty old text", () => {
  test("makes a file that is missing, with its folders, and undo takes it away", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    const made = await call("edit_file", { path: "d/e/f.ts", old_str: "", new_str: "a\nb\n" });
    expect(made).toMatchObject({ success: true, title: "Created d/e/f.ts" });
    expect(text("d/e/f.ts")).toBe("a\nb\n");
    await call("undo_file", { path: "d/e/f.ts" });
    expect(text("d/e/f.ts")).toBeUndefined();
  });

  test("makes a file that the next edits change", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    const edits = [
      { old_str: "", new_str: "a\nb\n" },
      { old_str: "b", new_str: "c" },
    ];
    expect((await call("MultiEdit", { file_path: "f", edits })).error).toBeUndefined();
    expect(text("f")).toBe("a\nc\n");
  });

  test.each([
    ["an empty file", "", "a\n"],
    ["a file with nothing but a mark", "\uFEFF", "\uFEFFa\n"],
  ])("fills %s", async (_, before, after) => {
    const { call, text } = await bench({ f: before }, { store: "memory" });
    expect((await call("edit_file", { path: "f", old_str: "", new_str: "a\n" })).error).toBeUndefined();
    expect(text("f")).toBe(after);
  });

  test.each([
    ["a file with text", "f", "x"],
    ["a file with a blank line", "blank", "x"],
    ["nothing by nothing", "empty", ""],
    ["nothing by nothing, in a missing file", "none", ""],
  ])("does not replace %s", async (_, file, wanted) => {
    const { call, text } = await bench({ f: "a\n", blank: "\n", empty: "" }, { store: "memory" });
    expect((await call("edit_file", { path: file, old_str: "", new_str: wanted })).status).toBe("failed");
    expect([text("f"), text("blank"), text("empty"), text("none")]).toEqual(["a\n", "\n", "", undefined]);
  });

  test("of another edit than the first makes no file", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    const edits = [
      { old_str: "b", new_str: "c" },
      { old_str: "", new_str: "a" },
    ];
    expect((await call("edit_file", { path: "f", edits })).error?.code).toBe("NOT_FOUND");
    expect(text("f")).toBeUndefined();
  });
});
