import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ByteWindow } from "./byte-window.ts";
import { Capture } from "./capture.ts";
import { Feed } from "./feed.ts";

let base = "";
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-capture-")));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const kept = async (
  text: string | Buffer,
  keep: { headBytes: number; tailBytes: number; fileBytes?: number },
  name = "out/f",
) => {
  const stream = new Capture({ fileBytes: 1000, ...keep }, () => ({ file: path.join(base, name), shown: "shown" }));
  stream.push(Buffer.from(text));
  await stream.end();
  return { ...stream.captured(), stream };
};

describe("where a long output is cut", () => {
  const rows: [what: string, text: string, head: number, tail: number, shown: string][] = [
    ["at the last whole line", "one\ntwo\nthree\nfour\n", 10, 6, "one\ntwo\n[left out here: 1 lines, 6 bytes]\nfour\n"],
    [
      "at a line that ends right there",
      "aaa\nbbb\nccc\nddd\n",
      8,
      4,
      "aaa\nbbb\n[left out here: 1 lines, 4 bytes]\nddd\n",
    ],
    [
      "in a line, where the last break is too far back",
      "a\nbbbbbbbbbbbbbbbbbbbbcc\n",
      10,
      4,
      "a\nbbbbbbbb\n[left out here: 0 lines, 11 bytes]\nbcc\n",
    ],
    [
      "in a line, where the next break is too far on",
      "aaaa\nbbbbbbbbbbbbb\nc",
      5,
      6,
      "aaaa\n[left out here: 0 lines, 9 bytes]\nbbbb\nc",
    ],
    [
      "behind the first break of the tail",
      "aaaa\nbbbbbbbb\nccccc\n",
      5,
      8,
      "aaaa\n[left out here: 1 lines, 9 bytes]\nccccc\n",
    ],
    ["between two-byte characters", "ü".repeat(10), 5, 5, "üü\n[left out here: 0 lines, 12 bytes]\nüü"],
    ["between three-byte characters", "漢".repeat(10), 7, 8, "漢漢\n[left out here: 0 lines, 18 bytes]\n漢漢"],
    ["between four-byte characters", "🙂".repeat(10), 7, 7, "🙂\n[left out here: 0 lines, 32 bytes]\n🙂"],
    ["behind a character that is whole", "a漢b漢c漢d漢e", 4, 4, "a漢\n[left out here: 0 lines, 9 bytes]\n漢e"],
  ];
  test.each(rows)("%s", async (_, text, headBytes, tailBytes, shown) => {
    const { text: told, bytes, omittedBytes, lines } = await kept(text, { headBytes, tailBytes });
    expect(told).toBe(shown);
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(omittedBytes).toBe(Number(/(\d+) bytes/.exec(shown)?.[1]));
    expect(lines).toBe(text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
  });

  test("bytes that are no text at all are cut anywhere, and counted", async () => {
    const { omittedBytes, lines } = await kept(Buffer.alloc(100, 0x80), { headBytes: 10, tailBytes: 10 });
    expect([omittedBytes, lines]).toEqual([80, 1]);
  });

  test("what just fits is whole, and needs no file", async () => {
    const { text, omittedBytes, path: file } = await kept("0123456789", { headBytes: 5, tailBytes: 5 });
    expect([text, omittedBytes, file, fs.readdirSync(base)]).toEqual(["0123456789", 0, undefined, []]);
  });
});

describe("the file of a long output", () => {
  const long = "x".repeat(100);
  const keep = { headBytes: 10, tailBytes: 10 };

  test("is its owner's alone, in a folder that is too", async () => {
    expect((await kept(long, keep)).path).toBe("shown");
    expect(fs.statSync(path.join(base, "out/f")).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(base, "out")).mode & 0o777).toBe(0o700);
  });

  test("takes the place of nothing", async () => {
    fs.mkdirSync(path.join(base, "out"));
    fs.writeFileSync(path.join(base, "out/f"), "mine");
    expect((await kept(long, keep)).path).toBeUndefined();
    expect(fs.readFileSync(path.join(base, "out/f"), "utf8")).toBe("mine");
  });

  test("is not put behind a link", async () => {
    fs.mkdirSync(path.join(base, "elsewhere"));
    fs.symlinkSync("elsewhere", path.join(base, "out"));
    expect(await kept(long, keep)).toMatchObject({ bytes: 100, omittedBytes: 80 });
    expect(fs.readdirSync(path.join(base, "elsewhere"))).toEqual([]);
  });

  test("ends at its limit to the byte, though a piece goes beyond it", async () => {
    await kept(long, { ...keep, fileBytes: 33 });
    expect(fs.statSync(path.join(base, "out/f")).size).toBe(33);
  });

  test("after the end nothing is added, and whoever waits goes on at once", async () => {
    const { stream } = await kept(long, keep);
    const before = stream.captured();
    expect(stream.push(Buffer.from("more"))).toBe(true);
    await stream.drained();
    await stream.end();
    expect(stream.captured()).toEqual(before);
    expect(fs.statSync(path.join(base, "out/f")).size).toBe(100);
  });

  test("a slow disk is waited for", async () => {
    const stream = new Capture({ ...keep, fileBytes: 100_000_000 }, () => ({
      file: path.join(base, "out/f"),
      shown: "f",
    }));
    const piece = Buffer.alloc(3 << 20, "x");
    expect(stream.push(piece)).toBe(false);
    await stream.drained();
    expect(stream.push(Buffer.from("x"))).toBe(true);
    await stream.end();
    expect(fs.statSync(path.join(base, "out/f")).size).toBe((3 << 20) + 1);
  });
});

