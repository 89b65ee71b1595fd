import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Capture } from "./capture.ts";
import { Feed } from "./feed.ts";

let folder = "";
let count = 0;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-capture-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const keep = { headBytes: 40, tailBytes: 40, fileBytes: 1000 };
const capture = (limits = keep) => {
  const file = path.join(folder, `out/${count++}.txt`);
  return { stream: new Capture(limits, () => ({ file, shown: "shown.txt" })), file };
};

/** The bytes in pieces of these sizes, over and over. */
function* pieces(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe("a stream that is kept", () => {
  test("short: all of it, no file", async () => {
    const { stream, file } = capture();
    for (const piece of pieces(Buffer.from("ü 漢 🙂\nno break"), [1])) stream.push(piece);
    await stream.end();
    expect(stream.captured()).toEqual({
      text: "ü 漢 🙂\nno break",
      bytes: 20,
      lines: 2,
      omittedBytes: 0,
      omittedLines: 0,
    });
    expect(fs.existsSync(file)).toBe(false);
  });

  test("long: whole lines of its head and tail, exact counts, all of it in a file", async () => {
    const { stream, file } = capture();
    const whole = Buffer.from(Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join(""));
    for (const piece of pieces(whole, [7, 33])) stream.push(piece);
    await stream.end();
    const { text, path: shown, ...counts } = stream.captured();
    expect(text).toBe(
      "line 0\nline 1\nline 2\nline 3\nline 4\n[left out here: 20 lines, 155 bytes]\nline 25\nline 26\nline 27\nline 28\nline 29\n",
    );
    expect(counts).toEqual({ bytes: whole.length, lines: 30, omittedBytes: whole.length - 75, omittedLines: 20 });
    expect(shown).toBe("shown.txt");
    expect(fs.readFileSync(file)).toEqual(whole);
  });

  test("a single long line is cut between characters", async () => {
    const { stream } = capture();
    for (const piece of pieces(Buffer.from("漢".repeat(100)), [5])) stream.push(piece);
    await stream.end();
    const { text, lines, omittedLines, omittedBytes } = stream.captured();
    expect(text).toBe(`${"漢".repeat(13)}\n[left out here: 0 lines, 222 bytes]\n${"漢".repeat(13)}`);
    expect({ lines, omittedLines, omittedBytes }).toEqual({ lines: 1, omittedLines: 0, omittedBytes: 222 });
  });

  test("the file ends at its limit, the counts do not", async () => {
    const { stream, file } = capture();
    for (let turn = 0; turn < 50; turn++) if (!stream.push(Buffer.alloc(100, "x\n"))) await stream.drained();
    await stream.end();
    expect(fs.statSync(file).size).toBe(1000);
    expect(stream.captured()).toMatchObject({ bytes: 5000, lines: 2500 });
  });

  test("a file that cannot be written costs the file only", async () => {
    const stream = new Capture(keep, () => ({ file: path.join(folder, "out"), shown: "x" }));
    fs.mkdirSync(path.join(folder, "out"), { recursive: true });
    for (let turn = 0; turn < 50; turn++) stream.push(Buffer.alloc(100, "x\n"));
    await stream.end();
    expect(stream.captured()).toMatchObject({ bytes: 5000, lines: 2500 });
    expect(stream.captured().path).toBeUndefined();
  });

  test("however it is cut into pieces, the same is kept", async () => {
    const word = fc.constantFrom("a", "\n", "ü", "🙂", "漢字\n", "line of some length\n", "\r\n");
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 120 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        async (words, sizes) => {
          const whole = Buffer.from(words.join(""));
          const [inPieces, atOnce] = [capture(), capture()];
          for (const piece of pieces(whole, sizes)) inPieces.stream.push(piece);
          atOnce.stream.push(whole);
          await Promise.all([inPieces.stream.end(), atOnce.stream.end()]);
          const kept = inPieces.stream.captured();
          expect(kept).toEqual(atOnce.stream.captured());
          const breaks = whole.toString().split("\n").length - 1;
          expect(kept.lines).toBe(breaks + (whole.length > 0 && whole.at(-1) !== 10 ? 1 : 0));
          expect(kept.bytes).toBe(whole.length);
          expect(kept.text).not.toContain("\uFFFD");
          if (kept.path !== undefined) expect(fs.readFileSync(inPieces.file)).toEqual(whole);
          else expect(kept.omittedBytes).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("what is polled", () => {
  test("both streams in their order; characters and escapes that are split wait for the rest", () => {
    const feed = new Feed(100);
    const character = Buffer.from("ü");
    feed.push("stdout", Buffer.concat([Buffer.from("a"), character.subarray(0, 1)]));
    feed.push("stderr", Buffer.from("E"));
    expect(feed.take()).toEqual({ text: "aE", droppedBytes: 0 });
    feed.push("stdout", character.subarray(1));
    feed.push("stdout", Buffer.from("\x1b[3"));
    expect(feed.take()).toEqual({ text: "ü", droppedBytes: 0 });
    feed.push("stdout", Buffer.from("1mred"));
    expect(feed.take()).toEqual({ text: "red", droppedBytes: 0 });
    expect(feed.take()).toEqual({ text: "", droppedBytes: 0 });
  });

  test("what nobody fetched is dropped from the front and counted", () => {
    const feed = new Feed(100);
    for (let turn = 0; turn < 100; turn++)
      feed.push(turn % 2 ? "stdout" : "stderr", Buffer.from(`${turn % 10}`.repeat(7)));
    const { text, droppedBytes } = feed.take();
    expect(droppedBytes).toBe(600);
    expect(text).toHaveLength(100);
    expect(text.endsWith("88888889999999")).toBe(true);
    expect(feed.take()).toEqual({ text: "", droppedBytes: 0 });
  });
});

test("a file that there is no more room for is kept as far as it goes, and says how far", async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "capture-")), "out.txt");
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
  let left = 25;
  const grant = (bytes: number): number => {
    const granted = Math.min(bytes, left);
    left -= granted;
    return granted;
  };
  const capture = new Capture({ headBytes: 4, tailBytes: 4, fileBytes: 1000 }, () => ({ file, shown: "out", grant }));
  for (let each = 0; each < 10; each += 1) capture.push(Buffer.from("0123456789"));
  await capture.end();
  expect(capture.captured()).toMatchObject({ bytes: 100, path: "out", keptBytes: 25 });
  expect(fs.readFileSync(file, "utf8")).toBe("0123456789012345678901234");
});

test("a file that is gone by the end, or that nothing fits into, is not told of", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "capture-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, "out.txt");
  const kept = async (grant: (bytes: number) => number, atEnd: () => void) => {
    const target = () => ({ file, shown: "out", fd: fs.openSync(file, "wx"), grant });
    const capture = new Capture({ headBytes: 4, tailBytes: 4, fileBytes: 1000 }, target);
    for (let each = 0; each < 10; each += 1) capture.push(Buffer.from("0123456789"));
    atEnd();
    await capture.end();
    return capture.captured();
  };
  const all = (bytes: number): number => bytes;
  expect(await kept(all, () => fs.rmSync(file))).not.toHaveProperty("path");
  expect(
    await kept(
      () => 0,
      () => undefined,
    ),
  ).not.toHaveProperty("path");
  expect(fs.readdirSync(folder)).toEqual([]);
  expect(await kept(all, () => undefined)).toMatchObject({ path: "out" });
});
