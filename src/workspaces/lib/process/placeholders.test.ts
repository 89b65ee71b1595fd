import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
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
/** A folder that was made anew may get the number of the one before. */
const identityOf = (file: string): bigint => fs.statSync(file, { bigint: true }).birthtimeNs;
const inRoot = (): string[] => fs.readdirSync(root).sort();

/** As if its process had been killed. */
function die(id: string): void {
  const file = path.join(state, `${id}.lease`);
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, "utf8")), since: "long ago" }));
}

describe("placeholders", () => {
  test("stand until the last of many has let go", () => {
    const placeholders = open();
    const all = [hold(placeholders), hold(placeholders), hold(placeholders)];
    const last = all.pop() as string[];
    for (const held of all) {
      placeholders.release(held);
      expect(inRoot()).toEqual(["one", "state", "two"]);
    }
    placeholders.release(last);
    expect(inRoot()).toEqual(["state"]);
  });

  test("stand while they are held; the same ones come back", () => {
    const placeholders = open();
    const held = hold(placeholders);
    expect(held).toEqual([one, two]);
    const before = identityOf(one);
    placeholders.release(held);
    expect(inRoot()).toEqual(["state"]);
    expect(hold(placeholders)).toEqual([one, two]);
    expect(identityOf(one)).toBe(before);
    placeholders.release(held);
    placeholders.close();
    expect(fs.readdirSync(state)).toEqual([]);
  });

  test("what a person made in their place stays, also when it comes while one rests", () => {
    const placeholders = open();
    const held = hold(placeholders);
    fs.rmdirSync(one);
    fs.writeFileSync(one, "file");
    fs.writeFileSync(path.join(two, "inside"), "");
    placeholders.release(held);
    expect(fs.readFileSync(one, "utf8")).toBe("file");
    expect(fs.readdirSync(two)).toEqual(["inside"]);
    fs.rmSync(two, { recursive: true });
    const again = hold(placeholders);
    expect(again).toEqual([two]);
    placeholders.release(again);
    fs.symlinkSync("nowhere", two);
    expect(hold(placeholders)).toEqual([]);
    expect(fs.readlinkSync(two)).toBe("nowhere");
  });

  test("a folder that is filled in the very moment in which it is taken away is put back", () => {
    const placeholders = open();
    const held = hold(placeholders);
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.writeFileSync(path.join(one, "inside"), "");
      rename(from, to);
    });
    placeholders.release(held);
    expect(fs.readdirSync(one)).toEqual(["inside"]);
    expect(fs.existsSync(two)).toBe(false);
  });

  test("a file that comes in the very moment in which one is put there, or taken away, stays", () => {
    const placeholders = open();
    placeholders.release(hold(placeholders));
    const rename = fs.renameSync;
    vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.writeFileSync(one, "file");
      rename(from, to);
    });
    expect(hold(placeholders)).toEqual([two]);
    expect(fs.readFileSync(one, "utf8")).toBe("file");
    vi.spyOn(fs, "renameSync").mockImplementationOnce((from, to) => {
      fs.rmdirSync(two);
      fs.writeFileSync(two, "file");
      rename(from, to);
    });
    placeholders.release([two]);
    expect(fs.readFileSync(two, "utf8")).toBe("file");
  });

  test("where a file cannot have two names, and where folders are on different disks", () => {
    const refused = (code: string) => () => {
      throw Object.assign(new Error(code), { code });
    };
    vi.spyOn(fs, "linkSync").mockImplementation(refused("EPERM"));
    vi.spyOn(fs, "renameSync").mockImplementation(refused("EXDEV"));
    const placeholders = open();
    for (let turn = 0; turn < 2; turn++) {
      const held = hold(placeholders);
      expect(inRoot()).toEqual(["one", "state", "two"]);
      placeholders.release(held);
      expect(inRoot()).toEqual(["state"]);
    }
  });

  test("one that cannot be made takes those before it along", () => {
    const make = fs.mkdirSync;
    vi.spyOn(fs, "mkdirSync").mockImplementation((folder, how) => {
      if (folder === two) throw new Error("disk full");
      return make(folder, how);
    });
    expect(() => hold(open())).toThrow("disk full");
    expect(inRoot()).toEqual(["state"]);
  });

  test("killed after the note, before they were made: nothing is left for ever", () => {
    const killed = open("killed");
    const make = fs.mkdirSync;
    vi.spyOn(fs, "mkdirSync").mockImplementation((folder, how) => {
      if (folder === one) throw new Error("killed");
      return make(folder, how);
    });
    expect(() => hold(killed)).toThrow("killed");
    vi.restoreAllMocks();
    die("killed");
    fs.mkdirSync(one);
    const next = open();
    next.release(hold(next));
    expect(inRoot()).toEqual(["state"]);
  });

  test("what the dead left is removed, but for what the living hold; also what rested", () => {
    const dead = open("dead");
    dead.release(hold(dead));
    dead.hold([one], () => []);
    const living = open();
    const held = living.hold([one], () => []);
    die("dead");
    const before = identityOf(one);
    const third = open();
    third.release(hold(third));
    expect(inRoot()).toEqual(["one", "state"]);
    expect(identityOf(one)).toBe(before);
    expect(fs.readdirSync(state).filter((name) => name.startsWith("dead"))).toEqual([]);
    living.release(held);
    expect(inRoot()).toEqual(["state"]);
  });

  test("what stood for a process that was killed goes on standing until the next one is done", () => {
    hold(open("dead"));
    die("dead");
    const before = identityOf(one);
    const next = open();
    const held = hold(next);
    expect(identityOf(one)).toBe(before);
    next.release(held);
    expect(inRoot()).toEqual(["state"]);
  });

  test("a note of somebody who was killed before it said anything goes, once it is old", () => {
    const placeholders = open();
    placeholders.release(hold(placeholders));
    const note = path.join(state, "silent.lease");
    fs.writeFileSync(note, "");
    placeholders.release(hold(placeholders));
    expect(fs.existsSync(note)).toBe(true);
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 5000);
    placeholders.release(hold(placeholders));
    expect(fs.existsSync(note)).toBe(false);
  });

  test("a note about another root waits for somebody who has that root", () => {
    const dead = open("dead");
    dead.hold([one, two], () => []);
    die("dead");
    const next = open();
    next.release(next.hold([one], () => []));
    expect(inRoot()).toEqual(["state", "two"]);
    const other = open();
    other.release(other.hold([two], () => []));
    expect(inRoot()).toEqual(["state"]);
  });

  test("whoever holds has them, and nobody else leaves any, whatever comes in which order", () => {
    const step = fc.record({ who: fc.nat(2), does: fc.constantFrom("hold", "release", "die") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        tearDown();
        setUp();
        type One = { id: string; placeholders: Placeholders; held: string[][] };
        const born = (): One => {
          const id = `q${count++}`;
          return { id, placeholders: open(id), held: [] };
        };
        const all = [born(), born(), born()];
        // a sandbox has the folder mounted that was there when it began
        let mounted: bigint | undefined;
        for (const { who, does } of steps) {
          const self = all[who] as One;
          if (does === "hold") self.held.push(hold(self.placeholders));
          else if (does === "release") self.placeholders.release(self.held.pop() ?? []);
          else {
            if (fs.existsSync(path.join(state, `${self.id}.lease`))) die(self.id);
            all[who] = born();
          }
          const isHeld = all.some(({ held }) => held.length > 0);
          if (isHeld) expect(inRoot()).toEqual(["one", "state", "two"]);
          if (isHeld && mounted !== undefined) expect(identityOf(one)).toBe(mounted);
          mounted = isHeld ? identityOf(one) : undefined;
        }
        for (const { placeholders, held } of all) for (const each of held) placeholders.release(each);
        const last = open();
        last.release(hold(last));
        expect(inRoot()).toEqual(["state"]);
        for (const each of opened.splice(0)) each.close();
        expect(fs.readdirSync(state)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
