import { describe, expect, test } from "vitest";
import type { FoundLine } from "../../../core/contracts/search.ts";
import { LONGEST_TEXT } from "./found-lines.ts";
import { RipgrepLines } from "./ripgrep-output.ts";

const hit = (line: number, column: number | undefined, offset: number, text: string) =>
  `${line}\0${column === undefined ? "" : `${column}\0`}${offset}\0${text}\n`;
const near = (line: number, offset: number, text: string) => `${line}\x01${offset}\x01${text}\n`;
const file = (name: string) => `./${name}\0`;

const all = (
  output: string | Buffer,
  size = Number.POSITIVE_INFINITY,
  show = (below: string): string | undefined => `shown/${below}`,
) => {
  const lines = new RipgrepLines(show);
  const bytes = Buffer.from(output);
  const found: FoundLine[] = [];
  const offsets: number[] = [];
  const runs: string[] = [];
  const step = (piece: Buffer | undefined) => {
    const more = lines.parse(piece);
    for (const { below, from } of lines.runs) if (below !== "") runs.push(`${below}@${found.length + from}`);
    found.push(...more);
    offsets.push(...lines.offsets);
  };
  for (let at = 0; at < bytes.length; at += size) step(bytes.subarray(at, Math.min(at + size, bytes.length)));
  step(undefined);
  return { found, offsets, runs };
};

const OUTPUT = [
  `${file("a.ts")}${hit(1, 3, 0, "xyhit")}${near(2, 6, "after")}--\n${hit(9, 1, 60, "hit\r")}\n`,
  `${file("d/b.ts")}${near(4, 10, "before")}${hit(5, 2, 17, "ühit")}\n`,
].join("");
const FOUND = [
  { path: "shown/a.ts", line: 1, text: "xyhit", hit: true },
  { path: "shown/a.ts", line: 2, text: "after", hit: false },
  { path: "shown/a.ts", line: 9, text: "hit", hit: true },
  { path: "shown/d/b.ts", line: 4, text: "before", hit: false },
  { path: "shown/d/b.ts", line: 5, text: "ühit", hit: true },
];

