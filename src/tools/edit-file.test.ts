import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import { memoryStore } from "../stores/memory.ts";

const utf16 = (text: string, swap = false) =>
  swap ? Buffer.from(text, "utf16le").swap16() : Buffer.from(text, "utf16le");

describe("a replacement keeps everything else", () => {
  type Edit = { old_str: string; new_str: string; replace_all?: boolean };
  const cases: [what: string, before: Uint8Array | string, edit: Edit, after: Uint8Array | string][] = [
    ["one place", "a\nb\nc\n", { old_str: "b", new_str: "x" }, "a\nx\nc\n"],
    ["no final newline", "a\nb", { old_str: "b", new_str: "x" }, "a\nx"],
    ["removing", "a\nb\nc\n", { old_str: "b\n", new_str: "" }, "a\nc\n"],
    ["everything", "a", { old_str: "a", new_str: "" }, ""],
    ["all of several", "a b a\na\n", { old_str: "a", new_str: "aa", replace_all: true }, "aa b aa\naa\n"],
    ["patterns as plain text", "a.b\n", { old_str: "a.b", new_str: "$& $1 $` \\n" }, "$& $1 $` \\n\n"],
    ["all, patterns as plain text", "x x\n", { old_str: "x", new_str: "$&$'", replace_all: true }, "$&$' $&$'\n"],
    [
      "CRLF with LF in old and new",
      "a\r\nb\r\nc\r\n",
      { old_str: "a\nb\n", new_str: "a\nx\ny\n" },
      "a\r\nx\r\ny\r\nc\r\n",
    ],
    ["CRLF within a line", "a\r\nb\r\n", { old_str: "b", new_str: "x\ny" }, "a\r\nx\r\ny\r\n"],
    ["mixed endings stay line by line", "a\r\nb\nc\r\n", { old_str: "b", new_str: "x" }, "a\r\nx\nc\r\n"],
    ["a mark", "\uFEFFa\nb\n", { old_str: "a\nb", new_str: "c" }, "\uFEFFc\n"],
    ["UTF-16LE", utf16("\uFEFFgrün\r\n"), { old_str: "ü", new_str: "ö😀" }, utf16("\uFEFFgrö😀n\r\n")],
    ["UTF-16BE", utf16("\uFEFFgrün\n", true), { old_str: "ü", new_str: "ö" }, utf16("\uFEFFgrön\n", true)],
    [
      "Latin-1",
      Buffer.from("caf\xe9\n", "latin1"),
      { old_str: "café", new_str: "thé" },
      Buffer.from("th\xe9\n", "latin1"),
    ],
  ];
  test.each(cases)("%s", async (_, before, edit, after) => {
    const { call, dir } = await bench({ f: before }, { store: "memory" });
    chmodSync(path.join(dir, "f"), 0o755);
    const result = await call("edit_file", { path: "f", ...edit });
    expect(result.error).toBeUndefined();
    expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(after as string));
    expect(statSync(path.join(dir, "f")).mode & 0o777).toBe(0o755);
    expect(result.output).toContain("--- a/f");
    expect(result.metadata).toMatchObject({ path: "f", changed: true });
    await call("undo_file", { path: "f" });
    expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(before as string));
  });

  test("an exact match is not called inexact; another one is, in so many words", async () => {
    const { call, text } = await bench({ f: "if (x) {\n\treturn 1;\n}\n" }, { store: "memory" });
    const exact = await call("edit_file", { path: "f", old_str: "return 1;", new_str: "return 2;" });
    expect(exact.output).not.toContain("not exact");
    expect(exact.metadata.inexact).toBeUndefined();
    const loose = await call("edit_file", {
      path: "f",
      old_str: "if (x) {\n  return 2;\n}",
      new_str: "if (y) {\n  return 3;\n}",
    });
    expect(loose.output).toMatch(/^The match was not exact: it differed in /);
    expect(loose.metadata.inexact).toMatch(/indent/);
    expect(text("f")).toBe("if (y) {\n\treturn 3;\n}\n");
  });
});

