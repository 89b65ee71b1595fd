import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bench, folder } from "../../test/journeys/harness.ts";
import { memoryStore } from "../stores/memory.ts";

const modeOf = (file: string) => statSync(file).mode & 0o7777;

describe("what is written", () => {
  test("exactly the bytes of the content, whatever it is", async () => {
    const { call, dir } = await bench({}, { store: "memory" });
    const unit = fc.constantFrom("a", "\n", "\r", "\r\n", "\0", "é", "漢", "😀", "\uFEFF", "$&", "$1", "\\", "\t");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (content) => {
        rmSync(path.join(dir, "f"), { force: true });
        expect((await call("write_file", { path: "f", content })).success).toBe(true);
        expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(content, "utf8"));
      }),
      { numRuns: 60 },
    );
  });

  test("parents are made, and a created file is told with its lines and bytes", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    const { title, output, metadata } = await call("write_file", { path: "a/b/c.txt", content: "one\ntwo\n" });
    expect(text("a/b/c.txt")).toBe("one\ntwo\n");
    expect(title).toBe("Created a/b/c.txt");
    expect(output).toBe("Created a/b/c.txt (2 lines, 8 bytes).");
    expect(metadata).toMatchObject({ created: true, changed: true, bytes: 8 });
    expect((await call("write_file", { path: "d", content: "x" })).output).toBe("Created d (1 line, 1 byte).");
  });

  test("an overwritten file is told with what came and went, and keeps its mode bits", async () => {
    const { call, text, dir } = await bench({ "run.sh": "a\nb\n" }, { store: "memory" });
    chmodSync(path.join(dir, "run.sh"), 0o751);
    const { output, metadata } = await call("write_file", { path: "run.sh", content: "a\nc\nd\n" });
    expect(output).toBe("Overwrote run.sh (+2 -1 lines, 6 bytes).");
    expect(metadata).toMatchObject({ created: false, added: 2, removed: 1 });
    expect(text("run.sh")).toBe("a\nc\nd\n");
    expect(modeOf(path.join(dir, "run.sh"))).toBe(0o751);
  });

  test("the same content is told and leaves no trace in the journal or on the disk", async () => {
    const store = memoryStore();
    const { call, dir } = await bench({ f: "same\n" }, { store });
    const before = statSync(path.join(dir, "f"));
    const { output, metadata, success } = await call("write_file", { path: "f", content: "same\n" });
    expect(success).toBe(true);
    expect(output).toBe("f already has exactly this content.");
    expect(metadata.changed).toBe(false);
    expect(await store.changes({})).toEqual([]);
    expect(statSync(path.join(dir, "f"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  const refused: [what: string, args: Record<string, unknown>, status: string, says: RegExp][] = [
    ["a folder", { path: "d", content: "x" }, "failed", /d is a folder/],
    ["a folder, appending", { path: "d", content: "x", mode: "append" }, "failed", /d is a folder/],
    ["a file as a folder", { path: "f/x", content: "x" }, "invalid", /f/],
    ["half a character", { path: "g", content: "a\ud83d" }, "failed", /surrogate/],
    ["half a character, appending", { path: "f", content: "\udc00", mode: "append" }, "failed", /surrogate/],
    ["an unknown mode", { path: "g", content: "x", mode: "prepend" }, "invalid", /mode/],
    ["no content", { path: "g" }, "invalid", /content/],
    ["no overwriting", { path: "f", content: "x", overwrite: false }, "invalid", /overwrite is not accepted/],
    ["some lines only", { path: "f", content: "x", lines: "2-3" }, "invalid", /lines is not accepted/],
    [
      "a place in the file",
      { path: "f", content: "x", insert_after: "old" },
      "invalid",
      /insert_after is not accepted/,
    ],
    ["appending, perhaps", { path: "f", content: "x", append: "yes" }, "invalid", /append is not accepted/],
    ["prepending", { path: "f", content: "x", prepend: true }, "invalid", /prepend is not accepted/],
    ["from a line", { path: "f", content: "x", start_line: 2, end_line: 3 }, "invalid", /start_line is not accepted/],
    ["a path outside", { path: "../g", content: "x" }, "refused", /outside/],
  ];
  test.each(refused)("%s is refused and nothing changes", async (_, args, status, says) => {
    const store = memoryStore();
    const { call, text } = await bench({ f: "old", "d/x": "" }, { store });
    const result = await call("write_file", args);
    expect(result.status).toBe(status);
    expect(result.error?.message).toMatch(says);
    expect(text("f")).toBe("old");
    expect(text("g")).toBeUndefined();
    expect(await store.changes({})).toEqual([]);
  });

  test("by the names that models were trained on", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    expect((await call("Write", { file_path: "a", content: "1" })).success).toBe(true);
    expect((await call("file_write", { filename: "b", text: 2 })).success).toBe(true);
    expect((await call("write", { filePath: "c", contents: "3" })).success).toBe(true);
    expect([text("a"), text("b"), text("c")]).toEqual(["1", "2", "3"]);
  });
});

const utf16 = (text: string, swap = false) => {
  const bytes = Buffer.from(text, "utf16le");
  return swap ? bytes.swap16() : bytes;
};
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("a file that is there keeps its byte order mark, line endings and encoding", () => {
  type Row = [what: string, before: Uint8Array | string, content: string, after: Uint8Array | string];
  const rows: Row[] = [
    ["CRLF", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"],
    ["CRLF, written with CRLF", "a\r\nb\r\n", "a\r\nc\r\n", "a\r\nc\r\n"],
    ["LF, written with CRLF", "a\nb\n", "a\r\nc\r\n", "a\nc\n"],
    ["CR", "a\rb\r", "a\nc\n", "a\rc\r"],
    ["mostly CRLF", "a\r\nb\r\nc\n", "a\nd\n", "a\r\nd\r\n"],
    ["no line ending to keep", "a", "b\r\nc\n", "b\r\nc\n"],
    ["no final newline", "a\r\nb\r\n", "a\nc", "a\r\nc"],
    ["both endings in the content", "a\r\nb\r\n", "x\r\ny\n", "x\r\ny\n"],
    ["nothing but endings: to LF", "a\r\nb\r\n", "a\nb\n", "a\nb\n"],
    ["nothing but endings: to CRLF", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["a mark", "\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["a mark that the content has too", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"],
    ["a mark that only the content has", "a\n", "\uFEFFb\n", "\uFEFFb\n"],
    ["a mark and CRLF", "\uFEFFa\r\n", "b\nc\n", "\uFEFFb\r\nc\r\n"],
    ["a mark alone", "\uFEFF", "a", "\uFEFFa"],
    ["UTF-16LE", utf16("\uFEFFa\r\n"), "é😀\n", utf16("\uFEFFé😀\r\n")],
    ["UTF-16BE", utf16("\uFEFFa\n", true), "é\n", utf16("\uFEFFé\n", true)],
    ["Latin-1", latin1("caf\xe9\n"), "th\xe9\n", latin1("th\xe9\n")],
    ["Latin-1 that cannot hold it", latin1("caf\xe9\n"), "漢\n", "漢\n"],
    ["Latin-1 and a mark", latin1("caf\xe9\n"), "\uFEFFa\n", "\uFEFFa\n"],
    ["an empty file", "", "a\r\nb\n", "a\r\nb\n"],
    ["binary", new Uint8Array(50), "a\n", "a\n"],
  ];
  test.each(rows)("%s", async (_, before, content, after) => {
    const { call, dir } = await bench({ f: before }, { store: "memory" });
    expect((await call("write_file", { path: "f", content })).error).toBeUndefined();
    expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(after as string));
    await call("undo_file", { path: "f" });
    expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(before as string));
  });

  test.each<[what: string, before: Uint8Array | string, content: string, says: string]>([
    ["endings", "a\r\nb\r\n", "c\nd\n", " Kept its line endings (CRLF)."],
    ["an encoding", latin1("\xe9\n"), "\xe8\n", " Kept its encoding (latin1)."],
    ["both", utf16("\uFEFFa\r\n"), "b\n", " Kept its line endings (CRLF) and encoding (utf-16le)."],
    ["an encoding that does not suffice", latin1("\xe9\n"), "漢\n", " It was latin1 and is UTF-8 now."],
    ["nothing", "a\n", "b\n", ")."],
  ])("and what is not as it came is told: %s", async (_, before, content, says) => {
    const { call } = await bench({ f: before }, { store: "memory" });
    const { output } = await call("write_file", { path: "f", content });
    expect(output.endsWith(says)).toBe(true);
  });
});

describe("lines that stand for others", () => {
  test.each(["// ... rest of the code ...", "# ... existing code ...", "<!-- ... -->", "/* ... */"])(
    "%s is refused, in a new file and in one that is there",
    async (line) => {
      const { call, text } = await bench({ f: "a\nb\n" }, { store: "memory" });
      for (const file of ["f", "new"]) {
        const { status, error } = await call("write_file", { path: file, content: `a\n  ${line}\n` });
        expect(status).toBe("failed");
        expect(error).toMatchObject({ code: "VALIDATION_ERROR", hint: expect.stringContaining("Write out") });
      }
      expect([text("f"), text("new")]).toEqual(["a\nb\n", undefined]);
    },
  );

  test("but not where the file has them already", async () => {
    const { call, text } = await bench({ f: "a\n// ...\n" }, { store: "memory" });
    expect((await call("write_file", { path: "f", content: "b\n  // ...\n" })).success).toBe(true);
    expect(text("f")).toBe("b\n  // ...\n");
  });
});

describe("appending", () => {
  const cases: [what: string, before: Uint8Array, content: string, after: Uint8Array][] = [
    ["UTF-8", Buffer.from("a\n"), "é\n", Buffer.from("a\né\n")],
    ["UTF-8 with a mark", Buffer.from("\uFEFFa\n"), "é", Buffer.from("\uFEFFa\né")],
    ["no final newline", Buffer.from("a"), "b", Buffer.from("ab")],
    ["UTF-16LE", utf16("\uFEFFa\n"), "é😀\n", utf16("\uFEFFa\né😀\n")],
    ["UTF-16BE", utf16("\uFEFFa\n", true), "é😀\n", utf16("\uFEFFa\né😀\n", true)],
    ["Latin-1", Buffer.from("caf\xe9\n", "latin1"), "na\xefve\n", Buffer.from("caf\xe9\nna\xefve\n", "latin1")],
    ["an empty file", Buffer.from(""), "é", Buffer.from("é")],
    ["CRLF", Buffer.from("a\r\n"), "b\nc\n", Buffer.from("a\r\nb\r\nc\r\n")],
  ];
  test.each(cases)("%s", async (_, before, content, after) => {
    const { call, dir } = await bench({ f: before }, { store: "memory" });
    chmodSync(path.join(dir, "f"), 0o640);
    const { title } = await call("write_file", { path: "f", content, mode: "append" });
    expect(title).toBe("Appended to f");
    expect(readFileSync(path.join(dir, "f"))).toEqual(Buffer.from(after));
    expect(modeOf(path.join(dir, "f"))).toBe(0o640);
  });

  test.each([{ mode: "append" }, { append: true }, { append: "true", overwrite: true, create_dirs: true }])(
    "%j: said in other words",
    async (how) => {
      const { call, text } = await bench({ f: "a\n" }, { store: "memory" });
      await call("write_file", { path: "f", content: "b\n", ...how });
      expect(text("f")).toBe("a\nb\n");
    },
  );

  test("to a file that is not there makes it; nothing appended changes nothing", async () => {
    const { call, text } = await bench({}, { store: "memory" });
    expect((await call("write_file", { path: "new", content: "x", mode: "append" })).title).toBe("Created new");
    expect((await call("write_file", { path: "new", content: "", mode: "append" })).metadata.changed).toBe(false);
    expect(text("new")).toBe("x");
  });

  test("what the encoding cannot hold is refused", async () => {
    const before = Buffer.from("caf\xe9\n", "latin1");
    const { call, dir } = await bench({ f: before }, { store: "memory" });
    const { error } = await call("write_file", { path: "f", content: "漢", mode: "append" });
    expect(error?.message).toContain("latin1");
    expect(readFileSync(path.join(dir, "f"))).toEqual(before);
  });
});

describe("through links", () => {
  test("inside the root the target is written and the link stays one", async () => {
    const { call, dir, text } = await bench({ "real/f": "old" }, { store: "memory" });
    symlinkSync("real/f", path.join(dir, "link"));
    symlinkSync("real", path.join(dir, "folder"));
    await call("write_file", { path: "link", content: "new" });
    await call("write_file", { path: "folder/g", content: "made" });
    expect([text("real/f"), text("real/g")]).toEqual(["new", "made"]);
    expect(lstatSync(path.join(dir, "link")).isSymbolicLink()).toBe(true);
    await call("undo_file", { path: "link" });
    expect(text("real/f")).toBe("old");
  });

  test("a link to nothing inside the root makes what it names", async () => {
    const { call, dir, text } = await bench({}, { store: "memory" });
    symlinkSync("later/f", path.join(dir, "link"));
    expect((await call("write_file", { path: "link", content: "new" })).success).toBe(true);
    expect(text("later/f")).toBe("new");
    expect(lstatSync(path.join(dir, "link")).isSymbolicLink()).toBe(true);
  });

  test.each(["missing file", "folder"])("a link to a %s outside the root is refused", async (what) => {
    const outside = folder();
    const target = path.join(outside, "f");
    if (what === "folder") mkdirSync(target);
    const { call, dir } = await bench({}, { store: "memory" });
    symlinkSync(target, path.join(dir, "link"));
    const name = what === "folder" ? "link/f" : "link";
    expect((await call("write_file", { path: name, content: "new" })).status).toBe("refused");
    expect(existsSync(what === "folder" ? path.join(target, "f") : target)).toBe(false);
  });
});
