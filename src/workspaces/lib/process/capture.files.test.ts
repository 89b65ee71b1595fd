import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Capture, type Keep, type Target } from "./capture.ts";

let base = "";
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-capture-")));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const SMALL: Keep = { headBytes: 4, tailBytes: 4, fileBytes: 1000 };
const capture = (keep: Partial<Keep> = {}, more: Partial<Target> = {}) => {
  const target = vi.fn((): Target => ({ file: path.join(base, "out/f"), shown: "shown", ...more }));
  const stream = new Capture({ ...SMALL, ...keep }, target);
  return { stream, target };
};
const inFile = (): string => fs.readFileSync(path.join(base, "out/f"), "utf8");
/** Head and tail of what is shown. */
const ends = (text: string): [string, string] => {
  const [, head = "", tail = ""] = /^(.*?)\n?\[left out here: \d+ lines, \d+ bytes\]\n(.*)$/s.exec(text) ?? [];
  return [head, tail];
};

describe("what is cut", () => {
  const CHARACTERS = ["é", "À", "\u07ff", "\u0800", "€", "\u{10000}", "😀"];
  test.each(CHARACTERS)("is cut between characters, and not before it has to be: %s", async (character) => {
    for (let before = 0; before < 5; before += 1)
      for (let size = 5; size < 10; size += 1) {
        const text = `${"x".repeat(before)}${character.repeat(20)}${"y".repeat(before)}`;
        const { stream } = capture({ headBytes: size, tailBytes: size, fileBytes: 0 });
        stream.push(Buffer.from(text));
        const letters = [...text];
        const fitting = (from: readonly string[]) => {
          let count = 0;
          while (Buffer.byteLength(from.slice(0, count + 1).join("")) <= size) count += 1;
          return count;
        };
        const head = letters.slice(0, fitting(letters)).join("");
        const tail = letters.slice(letters.length - fitting([...letters].reverse())).join("");
        expect([before, size, ...ends(stream.captured().text)]).toEqual([before, size, head, tail]);
      }
  });

  test.each<[what: string, text: string, head: number, tail: number, shown: string]>([
    ["a break in the very middle of the head ends it", "ab\ncdefghij", 5, 2, "ab\ncd"],
    ["one at half of it does", "abc\ndefghij", 6, 2, "abc\n"],
    ["nothing is kept of the beginning", "abcdefgh", 0, 2, ""],
  ])("%s", (_, text, headBytes, tailBytes, head) => {
    const { stream } = capture({ headBytes, tailBytes, fileBytes: 0 });
    stream.push(Buffer.from(text));
    const { text: shown } = stream.captured();
    expect(shown.slice(0, shown.indexOf("[left out"))).toBe(head === "" || head.endsWith("\n") ? head : `${head}\n`);
  });

  test("a break right in the middle of the tail leaves the line before it", () => {
    const { stream } = capture({ headBytes: 2, tailBytes: 8, fileBytes: 0 });
    stream.push(Buffer.from("aaaaaaaabbbb\nccc"));
    expect(ends(stream.captured().text)[1]).toBe("bbbb\nccc");
  });

  test("lines are counted, also the one that the head ends in", () => {
    const { stream } = capture({ headBytes: 6, tailBytes: 4, fileBytes: 0 });
    stream.push(Buffer.from("abcdef\nb\nc\nd\ne\nf\n"));
    expect(stream.captured()).toMatchObject({ lines: 6, omittedLines: 3, omittedBytes: 7 });
  });

  test("a tail of several pieces that begins with a line has all of it", () => {
    const line = (letter: string) => `${letter.repeat(4999)}\n`;
    const { stream } = capture({ headBytes: 10, tailBytes: 10_000, fileBytes: 0 });
    for (const letter of "abcdef") stream.push(Buffer.from(line(letter)));
    expect(ends(stream.captured().text)[1]).toBe(line("e") + line("f"));
  });

  test("without a file there is no word of one", async () => {
    const { stream, target } = capture({ fileBytes: 0 });
    expect(stream.push(Buffer.from("0123456789"))).toBe(true);
    expect(Object.keys(stream.captured())).not.toContain("path");
    expect(Object.keys(stream.captured())).not.toContain("keptBytes");
    await stream.drained();
    await stream.end();
    expect(target).not.toHaveBeenCalled();
    expect(Object.keys(stream.captured())).not.toContain("path");
  });
});

describe("the file", () => {
  test("is given back when it is closed, and ends once", async () => {
    const done = vi.fn();
    const { stream } = capture({}, { done });
    stream.push(Buffer.from("0123456789"));
    expect(done).not.toHaveBeenCalled();
    await stream.end();
    await stream.end();
    await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(1));
    expect(inFile()).toBe("0123456789");
  });

  test("is given back, and is none, where its folder is a link", async () => {
    fs.mkdirSync(path.join(base, "elsewhere"));
    fs.symlinkSync("elsewhere", path.join(base, "out"));
    const done = vi.fn();
    const { stream } = capture({}, { done });
    expect(stream.push(Buffer.from("0123456789"))).toBe(true);
    await stream.end();
    expect([done.mock.calls.length, Object.keys(stream.captured()).includes("path")]).toEqual([1, false]);
    expect(fs.readdirSync(path.join(base, "elsewhere"))).toEqual([]);
  });

  test("of which a part was not granted has nothing of what comes later", async () => {
    const grants = [3, 100];
    const { stream } = capture({}, { grant: (bytes) => Math.min(bytes, grants.shift() ?? 0) });
    stream.push(Buffer.from("0123456789"));
    stream.push(Buffer.from("abcdefghij"));
    await stream.end();
    expect([inFile(), stream.captured().keptBytes]).toEqual(["012", 3]);
  });

  test("holds no more than it may", async () => {
    const { stream } = capture({ fileBytes: 12 });
    for (const piece of ["0123456789", "abcdefghij", "more"]) stream.push(Buffer.from(piece));
    await stream.end();
    expect([inFile(), stream.captured().keptBytes]).toEqual(["0123456789ab", 12]);
  });

  test("of which nothing was granted is none; one that exists already is not removed for it", async () => {
    const { stream } = capture({}, { grant: () => 0 });
    stream.push(Buffer.from("0123456789"));
    await stream.end();
    expect([fs.readdirSync(path.join(base, "out")), stream.captured().path]).toEqual([[], undefined]);
    fs.writeFileSync(path.join(base, "out/f"), "theirs");
    const { stream: other } = capture({}, { grant: () => 0 });
    other.push(Buffer.from("0123456789"));
    await vi.waitFor(() => expect(other.captured().path).toBeUndefined());
    await other.end();
    expect(inFile()).toBe("theirs");
  });

  test("that exists already is left alone; whoever waits for it goes on, and so does the command", async () => {
    fs.mkdirSync(path.join(base, "out"));
    fs.writeFileSync(path.join(base, "out/f"), "theirs");
    const { stream } = capture({ fileBytes: 1 << 24 });
    expect(stream.push(Buffer.alloc(1 << 21))).toBe(false);
    await stream.drained();
    expect(stream.push(Buffer.from("more"))).toBe(true);
    await stream.drained();
    await stream.end();
    expect([inFile(), Object.keys(stream.captured()).includes("path")]).toEqual(["theirs", false]);
  });
});