describe("what is refused changes nothing and says why", () => {
  const cases: [what: string, args: Record<string, unknown>, status: string, code: string, says: RegExp][] = [
    ["two places", { old_str: "a", new_str: "x" }, "failed", "VALIDATION_ERROR", /fits 2 places in f: at lines 1, 3\./],
    [
      "an empty old text",
      { old_str: "", new_str: "x" },
      "failed",
      "VALIDATION_ERROR",
      /is empty, and the file is not\.$/,
    ],
    ["no difference", { old_str: "a", new_str: "a" }, "failed", "VALIDATION_ERROR", /the same\.$/],
    [
      "nothing like it",
      { old_str: "zebra crossing", new_str: "x" },
      "failed",
      "NOT_FOUND",
      /nothing there is like it\.$/,
    ],
    ["half a character", { old_str: "b", new_str: "\ud83d" }, "failed", "VALIDATION_ERROR", /cannot hold/],
    ["no new text", { old_str: "a" }, "invalid", "VALIDATION_ERROR", /new_str/],
    ["another file", { path: "g", old_str: "a", new_str: "b" }, "failed", "NOT_FOUND", /g does not exist/],
    ["a folder", { path: "d", old_str: "a", new_str: "b" }, "failed", "VALIDATION_ERROR", /d is a folder/],
    ["binary", { path: "bin", old_str: "a", new_str: "b" }, "failed", "BINARY", /not text/],
  ];
  test.each(cases)("%s", async (_, args, status, code, says) => {
    const store = memoryStore();
    const { call, text } = await bench({ f: "a\nb\na\n", "d/x": "", bin: new Uint8Array(50) }, { store });
    const result = await call("edit_file", { path: "f", ...args });
    expect(result.status).toBe(status);
    expect(result.error?.code).toBe(code);
    expect(result.error?.message).toMatch(says);
    expect(result.error?.message).not.toContain("..");
    expect(result.error?.hint).not.toBe("");
    expect(text("f")).toBe("a\nb\na\n");
    expect(await store.changes({})).toEqual([]);
  });

  test("a line that stands for others, unless the old text has it", async () => {
    const { call, text } = await bench({ f: "a\nb\n// ...\n" }, { store: "memory" });
    const refused = await call("edit_file", { path: "f", old_str: "b", new_str: "b\n// ... rest of the code ..." });
    expect(refused.error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(/left out\.$/) });
    expect(text("f")).toBe("a\nb\n// ...\n");
    const kept = await call("edit_file", { path: "f", old_str: "b\n// ...", new_str: "c\n  // ..." });
    expect(kept.error).toBeUndefined();
    expect(text("f")).toBe("a\nc\n  // ...\n");
  });

  test("a miss shows the nearest text with its line numbers and what differs", async () => {
    const { call } = await bench({ f: "one\nfunction add(a, b) {\n  return a + b;\n}\n" }, { store: "memory" });
    const { output, error, metadata } = await call("edit_file", {
      path: "f",
      old_str: "function add(a, c) {\n  return a + c;\n}",
      new_str: "",
    });
    expect(error).toMatchObject({ code: "NOT_FOUND", message: "old_str was not found in f." });
    expect(output).toContain("nearest text is at line 2");
    expect(output).toMatch(/2.*function add\(a, b\)/);
    expect(output).toContain("- function add(a, c) {");
    expect(output).toContain("+ function add(a, b) {");
    expect(metadata).toMatchObject({ line: 2, changed: false });
  });
});

describe("whether the file changed since it was read", () => {
  const miss = { path: "f", old_str: "function sum(one, two) {", new_str: "x" };
  const content = "function add(one, two) {\n}\n";
  const says = "has changed since it was read";

  test("is not claimed for a file that was never read, nor for one that is as it was", async () => {
    const { call } = await bench({ f: content }, { store: "memory" });
    expect((await call("edit_file", miss)).error?.message).not.toContain(says);
    await call("read_file", { path: "f" });
    expect((await call("edit_file", miss)).error?.message).not.toContain(says);
  });

  test("is told when somebody else changed it, until it is read again", async () => {
    const { call, dir } = await bench({ f: content }, { store: "memory" });
    await call("read_file", { path: "f" });
    writeFileSync(path.join(dir, "f"), content.replace("add", "sub"));
    const missed = await call("edit_file", miss);
    expect(missed.error?.message).toContain(says);
    expect(missed.metadata.changed).toBe(true);
    await call("read_file", { path: "f" });
    expect((await call("edit_file", miss)).error?.message).not.toContain(says);
  });

  test.each<[string, string, object]>([
    ["our own edit", "edit_file", { path: "f", old_str: "}", new_str: "};" }],
    ["our own write", "write_file", { path: "f", content: "function sub(one, two) {\n}\n" }],
  ])("is not claimed after %s", async (_, name, args) => {
    const { call } = await bench({ f: content }, { store: "memory" });
    await call("read_file", { path: "f" });
    expect((await call(name, args)).success).toBe(true);
    expect((await call("edit_file", miss)).error?.message).not.toContain(says);
    await call("undo_file", { path: "f" });
    expect((await call("edit_file", miss)).error?.message).not.toContain(says);
  });
});

test.each([
  ["edit_file", { path: "f", old_str: "a", new_str: "b" }],
  ["Edit", { file_path: "f", old_string: "a", new_string: "b" }],
  ["edit", { filePath: "f", oldString: "a", newString: "b", replaceAll: false }],
  ["replace", { file_path: "f", old_string: "a", new_string: "b", allow_multiple: "false" }],
  ["edit_file", { path: "f", old: "a", new: "b" }],
  ["edit_file", { path: "f", search: "a", replace: "b" }],
  ["edit_file", { file: "f", from: "a", to: "b", replace_all: null }],
  ["file_edit", { path: "f", old_string: "a", new_string: "b" }],
])("%s understands %j", async (name, args) => {
  const { call, text } = await bench({ f: "a\n" }, { store: "memory" });
  const result = await call(name, args);
  expect(result.error).toBeUndefined();
  expect(result.metadata.notes).toBeUndefined();
  expect(text("f")).toBe("b\n");
});
