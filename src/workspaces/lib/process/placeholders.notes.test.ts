import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Placeholders } from "./placeholders.ts";

let root = "";
let state = "";
let one = "";
let two = "";
let opened: Placeholders[] = [];

function setUp(): void {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "placeholders-")));
  state = path.join(root, "state");
  one = path.join(root, "one");
  two = path.join(root, "two");
  opened = [];
}
function tearDown(): void {
  vi.restoreAllMocks();
  for (const each of opened) each.close();
  fs.rmSync(root, { recursive: true, force: true });
}
beforeEach(setUp);
afterEach(tearDown);

let count = 0;
function open(id = `p${count++}`): Placeholders {
  const placeholders = new Placeholders(state, id);
  opened.push(placeholders);
  return placeholders;
}
const hold = (placeholders: Placeholders): string[] => placeholders.hold([one, two], () => []);
const inRoot = (): string[] => fs.readdirSync(root).sort();

/** As if its process had been killed. */
function die(id: string): void {
  const file = path.join(state, `${id}.lease`);
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, "utf8")), since: "long ago" }));
}

describe("placeholders", () => {
  /** What a process says of itself to others. */
  const notedBy = (id: string): string[] => JSON.parse(fs.readFileSync(path.join(state, `${id}.lease`), "utf8")).paths;
  const files: Record<string, () => void> = {
    "a file": () => fs.writeFileSync(one, "theirs"),
    "a folder that is not empty": () => fs.mkdirSync(path.join(one, "inside"), { recursive: true }),
    "a link to an empty folder": () => {
      fs.mkdirSync(path.join(root, "empty"));
      fs.symlinkSync("empty", one);
    },
  };

  test.each(Object.keys(files))("%s needs none, and then nobody is told of anything", (kind) => {
    files[kind]?.();
    expect(open().hold([one], () => [])).toEqual([]);
    open().release([]);
    expect(fs.existsSync(state)).toBe(false);
  });

  test.each([...Object.keys(files), "an empty folder"])("%s of a person's is neither held nor removed", (kind) => {
    if (files[kind]) files[kind]();
    else fs.mkdirSync(one);
    const placeholders = open("mine");
    const held = hold(placeholders);
    expect([held, notedBy("mine")]).toEqual([[two], [two]]);
    placeholders.release(held);
    expect([fs.existsSync(one), fs.existsSync(two)]).toEqual([true, false]);
  });

  test("names that come into question later are held too, and are asked for by what is held", () => {
    fs.writeFileSync(one, "theirs");
    const asked: string[][] = [];
    const further = (held: readonly string[]): string[] => {
      asked.push([...held]);
      return [path.join(root, "three")];
    };
    const placeholders = open();
    expect(placeholders.hold([one, two], further)).toEqual([two, path.join(root, "three")]);
    expect(asked).toEqual([[], [two]]);
    expect(placeholders.hold([one], () => [path.join(root, "three")])).toEqual([path.join(root, "three")]);
  });

  test("all that is held is noted, whatever is held or released later", () => {
    const placeholders = open("mine");
    placeholders.hold([one], () => []);
    placeholders.hold([two], () => []);
    expect(notedBy("mine")).toEqual([one, two]);
    placeholders.release([one]);
    expect(notedBy("mine")).toEqual([two]);
    placeholders.release([two]);
    expect(notedBy("mine")).toEqual([]);
  });

  test("one that another process holds, and that a person has filled since, is held by nobody else", () => {
    hold(open());
    fs.writeFileSync(path.join(one, "inside"), "");
    expect(hold(open())).toEqual([two]);
  });

  test("is only mine as long as no other process holds it too, and while it is empty", () => {
    const [mine, theirs] = [open(), open()];
    hold(mine);
    expect(mine.isOnlyMine(one)).toBe(true);
    const held = theirs.hold([one], () => []);
    expect([mine.isOnlyMine(one), mine.isOnlyMine(two)]).toEqual([false, true]);
    theirs.release(held);
    fs.writeFileSync(path.join(one, "inside"), "");
    expect(mine.isOnlyMine(one)).toBe(false);
  });

  test("a note about another root goes once what it names is gone", () => {
    hold(open("dead"));
    die("dead");
    fs.rmdirSync(two);
    const next = open();
    next.release(next.hold([one], () => []));
    expect(fs.existsSync(path.join(state, "dead.lease"))).toBe(false);
  });

  test.each(["EACCES", "EROFS"])("where nothing can be made (%s) none is needed", (code) => {
    const access = fs.accessSync;
    vi.spyOn(fs, "accessSync").mockImplementation((file, how) => {
      if (file === root && how === fs.constants.W_OK) throw Object.assign(new Error(code), { code });
      access(file, how);
    });
    fs.mkdirSync(path.join(root, "free"));
    const free = path.join(root, "free/x");
    expect(open().hold([one, free], () => [])).toEqual([free]);
    expect(open().hold([one, two], () => [])).toEqual([]);
    expect(inRoot()).toEqual(["free", "state"]);
  });

  test("where nobody can tell whether something can be made, nothing is started", () => {
    vi.spyOn(fs, "accessSync").mockImplementation(() => {
      throw Object.assign(new Error("EIO"), { code: "EIO" });
    });
    expect(() => hold(open())).toThrow("EIO");
    expect(inRoot()).toEqual([]);
  });
});
