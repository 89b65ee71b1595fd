import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk } from "../../../../test/contracts/disk.ts";
import type { FoundLine } from "../../../core/contracts/search.ts";
import type { Place } from "../../../core/words/touch.ts";
import { confirmed } from "./confirmed.ts";
import { foundLine, LONGEST_TEXT, Neighbours, withoutReturns } from "./found-lines.ts";
import { Settled } from "./settled.ts";

let one: Disk;
let top: Place;
beforeEach(() => {
  one = disk();
  top = one.at(".");
});
afterEach(() => void vi.restoreAllMocks());

/** As if the search had begun so many milliseconds from now. */
const begun = (inMs: number, place = top): Settled => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + inMs);
  const settled = new Settled(place);
  vi.mocked(Date.now).mockRestore();
  return settled;
};
const LATER = 60_000;

describe("folders that did not change since a search began", () => {
  const calm = (settled: Settled, ...files: string[]) => {
    const isSettled = settled.among(files);
    return files.filter(isSettled);
  };
  beforeEach(() => {
    for (const file of ["a", "d/b", "d/e/c", "f/g"]) one.put(file, file);
  });

  test("are told as they are", () => {
    expect(calm(begun(LATER), "a", "d/b", "d/e/c")).toEqual(["a", "d/b", "d/e/c"]);
    expect(calm(begun(-LATER), "a", "d/b", "d/e/c")).toEqual([]);
  });

  test("one that changed makes doubtful what is below it, and nothing beside it", () => {
    const settled = begun(LATER);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) =>
      file === one.on("d")
        ? Object.assign(look(file, ...more), { ctimeMs: Date.now() + 2 * LATER })
        : look(file, ...more)) as never);
    expect(calm(settled, "a", "d/b", "d/e/c", "f/g")).toEqual(["a", "f/g"]);
  });

  test.each<[what: string, other: Partial<fs.Stats>]>([
    ["a link", { isDirectory: () => false }],
    ["a folder of another disk", { dev: 12345 }],
  ])("%s in place of one is a doubt", (_, other) => {
    const settled = begun(LATER);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) =>
      file === one.on("d/e") ? Object.assign(look(file, ...more), other) : look(file, ...more)) as never);
    expect(calm(settled, "d/b", "d/e/c")).toEqual(["d/b"]);
  });

  test("a name that only begins alike is another folder", () => {
    one.put("dx/y", "y");
    const settled = begun(LATER);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((...given: unknown[]) => {
      const stats = look(...given);
      return given[0] === one.on("d") ? Object.assign(stats, { ctimeMs: Date.now() + 2 * LATER }) : stats;
    }) as never);
    expect(calm(settled, "d/b", "dx/y")).toEqual(["dx/y"]);
  });

  test("one that is gone is a doubt, and so is the root", () => {
    const settled = begun(LATER);
    fs.rmSync(one.on("d/e"), { recursive: true });
    expect(calm(settled, "d/e/c", "f/g")).toEqual(["f/g"]);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) => {
      if (file === one.root) throw new Error("gone");
      return look(file, ...more);
    }) as never);
    expect(calm(settled, "a", "f/g")).toEqual([]);
  });

  test("are looked at up to the root, also from a folder below", () => {
    const settled = begun(LATER, one.at("d"));
    expect(calm(settled, "b", "e/c")).toEqual(["b", "e/c"]);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string, ...more: unknown[]) =>
      file === one.root
        ? Object.assign(look(file, ...more), { ctimeMs: Date.now() + 2 * LATER })
        : look(file, ...more)) as never);
    expect(calm(settled, "b", "e/c")).toEqual([]);
  });

  test("nothing is settled where the clock is somebody else's", () => {
    const told = fs.statfsSync as (...given: unknown[]) => fs.StatsFs;
    vi.spyOn(fs, "statfsSync").mockImplementation(((...given: unknown[]) =>
      Object.assign(told(...given), { type: 0x6969 })) as never);
    expect(calm(begun(LATER), "a")).toEqual([]);
    vi.spyOn(fs, "statfsSync").mockImplementation(() => {
      throw new Error("gone");
    });
    expect(calm(begun(LATER), "a")).toEqual([]);
  });

  test("the whole disk is a folder like others", () => {
    const { dev } = fs.statSync("/");
    const changed: string[] = [];
    vi.spyOn(fs, "lstatSync").mockImplementation(((file: string) => ({
      ...{ dev, isDirectory: () => true, ctimeMs: changed.includes(file) ? Date.now() + 2 * LATER : 0 },
    })) as never);
    vi.spyOn(fs, "statfsSync").mockReturnValue({ type: 0xef53 } as never);
    const here = () => calm(begun(LATER, { shown: "/", real: "/", root: "/", exists: true }), "a", "etc/b", "usr/c");
    expect(here()).toEqual(["a", "etc/b", "usr/c"]);
    changed.push("/etc");
    expect(here()).toEqual(["a", "usr/c"]);
    changed.push("/");
    expect(here()).toEqual([]);
  });
});