describe("what ripgrep prints", () => {
  test("is read into lines, with the file and the place of each", () => {
    const { found, offsets, runs } = all(OUTPUT);
    expect(found).toEqual(FOUND);
    expect(offsets).toEqual([0, 6, 60, 10, 17]);
    expect(runs).toEqual(["a.ts@0", "d/b.ts@3", "d/b.ts@5"]);
  });

  test.each([1, 2, 3, 5, 7, 11, 50])("comes out the same in pieces of %i bytes", (size) => {
    const { found, offsets } = all(OUTPUT, size);
    expect(found).toEqual(FOUND);
    expect(offsets).toEqual([0, 6, 60, 10, 17]);
  });

  test("goes on behind a file that was not read to its end", () => {
    const said = './a: WARNING: stopped searching binary file after match (found "\\0" byte)\n';
    const { found } = all(`${file("a")}${hit(1, 1, 0, "x")}${said}\n${file("b")}${hit(2, 1, 0, "y")}`);
    expect(found.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual(["shown/a:1 x", "shown/b:2 y"]);
  });

  test("numbers of a line are no column", () => {
    const { found, offsets } = all(`${file("a")}${hit(1, undefined, 7, "12")}${hit(2, undefined, 9, "")}`);
    expect(found.map(({ text }) => text)).toEqual(["12", ""]);
    expect(offsets).toEqual([7, 9]);
  });

  test("the last line may lack its end, and an empty output is none", () => {
    expect(all(`${file("a")}${hit(1, 1, 0, "x")}`.slice(0, -1)).found).toEqual([
      { path: "shown/a", line: 1, text: "x", hit: true },
    ]);
    expect(all("").found).toEqual([]);
  });

  test("a file that is not shown gives no lines, and the next one does", () => {
    const show = (below: string) => (below === "a.ts" ? undefined : below);
    const { found, offsets } = all(OUTPUT, Number.POSITIVE_INFINITY, show);
    expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual(["d/b.ts:4", "d/b.ts:5"]);
    expect(offsets).toEqual([10, 17]);
  });

  test("no content is taken for a path, a separator or a line", () => {
    const text = [
      file("a"),
      hit(1, 1, 0, "./b"),
      hit(2, 1, 4, "--"),
      hit(3, 1, 7, "7\u00001\u00000\u0000x"),
      hit(4, 1, 9, ""),
      "rubbish\n",
    ].join("");
    expect(all(text).found.map(({ line, text: content }) => [line, content])).toEqual([
      [1, "./b"],
      [2, "--"],
      [3, "7\u00001\u00000\u0000x"],
      [4, ""],
    ]);
  });

  test("a name with a line break is one name, whenever its end comes", () => {
    const text = `${file("a\nb")}${hit(1, 1, 0, "x")}`;
    for (const size of [4, 5, 6, 100]) expect(all(text, size).found.map(({ path }) => path)).toEqual(["shown/a\nb"]);
  });

  test("a hit without a column is at the very end of its line", () => {
    const long = "y".repeat(300);
    const { found, offsets } = all(`${file("a")}${hit(3, undefined, 12, long)}${hit(4, undefined, 400, "short")}`);
    expect(found).toEqual([
      { path: "shown/a", line: 3, text: long, hit: true, at: 300 },
      { path: "shown/a", line: 4, text: "short", hit: true },
    ]);
    expect(offsets).toEqual([12, 400]);
  });

  test("a column is counted in bytes, and told in characters where the line is long", () => {
    const long = `${"ü".repeat(100)}needle${"x".repeat(200)}`;
    expect(all(`${file("a")}${hit(1, 201, 0, long)}`).found[0]?.at).toBe(100);
    expect(all(`${file("a")}${hit(1, 1, 0, long)}`).found[0]?.at).toBe(0);
  });

  test("that it stopped at a binary file is no line", () => {
    const said = './a: WARNING: stopped searching binary file after match (found "\\0" byte)\n';
    expect(all(`${file("a")}${hit(1, 1, 0, "x")}${said}${hit(2, 1, 2, "y")}`).found).toHaveLength(2);
  });
});

describe("a line that is too long to be held", () => {
  const huge = (before: number, after: number) => `${"x".repeat(before)}needle${"y".repeat(after)}`;
  const told = (text: string, size = 16 * 1024, show?: (below: string) => string | undefined) => all(text, size, show);

  test.each([
    [0, 5 * LONGEST_TEXT, 0, 0],
    [3 * LONGEST_TEXT, 3 * LONGEST_TEXT, 2.5 * LONGEST_TEXT, LONGEST_TEXT / 2],
  ])("with a hit after %i characters is told by what lies around it", (before, after, start, at) => {
    const line = huge(before, after);
    const { found, offsets, runs } = told(`${file("a")}${hit(7, before + 1, 99, line)}${hit(8, 1, 5, "next")}`);
    expect(found).toEqual([
      {
        ...{ path: "shown/a", line: 7, hit: true, at, left: line.length - LONGEST_TEXT },
        text: line.slice(start, start + LONGEST_TEXT),
      },
      { path: "shown/a", line: 8, text: "next", hit: true },
    ]);
    expect(offsets).toEqual([99, 5]);
    expect(runs[0]).toBe("a@0");
  });

  test("as a neighbour it is no hit, and one without a column begins at its beginning", () => {
    const line = huge(0, 4 * LONGEST_TEXT);
    const { found, offsets } = told(`${file("a")}${hit(1, 1, 0, "x")}${near(2, 2, line)}${hit(3, undefined, 7, line)}`);
    expect(found.map(({ line: number, hit: isHit, at }) => [number, isHit, at])).toEqual([
      [1, true, undefined],
      [2, false, 0],
      [3, true, 0],
    ]);
    expect(offsets).toEqual([0, 2, 7]);
  });

  test("of a file that is not shown is dropped, and what follows it is read", () => {
    const text = `${file("no")}${hit(1, 1, 0, huge(0, 4 * LONGEST_TEXT))}\n${file("yes")}${hit(2, 1, 0, "x")}`;
    expect(told(text, 8 * 1024, (below) => (below === "no" ? undefined : below)).found).toEqual([
      { path: "yes", line: 2, text: "x", hit: true },
    ]);
  });

  test("at the end of the output it is told, though it has no end", () => {
    const text = `${file("a")}${hit(1, 1, 0, huge(0, 4 * LONGEST_TEXT))}`.slice(0, -1);
    expect(told(text).found).toHaveLength(1);
  });
});
