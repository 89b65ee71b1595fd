import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newChange } from "../../../test/contracts/store-samples.ts";
import { folder } from "../../../test/journeys/harness.ts";
import type { NewChange } from "../../core/contracts/store/changes.ts";
import { type KeptFiles, keptFiles } from "./content-files.ts";

const LEAST = 1 << 17;
const DAY = 86_400_000;
const LARGE = Buffer.alloc(LEAST + 70_000, "a line like any other\n");
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const HASH = hashOf(LARGE);

let dir: string;
let kept: string;
let files: KeptFiles;
beforeEach(() => {
  dir = folder({ a: LARGE });
  kept = path.join(dir, "contents");
  files = keptFiles(kept);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + DAY);
});
afterEach(() => void vi.restoreAllMocks());

const at = (name: string): string => path.join(dir, name);
const keptAs = (hash = HASH): string => path.join(kept, hash);
const change = (more: Partial<NewChange> = {}): NewChange =>
  newChange(at("a"), { before: HASH, after: "other", content: LARGE, replaced: true, ...more });

/** How many files this process has open below the folder. */
const openHere = (): number =>
  fs.readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(dir);
    } catch {
      return false;
    }
  }).length;

describe("taking a file", () => {
  test("gives it a second name in a folder for its owner alone", () => {
    expect(files.take(change())).toBe(true);
    expect(fs.statSync(keptAs()).ino).toBe(fs.statSync(at("a")).ino);
    expect(fs.statSync(kept).mode & 0o777).toBe(0o700);
  });

  test.each([
    [LEAST, true],
    [LEAST - 1, false],
  ])("of %i bytes: %s", (size, taken) => {
    const content = LARGE.subarray(0, size);
    fs.writeFileSync(at("a"), content);
    expect(files.take(change({ before: hashOf(content), content }))).toBe(taken);
  });

  test.each<[string, Partial<NewChange>]>([
    ["that is written into", { replaced: false }],
    ["of which nobody says how it is changed", { replaced: undefined as never }],
    ["whose content is not told", { content: null }],
    ["that was not there", { before: null }],
    ["under a name that leads elsewhere", { before: `../${HASH}` }],
    ["under a name that is too long", { before: `${HASH}0` }],
    ["under a name that is too short", { before: HASH.slice(1) }],
    ["under a name in capitals", { before: HASH.toUpperCase() }],
  ])("%s: not taken", (_, more) => {
    expect(files.take(change(more))).toBe(false);
    expect(fs.existsSync(kept)).toBe(false);
    expect(fs.statSync(at("a")).nlink).toBe(1);
  });

  test.each([0o4755, 0o2755, 0o1755])("with the mode %o: not taken", (mode) => {
    fs.chmodSync(at("a"), mode);
    expect(files.take(change())).toBe(false);
    expect(fs.existsSync(kept)).toBe(false);
  });

  test.each([
    ["in its first byte", 0],
    ["in its last byte", LARGE.length - 1],
    ["in a later piece", 1 << 16],
  ])("that differs %s is not taken, and has no second name", (_, index) => {
    const other = Buffer.from(LARGE);
    other[index] = 0;
    fs.writeFileSync(at("a"), other);
    expect(files.take(change())).toBe(false);
    expect(fs.readdirSync(kept)).toEqual([]);
  });

  test.each([1, -1])("that is longer or shorter by a byte is not taken (%i)", (by) => {
    fs.truncateSync(at("a"), LARGE.length + by);
    expect(files.take(change())).toBe(false);
    expect(fs.readdirSync(kept)).toEqual([]);
  });

  test("that got another name while it was taken is not", () => {
    const { linkSync } = fs;
    vi.spyOn(fs, "linkSync").mockImplementation((from, to) => {
      linkSync(from, to);
      linkSync(from, at("third"));
    });
    expect(files.take(change())).toBe(false);
    expect(fs.readdirSync(kept)).toEqual([]);
  });

  test("replaces what lies there under its name", () => {
    fs.mkdirSync(kept);
    fs.writeFileSync(keptAs(), "left by somebody");
    expect(files.take(change())).toBe(true);
    expect(LARGE.equals(files.read(HASH) ?? new Uint8Array())).toBe(true);
  });

  test("in a folder of kept files that is a file itself: not taken, and that stays", () => {
    fs.writeFileSync(kept, "a file");
    expect(files.take(change())).toBe(false);
    expect(fs.readFileSync(kept, "utf8")).toBe("a file");
  });

  test.each([
    ["a minute and a bit ago", 60_001, true],
    ["a minute ago", 60_000, false],
    ["just now", 0, false],
  ])("that was written %s: %s", (_, ago, taken) => {
    const { ctimeMs } = fs.statSync(at("a"));
    vi.mocked(Date.now).mockReturnValue(ctimeMs + ago);
    expect(files.take(change())).toBe(taken);
  });

  test("that we left ourselves need not settle, if it is what we left, where we left it", () => {
    vi.mocked(Date.now).mockReturnValue(fs.statSync(at("a")).ctimeMs);
    const next = Buffer.alloc(LEAST, "next");
    const asNext = change({ before: hashOf(next), content: next });
    expect(files.take(change({ after: hashOf(next) })), "not yet").toBe(false);
    fs.writeFileSync(at("a"), next);
    fs.writeFileSync(at("b"), next);
    expect(files.take({ ...asNext, real: at("b") }), "somewhere else").toBe(false);
    expect(files.take(change({ before: HASH, after: hashOf(next) })), "not what we left").toBe(false);
    expect(files.take(asNext)).toBe(true);
  });
});