describe("found lines", () => {
  const line = (path: string, number: number, text: string, more: Partial<FoundLine> = {}): FoundLine => ({
    ...{ path, line: number, text, hit: true },
    ...more,
  });
  const kept = (
    found: FoundLine[],
    runs: { below: string; from: number }[],
    offsets: number[],
    settled = begun(-LATER),
  ) => confirmed(found, { runs, offsets }, top, settled).map(({ path, line: number }) => `${path}:${number}`);

  test("are kept where they stand at their place in the file, and left out where they do not", () => {
    one.put("a", "one\ntwo\r\nthree");
    const found = [
      line("a", 1, "one"),
      line("a", 2, "two"),
      line("a", 3, "three"),
      line("a", 2, "other"),
      line("a", 1, "on"),
    ];
    expect(kept(found, [{ below: "a", from: 0 }], [0, 4, 9, 4, 0])).toEqual(["a:1", "a:2", "a:3"]);
    expect(kept([line("a", 1, "one")], [{ below: "a", from: 0 }], [4])).toEqual([]);
  });

  test("each run belongs to its own file", () => {
    one.put("a", "secret\n");
    one.put("b", "other\n");
    const runs = [
      { below: "a", from: 0 },
      { below: "empty", from: 1 },
      { below: "b", from: 1 },
      { below: "missing", from: 2 },
    ];
    const found = [line("a", 1, "secret"), line("b", 1, "secret"), line("missing", 1, "x")];
    expect(kept(found, runs, [0, 0, 0])).toEqual(["a:1"]);
    expect(kept(found, runs, [0, 0, 0], begun(LATER)), "nobody came between").toEqual(["a:1", "b:1", "missing:1"]);
  });

  test("are looked at again for each file that is not settled, and for no other", () => {
    one.put("doubtful", "other\n");
    const runs = [
      { below: "calm", from: 0 },
      { below: "doubtful", from: 1 },
    ];
    const found = [line("calm", 1, "was there"), line("doubtful", 1, "was never there")];
    const settled = { among: () => (below: string) => below === "calm" } as unknown as Settled;
    expect(kept(found, runs, [0, 0], settled)).toEqual(["calm:1"]);
  });

  test("end where they end, in a long file", () => {
    one.put("a", `one\n${"x".repeat(9_000)}\n`);
    expect(kept([line("a", 1, "one")], [{ below: "a", from: 0 }], [0])).toEqual(["a:1"]);
  });

  test.each([
    [0xef, 0xbb, 0x80],
    [0xef, 0x80, 0xbf],
    [0x61, 0xbb, 0xbf],
  ])("what only begins like the mark of UTF-8 counts: %i %i %i", (...bytes) => {
    one.put("a", Buffer.concat([Buffer.from(bytes), Buffer.from("\ntwo\n")]));
    expect(kept([line("a", 2, "two")], [{ below: "a", from: 0 }], [4])).toEqual(["a:2"]);
  });

  test("of a swapped folder are left out, and those of others stay", () => {
    one.put("d/f", "inside\n");
    one.put("e/f", "inside\n");
    fs.rmSync(one.on("d"), { recursive: true });
    fs.writeFileSync(`${one.outside}/f`, "inside\n");
    fs.symlinkSync("../outside", one.on("d"));
    const runs = [
      { below: "d/f", from: 0 },
      { below: "e/f", from: 1 },
    ];
    expect(kept([line("d/f", 1, "inside"), line("e/f", 1, "inside")], runs, [0, 0])).toEqual(["e/f:1"]);
    expect(one.leaks()).toEqual([]);
  });

  test("a part of a long line is enough, and long lines are read whole", () => {
    const long = `${"x".repeat(9_000)}needle${"y".repeat(9_000)}`;
    one.put("a", `${long}\nnext\n`);
    const part = line("a", 1, "xneedley", { left: 10 });
    expect(
      kept([part, line("a", 1, long), line("a", 2, "next")], [{ below: "a", from: 0 }], [0, 0, long.length + 1]),
    ).toEqual([...["a:1", "a:1", "a:2"]]);
    expect(kept([line("a", 1, "xneedley")], [{ below: "a", from: 0 }], [0])).toEqual([]);
    expect(kept([line("a", 1, "absent", { left: 10 })], [{ below: "a", from: 0 }], [0])).toEqual([]);
  });

  test("behind the mark of UTF-8 bytes are counted anew, and of UTF-16 the lines", () => {
    one.put("utf8", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("one\ntwo\n")]));
    expect(kept([line("utf8", 2, "two")], [{ below: "utf8", from: 0 }], [4])).toEqual(["utf8:2"]);
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("one\ntwo\n", "utf16le")]);
    one.put("little", little);
    one.put("big", Buffer.from(little).swap16());
    for (const name of ["little", "big"]) {
      const run = [{ below: name, from: 0 }];
      expect(kept([line(name, 2, "two"), line(name, 1, "two"), line(name, 9, "two")], run, [4, 0, 9])).toEqual([
        `${name}:2`,
      ]);
    }
  });
});

