import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bench } from "../../test/journeys/harness.ts";
import type { FileView } from "../core/contracts/workspace.ts";
import { decode } from "../text/decode.ts";
import { pageOfStream, pageOfText, type Wanted } from "./lib/output-pages.ts";

type Call = Awaited<ReturnType<typeof bench>>["call"];

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}\tline ${from + n}`).join("\n");
const tenLines = Array.from({ length: 10 }, (_, n) => `line ${n + 1}\n`).join("");
const linesOf = (text: string) => text.replace(/\n$/, "").split(/\r?\n/);

/** What a reader gets who does what each page says, to the end. */
async function follow(call: Call, first: Record<string, unknown>): Promise<{ lines: string[]; pages: number }> {
  const lines: string[] = [];
  let pages = 0;
  for (let args: Record<string, unknown> | undefined = first; args; pages++) {
    const { output, success, error, truncated } = await call("read_file", args);
    expect(error).toBeUndefined();
    expect(success).toBe(true);
    expect(truncated).toBeUndefined();
    const next = /\n\n\[(?:Lines [^[]*\. )?Go on with (\{.*?\})\.(?: The file is .*)?\]$/.exec(output);
    const body = output.replace(/\n\n\[[^\n]*\]$/, "");
    for (const line of body.split("\n")) {
      const [number, ...rest] = line.split("\t");
      expect(Number(number)).toBe(lines.length + 1);
      lines.push(rest.join("\t"));
    }
    const named = next ? (JSON.parse(next[1]!) as Record<string, unknown>) : undefined;
    args = named && { ...first, ...named };
  }
  return { lines, pages };
}

describe("which lines come", () => {
  const cases: [args: Record<string, unknown>, shown: string, note: RegExp | undefined][] = [
    [{}, numbered(1, 10), undefined],
    [{ offset: 4 }, numbered(4, 10), /^Lines 4-10 of 10\.$/],
    [{ limit: 3 }, numbered(1, 3), /^Lines 1-3 of 10\. Go on with \{"path":"f\.txt","offset":4\}\.$/],
    [{ offset: 9, limit: 2 }, numbered(9, 10), /^Lines 9-10 of 10\.$/],
    [{ offset: 10 }, numbered(10, 10), /^Lines 10-10 of 10\.$/],
    [{ line_range: [3, 7] }, numbered(3, 7), /"offset":8\}/],
    [{ line_range: "3-7" }, numbered(3, 7), /"offset":8\}/],
    [{ line_range: " 3 : 7 " }, numbered(3, 7), /"offset":8\}/],
    [{ line_range: "3,7" }, numbered(3, 7), /"offset":8\}/],
    [{ line_range: [9, 99] }, numbered(9, 10), /^Lines 9-10 of 10\.$/],
    [{ line_range: [1, 10] }, numbered(1, 10), undefined],
    [{ line_range: [2, 9], limit: 2 }, numbered(2, 3), /"offset":4\}/],
    [{ max_bytes: 14 }, numbered(1, 2), /"offset":3\}/],
    [{ max_bytes: 13 }, numbered(1, 1), /"offset":2\}/],
    [{ max_bytes: 7 }, numbered(1, 1), /"offset":2\}/],
    [{ start_line: 4, max_lines: 1 }, numbered(4, 4), /"offset":5\}/],
    [{ offset: "2", limit: "1" }, numbered(2, 2), /"offset":3\}/],
    [{ offset: null, limit: null }, numbered(1, 10), undefined],
  ];
  test.each(cases)("%j", async (args, shown, note) => {
    const { call } = await bench({ "f.txt": tenLines }, { store: "memory" });
    const { output, metadata } = await call("read_file", { path: "f.txt", ...args });
    const [text, told] = output.split("\n\n[");
    expect(text).toBe(shown);
    if (note) expect(told?.slice(0, -1)).toMatch(note);
    else expect(told).toBeUndefined();
    const numbers = shown.split("\n").map((line) => Number.parseInt(line, 10));
    expect(metadata).toMatchObject({
      path: "f.txt",
      bytes: tenLines.length,
      first: numbers[0],
      last: numbers.at(-1),
      lines: 10,
      more: numbers.at(-1) !== 10,
      encoding: "utf-8",
    });
  });

  const wrong: [args: Record<string, unknown>, status: string, says: RegExp][] = [
    [{ offset: 11 }, "failed", /has 10 lines.*nothing at line 11/],
    [{ offset: 99, limit: 1 }, "failed", /has 10 lines/],
    [{ line_range: [7, 3] }, "failed", /7-3 is empty/],
    [{ line_range: "0-3" }, "failed", /0-3 is empty/],
    [{ offset: 0 }, "invalid", /offset/],
    [{ limit: 0 }, "invalid", /limit/],
    [{ line_range: "three to four" }, "invalid", /line_range/],
    [{ line_range: [1, 2, 3] }, "invalid", /line_range/],
    [{ max_bytes: -1 }, "invalid", /max_bytes/],
  ];
  test.each(wrong)("%j is refused with a reason", async (args, status, says) => {
    const { call } = await bench({ "f.txt": tenLines }, { store: "memory" });
    const result = await call("read_file", { path: "f.txt", ...args });
    expect(result.status).toBe(status);
    expect(`${result.error?.message} ${result.error?.hint}`).toMatch(says);
    expect(result.error?.hint).not.toMatch(/1 to 0/);
  });

  test("a wish for more than is sent at once is met page by page, never with a hole in the middle", async () => {
    const text = Array.from({ length: 6_000 }, (_, n) => `${n} ${"x".repeat(n % 90)}`).join("\n");
    const { call } = await bench({ "f.txt": text }, { store: "memory" });
    for (const more of [{}, { limit: 100_000 }, { max_bytes: 10_000_000 }, { limit: 100_000, max_bytes: 10_000_000 }]) {
      const { lines, pages } = await follow(call, { path: "f.txt", ...more });
      expect(lines).toEqual(linesOf(text));
      expect(pages).toBeGreaterThan(2);
    }
  });
});

describe("following the pages to the end gives the whole file", () => {
  const alphabet = fc.constantFrom("a", "b", " ", "\t", "é", "漢", "😀", "\uFEFF", "[", "]", '"', "$&");
  const line = fc.oneof(
    fc.string({ unit: alphabet, maxLength: 20 }),
    fc.nat(1_990).map((length) => "漢".repeat(length)),
  );
  const texts = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 60 }),
    ending: fc.constantFrom("\n", "\r\n"),
    final: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    maxBytes: fc.option(fc.integer({ min: 50, max: 9_000 }), { nil: undefined }),
  });

  test("for any text, page size and byte limit", async () => {
    const { call, put } = await bench({}, { store: "memory" });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(texts, async ({ lines, ending, final, limit, maxBytes }) => {
        // a mark at the very beginning is no text, and a last empty line without an end is none
        const all = lines.map((each, index) => (index === 0 ? each.replace(/^\uFEFF+/, "") : each));
        fc.pre(final || all.at(-1) !== "");
        // a line that no page can hold is cut
        fc.pre(maxBytes === undefined || all.every((each) => Buffer.byteLength(each) < maxBytes));
        const name = `f${count++}.txt`;
        put(name, all.join(ending) + (final ? ending : ""));
        const read = await follow(call, {
          path: name,
          ...(limit && { limit }),
          ...(maxBytes && { max_bytes: maxBytes }),
        });
        expect(read.lines).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  test("a file that is streamed is read like one that is held, whatever the pieces", async () => {
    const cases = fc.record({
      lines: fc.array(
        fc.oneof(
          line,
          fc.integer({ min: 1_990, max: 5_000 }).map((n) => "é😀x".repeat(n / 3)),
        ),
        {
          maxLength: 30,
        },
      ),
      ending: fc.constantFrom("\n", "\r\n"),
      final: fc.boolean(),
      mark: fc.boolean(),
      piece: fc.integer({ min: 1, max: 4_000 }),
      wanted: fc.record({
        offset: fc.integer({ min: 1, max: 33 }),
        limit: fc.integer({ min: 1, max: 33 }),
        maxBytes: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constant(50_000)),
      }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ lines, ending, final, mark, piece, wanted }) => {
        const text = (mark ? "\uFEFF" : "") + lines.join(ending) + (final ? ending : "");
        fc.pre(text !== "\uFEFF");
        const bytes = new TextEncoder().encode(text);
        const held = pageOfText(decode(bytes)!, wanted);
        const streamed = await pageOfStream(inPieces(bytes, piece), "f", wanted);
        expect(streamed).toEqual({ ...held, total: held.more ? undefined : held.total });
      }),
      { numRuns: 300 },
    );
  });

  test.each<[what: string, bytes: Uint8Array, wanted: Partial<Wanted>]>([
    ["Latin-1 from the start", Buffer.from("caf\xe9\nna\xefve\n".repeat(50), "latin1"), { offset: 3 }],
    ["Latin-1 that shows late", Buffer.from(`${"plain\n".repeat(30)}caf\xe9\n`, "latin1"), { offset: 29 }],
    ["a character cut off at the end", Buffer.from([...Buffer.from("one\ntwo "), 0xe6, 0xbc]), {}],
    ["UTF-16LE", Buffer.from(`\uFEFF${"wörter\n".repeat(40)}`, "utf16le"), { offset: 2, limit: 3 }],
    ["UTF-16BE", Buffer.from(`\uFEFF${"wörter\n".repeat(40)}`, "utf16le").swap16(), { offset: 2 }],
    ["nothing", new Uint8Array(), {}],
    ["binary", Uint8Array.from({ length: 400 }, (_, n) => n % 7), {}],
  ])("streamed like held: %s", async (_, bytes, more) => {
    const wanted = { offset: 1, limit: 100, maxBytes: 50_000, ...more };
    const decoded = decode(bytes);
    const held = decoded && pageOfText(decoded, wanted);
    expect(await pageOfStream(inPieces(bytes, 100), "f", wanted)).toEqual(held);
  });

  test("a file of more than 4 MB through the gate, with a mark, CRLF, wide characters and long lines", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `${n} ${"漢字😀é".repeat(n % 24)}`);
    const { call } = await bench({ "big.txt": `\uFEFF${lines.join("\r\n")}` }, { store: "memory" });
    for (const offset of [1, 2, 777, 15_001, 29_990]) {
      const result = await call("read_file", { path: "big.txt", offset, limit: 20 });
      expect(result.metadata.bytes).toBeGreaterThan(4 * 1024 * 1024);
      const shown = lines.slice(offset - 1, offset + 19).map((each, n) => `${offset + n}\t${each}`);
      expect(result.output.split("\n\n[")[0]).toBe(shown.join("\n"));
    }
    expect((await call("read_file", { path: "big.txt", offset: 29_990 })).metadata).toMatchObject({
      lines: 30_000,
      last: 30_000,
    });
    expect((await call("read_file", { path: "big.txt", offset: 30_001 })).error?.message).toContain("30000 lines");
    expect((await follow(call, { path: "big.txt", offset: 1 })).lines).toEqual(lines);
  });

  test("one huge line is cut with exact counts, and is the end", async () => {
    const { call } = await bench({ "one.txt": "x".repeat(9_000_000) }, { store: "memory" });
    const { output, metadata } = await call("read_file", { path: "one.txt" });
    expect(output).toBe(`1\t${"x".repeat(2_000)}… [8998000 more characters in this line]`);
    expect(metadata).toMatchObject({ lines: 1, more: false });
  });
});

function inPieces(bytes: Uint8Array, size: number): FileView {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read = async () => ({ bytes });
  return { chunks, read } as unknown as FileView;
}

describe("kinds of files", () => {
  const kinds: [what: string, bytes: Uint8Array | string, output: RegExp, encoding: string][] = [
    ["empty", "", /^\(the file is empty\)$/, "utf-8"],
    ["one empty line", "\n", /^1\t$/, "utf-8"],
    ["no final newline", "a\nb", /^1\ta\n2\tb$/, "utf-8"],
    ["CRLF", "a\r\nb\r\n", /^1\ta\n2\tb$/, "utf-8"],
    ["a mark", "\uFEFFa\n", /^1\ta$/, "utf-8"],
    ["UTF-16LE", Buffer.from("\uFEFFgrün\n", "utf16le"), /^1\tgrün\n\n\[The file is utf-16le\.\]$/, "utf-16le"],
    [
      "UTF-16BE",
      Buffer.from("\uFEFFgrün\n", "utf16le").swap16(),
      /^1\tgrün\n\n\[The file is utf-16be\.\]$/,
      "utf-16be",
    ],
    ["Latin-1", Buffer.from("gr\xfcn\n", "latin1"), /^1\tgrün\n\n\[The file is latin1\.\]$/, "latin1"],
  ];
  test.each(kinds)("%s", async (_, bytes, output, encoding) => {
    const { call } = await bench({ f: bytes }, { store: "memory" });
    const result = await call("read_file", { path: "f" });
    expect(result.output).toMatch(output);
    expect(result.metadata.encoding).toBe(encoding);
  });

  test("binary is refused with its size", async () => {
    const { call } = await bench({ "a.bin": Uint8Array.from({ length: 100 }, (_, n) => n % 7) }, { store: "memory" });
    const { error, metadata } = await call("read_file", { path: "a.bin" });
    expect(error).toMatchObject({ code: "BINARY" });
    expect(metadata.bytes).toBe(100);
  });

  test("a folder fails with its listing, and the hint names the tool for folders", async () => {
    const { call } = await bench({ "d/one.txt": "", "d/two/three.txt": "" }, { store: "memory" });
    const { status, output, error } = await call("read_file", { path: "d" });
    expect(status).toBe("failed");
    expect(output).toBe("one.txt\ntwo/");
    expect(error?.hint).toContain("list_files");
  });

  test("a link that leads nowhere is not proposed in its own place", async () => {
    const { call, dir } = await bench({}, { store: "memory" });
    symlinkSync("nowhere", path.join(dir, "link"));
    const { error, metadata } = await call("read_file", { path: "link" });
    expect(error).toMatchObject({ code: "NOT_FOUND", hint: expect.not.stringContaining("link") });
    expect(metadata.near).toEqual([]);
  });

  test("a missing file names what may have been meant", async () => {
    const { call } = await bench({ "src/config.ts": "", "src/other.md": "" }, { store: "memory" });
    const { error, metadata } = await call("read_file", { path: "src/conifg.ts" });
    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(error?.hint).toContain("src/config.ts");
    expect(error?.hint).not.toContain("other.md");
    expect(metadata.near).toEqual(["src/config.ts"]);
  });

  test("a FIFO is refused at once", async () => {
    const { call, dir } = await bench({}, { store: "memory" });
    execFileSync("mkfifo", [path.join(dir, "pipe")]);
    const result = await call("read_file", { path: "pipe" });
    expect(result.status).toBe("failed");
    expect(result.error?.message).toContain("pipe");
  });
});