describe("what is kept", () => {
  test("is relied on while it is whole and nobody else's, or the very file that is replaced", () => {
    expect(files.keeps(change()), "nothing is there").toBe(false);
    files.take(change());
    expect(files.keeps(change()), "still at its place").toBe(true);
    expect(files.keeps(change({ replaced: false })), "which will be written into").toBe(false);
    const there = fs.lstatSync(at("a"));
    vi.spyOn(fs, "lstatSync").mockReturnValueOnce({ ...there, dev: there.dev + 1 } as fs.Stats);
    expect(files.keeps(change()), "of the same number on another disk").toBe(false);
    expect(files.keeps(change({ real: at("b") })), "gone from the place that is changed").toBe(false);
    fs.writeFileSync(at("b"), LARGE);
    expect(files.keeps(change({ real: at("b") })), "another file with the same content").toBe(false);
    fs.rmSync(at("a"));
    for (const replaced of [true, false]) expect(files.keeps(change({ replaced })), "ours alone").toBe(true);
    fs.linkSync(keptAs(), at("c"));
    fs.linkSync(keptAs(), at("a"));
    expect(files.keeps(change()), "three names").toBe(false);
  });

  test.each<[string, Partial<NewChange>]>([
    ["no content", { content: null }],
    ["no hash", { before: null }],
    ["another content", { content: LARGE.map((byte) => byte ^ 1) }],
    ["a longer content", { content: Buffer.concat([LARGE, LARGE]) }],
  ])("is not relied on with %s", (_, more) => {
    files.take(change());
    fs.rmSync(at("a"));
    expect(files.keeps(change(more))).toBe(false);
  });

  test("comes back byte for byte, and not as a part of a larger buffer", () => {
    files.take(change());
    expect(LARGE.equals(files.read(HASH) ?? new Uint8Array())).toBe(true);
    expect(files.read(HASH)?.constructor).toBe(Uint8Array);
  });

  const odd: [string, () => void][] = [
    ["gone", () => {}],
    ["a link to it", () => fs.symlinkSync(at("a"), keptAs())],
    ["a folder", () => fs.mkdirSync(keptAs())],
    ["a pipe", () => execFileSync("mkfifo", [keptAs()])],
    ["another content", () => fs.writeFileSync(keptAs(), "other")],
  ];
  test.each(odd)("that is %s is gone, and is neither waited for nor followed", (_, make) => {
    fs.mkdirSync(kept);
    make();
    expect(files.read(HASH)).toBeUndefined();
    expect(files.keeps(change())).toBe(false);
  });

  test("in a folder that is a file is gone; what cannot be told is an error", () => {
    fs.writeFileSync(kept, "a file");
    expect(files.read(HASH)).toBeUndefined();
    const failing = (code: string) => () => {
      throw Object.assign(new Error(code), { code });
    };
    vi.spyOn(fs, "openSync").mockImplementationOnce(failing("ENXIO"));
    expect(files.read(HASH), "a socket").toBeUndefined();
    vi.spyOn(fs, "openSync").mockImplementation(failing("EIO"));
    expect(() => files.read(HASH)).toThrow("EIO");
    expect(files.keeps(change())).toBe(false);
  });

  test("is closed again after every look", ({ skip }) => {
    skip(!fs.existsSync("/proc/self/fd"), "only Linux tells which files are open");
    files.take(change());
    files.read(HASH);
    files.keeps(change());
    vi.spyOn(fs, "readSync").mockImplementation(() => {
      throw new Error("no");
    });
    files.keeps(change());
    expect(openHere()).toBe(0);
  });

  test("a file that ends early while it is read does not hold what it should", () => {
    files.take(change());
    vi.spyOn(fs, "readSync").mockReturnValue(0);
    expect(files.keeps(change())).toBe(false);
  });
});

describe("dropping the rest", () => {
  const other = hashOf(Buffer.from("other"));

  test("leaves what is known and what is not ours by its name", () => {
    fs.mkdirSync(kept);
    for (const name of [HASH, other, "notes.txt", `${other}.bak`]) fs.writeFileSync(path.join(kept, name), "x");
    files.dropAllBut(new Set([HASH]));
    expect(fs.readdirSync(kept).sort()).toEqual([HASH, `${other}.bak`, "notes.txt"].sort());
  });

  test("goes on past what cannot be dropped", () => {
    fs.mkdirSync(path.join(kept, "0".repeat(64)), { recursive: true });
    fs.writeFileSync(keptAs(other), "x");
    files.dropAllBut(new Set());
    expect(fs.readdirSync(kept)).toEqual(["0".repeat(64)]);
  });

  test("never through a link, and without a folder it is nothing", () => {
    files.dropAllBut(new Set());
    const elsewhere = folder({ [other]: "precious" });
    fs.symlinkSync(elsewhere, kept);
    files.dropAllBut(new Set());
    expect(fs.readdirSync(elsewhere)).toEqual([other]);
    fs.rmSync(kept);
    fs.writeFileSync(kept, "a file");
    files.dropAllBut(new Set());
    expect(fs.readFileSync(kept, "utf8")).toBe("a file");
  });
});