describe("bytes that are given up from the front", () => {
  const text = (bytes: ByteWindow) => Buffer.concat(bytes.chunks()).toString();

  test("exactly so many, across pieces, or all there are", () => {
    const bytes = new ByteWindow();
    for (const piece of ["abc", "x".repeat(5000), "de", "y".repeat(5000), "f"]) bytes.push(Buffer.from(piece));
    expect([bytes.drop(2), bytes.bytes, text(bytes)[0]]).toEqual([2, 10_004, "c"]);
    expect([bytes.drop(5001), text(bytes).slice(0, 3)]).toEqual([5001, "dey"]);
    expect(bytes.drop(0)).toBe(0);
    expect([bytes.drop(10_000), bytes.bytes, text(bytes)]).toEqual([5003, 0, ""]);
    bytes.push(Buffer.from("new"));
    expect([bytes.bytes, text(bytes)]).toEqual([3, "new"]);
  });

  test("small pieces are joined, large ones are not copied; what was given up is let go", () => {
    const bytes = new ByteWindow();
    for (let turn = 0; turn < 100; turn++) bytes.push(Buffer.from("0123456789"));
    expect(bytes.chunks()).toHaveLength(1);
    const large = Buffer.alloc(5000);
    bytes.push(large);
    expect(bytes.chunks().at(-1)).toBe(large);
    for (let turn = 0; turn < 200; turn++) bytes.push(Buffer.alloc(4096, turn));
    bytes.drop(6000 + 150 * 4096);
    expect([bytes.chunks().length, bytes.chunks()[0]?.[0], bytes.bytes]).toEqual([50, 150, 50 * 4096]);
  });

  test("a feed that lost something forgets what it had begun to decode", () => {
    const feed = new Feed(8);
    expect(feed.isEmpty).toBe(true);
    feed.push("stdout", Buffer.from("a\x1b[3"));
    expect(feed.isEmpty).toBe(false);
    expect(feed.take()).toEqual({ text: "a", droppedBytes: 0 });
    feed.push("stderr", Buffer.from("0123456789"));
    feed.push("stdout", Buffer.from("m!"));
    expect(feed.take()).toEqual({ text: "456789m!", droppedBytes: 4 });
    expect(feed.isEmpty).toBe(true);
  });
});