describe("a line as it is handed on", () => {
  test("without the returns at its end, and with its place where it is long", () => {
    expect(["a\r", "a\r\r", "a", "\r", "a\rb"].map(withoutReturns)).toEqual(["a", "a", "a", "", "a\rb"]);
    expect(foundLine("p", 1, "short\r", true, 3)).toEqual({ path: "p", line: 1, text: "short", hit: true });
    expect(foundLine("p", 1, "x".repeat(200), true, 3)).not.toHaveProperty("at");
    expect(foundLine("p", 1, "x".repeat(201), true, 3)).toMatchObject({ at: 3 });
    expect(foundLine("p", 1, "x".repeat(201), true, 999)).toMatchObject({ at: 201 });
    expect(foundLine("p", 1, "x".repeat(LONGEST_TEXT), true, 3)).not.toHaveProperty("left");
  });

  test.each([
    [0, 0, 0],
    [LONGEST_TEXT, LONGEST_TEXT / 2, LONGEST_TEXT / 2],
    [3 * LONGEST_TEXT - 1, 2 * LONGEST_TEXT, LONGEST_TEXT - 1],
  ])("of a huge one with a hit at %i the part around it, from %i on", (at, start, inPart) => {
    const text = Array.from({ length: 3 * LONGEST_TEXT }, (_, n) => String.fromCharCode(97 + (n % 26))).join("");
    const found = foundLine("p", 1, text, true, at);
    expect(found.text).toBe(text.slice(start, start + LONGEST_TEXT));
    expect([found.at, found.left]).toEqual([inPart, 2 * LONGEST_TEXT]);
  });

  test("with its neighbours, each once, also over pieces", () => {
    const told = (context: number, ...pieces: [string, number[]][]) => {
      const neighbours = new Neighbours("p", context);
      return pieces
        .flatMap(([piece, hits]) => neighbours.add(piece, hits))
        .map(({ line: number, text, hit }) => `${number}${hit ? "!" : ""}${text}`)
        .join(" ");
    };
    expect(told(0, ["a\nb\nc\n", [1, 0]], ["d\n", [0, 0]])).toBe("2!b 4!d");
    expect(told(1, ["a\nb\nc\nd\ne\n", [2, 0]])).toBe("2b 3!c 4d");
    expect(told(1, ["a\nb\nc\n", [0, 0, 2, 0]])).toBe("1!a 2b 3!c");
    expect(told(2, ["a\nb\nc\nd\ne\nf\n", [3, 0]])).toBe("2b 3c 4!d 5e 6f");
    expect(told(1, ["a\nb", []], ["c\nd\n", [0, 0]])).toBe("2b 3!c 4d");
    expect(told(1, ["a\nb\n", [1, 0]], ["c\nd\n", []])).toBe("1a 2!b 3c");
  });
});
