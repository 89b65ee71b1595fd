import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { disk, systemError } from "../../../test/contracts/disk.ts";
import { Outputs, outputsIn } from "./outputs.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function stage(most = 1000) {
  const { root } = disk();
  const folder = path.join(root, "output");
  const outputs = new Outputs(folder, root, most);
  /** A file that another process wrote so many seconds ago. */
  const theirs = (name: string, size: number, seconds = 600): string => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "");
    fs.truncateSync(file, size);
    age(file, seconds);
    return file;
  };
  return { folder, outputs, theirs, reserve: (name = "own.txt") => outputs.reserve("own", name) };
}

const age = (file: string, seconds: number): void => {
  const then = Math.floor(Date.now() / 1000) - seconds;
  fs.utimesSync(file, then, then);
};

describe("what makes room", () => {
  test.each<[size: number, wanted: number, stays: boolean]>([
    [400, 600, true],
    [400, 601, false],
    [0, 1000, true],
  ])("a file of %i bytes for %i more: it stays is %j, and an empty folder goes with it", (size, wanted, stays) => {
    const { theirs, reserve } = stage();
    const file = theirs("a/f", size);
    expect(reserve().grant(wanted)).toBe(wanted);
    expect([fs.existsSync(file), fs.existsSync(path.dirname(file))]).toEqual([stays, stays]);
  });

  test("a file that lies in no session's folder", () => {
    const { theirs, reserve, folder } = stage();
    const file = theirs("stray", 900);
    expect(reserve().grant(500)).toBe(500);
    expect([fs.existsSync(file), fs.existsSync(folder)]).toEqual([false, true]);
  });

  test("nothing that is being written, though nothing was granted yet, and no folder", () => {
    const { reserve, folder } = stage();
    const first = reserve("first.txt");
    fs.mkdirSync(path.join(folder, "own/nested"));
    for (const file of [first.file, path.join(folder, "own/nested")]) age(file, 600);
    expect(reserve().grant(1000)).toBe(1000);
    expect(fs.readdirSync(path.join(folder, "own")).sort()).toEqual(["first.txt", "nested", "own.txt"]);
  });

  test.each([
    [0, true],
    [1, false],
  ])("what is a week and %i milliseconds old stays: %j", (more, stays) => {
    const { theirs, reserve } = stage();
    const file = theirs("a/f", 1);
    vi.spyOn(Date, "now").mockReturnValue(fs.statSync(file).mtimeMs + 7 * 86_400_000 + more);
    expect([reserve().grant(1), fs.existsSync(file)]).toEqual([1, stays]);
  });

  test("what was written three minutes ago by somebody else, and not what is younger", () => {
    const { theirs, reserve } = stage();
    const file = theirs("a/f", 900);
    const written = fs.statSync(file).mtimeMs;
    vi.spyOn(Date, "now").mockReturnValue(written + 180_000 - 1);
    const own = reserve();
    expect([own.grant(500), fs.existsSync(file)]).toEqual([100, true]);
    vi.spyOn(Date, "now").mockReturnValue(written + 180_000);
    expect([own.grant(500), fs.existsSync(file)]).toEqual([500, false]);
  });

  test("the oldest of more files than are kept", () => {
    const { theirs, reserve, folder } = stage();
    for (let n = 0; n < 2_001; n += 1) theirs(`a/${n}`, 0, 1000 + n);
    reserve().grant(1);
    const left = fs.readdirSync(path.join(folder, "a"));
    expect(left).toHaveLength(1_999);
    expect([left.includes("1998"), left.includes("1999")]).toEqual([true, false]);
  });
});

describe("what others write meanwhile", () => {
  test("is seen when the room runs out", () => {
    const { theirs, reserve } = stage();
    const own = reserve();
    expect(own.grant(400)).toBe(400);
    theirs("a/f", 300, 0);
    expect([own.grant(600), own.grant(1)]).toEqual([600, 0]);
  });

  test("is seen after so many bytes", () => {
    const { theirs, reserve } = stage(100_000_000);
    const own = reserve();
    expect(own.grant(16_000_000)).toBe(16_000_000);
    theirs("a/f", 90_000_000, 0);
    expect([own.grant(1), own.grant(1)]).toEqual([1, 0]);
  });

  test("or take away while they are counted, harms nobody; what cannot be counted is told", () => {
    const { theirs, reserve, folder } = stage();
    const file = theirs("a/f", 900);
    const look = fs.lstatSync as (...given: unknown[]) => fs.Stats;
    vi.spyOn(fs, "lstatSync").mockImplementation(((...given: unknown[]) =>
      given[0] === file ? undefined : look(...given)) as never);
    expect(reserve("0.txt").grant(500)).toBe(500);
    vi.restoreAllMocks();
    const list = fs.readdirSync as (...given: unknown[]) => unknown;
    for (const [code, granted] of [
      ["ENOENT", 1000],
      ["ENOTDIR", 1000],
      ["EACCES", undefined],
    ] as const) {
      vi.spyOn(fs, "readdirSync").mockImplementation(((...given: unknown[]) => {
        if (given[0] === path.join(folder, "a")) throw systemError(code);
        return list(...given);
      }) as never);
      const outputs = new Outputs(folder, path.dirname(folder), 1000);
      const { grant } = outputs.reserve("another", code);
      if (granted === undefined) expect(() => grant(1000)).toThrow(code);
      else expect(grant(1000)).toBe(granted);
      vi.restoreAllMocks();
      fs.rmSync(path.join(folder, "another"), { recursive: true });
      fs.rmSync(path.join(folder, "own"), { recursive: true, force: true });
    }
  });
});

describe("making a file", () => {
  test("never over another", () => {
    const { reserve } = stage();
    reserve();
    expect(() => reserve()).toThrow("EEXIST");
  });

  test("is given up after twenty times", () => {
    const { reserve } = stage();
    const open = fs.openSync;
    let tries = 0;
    vi.spyOn(fs, "openSync").mockImplementation((file, ...how) => {
      if (!String(file).endsWith("own.txt")) return open(file, ...how);
      tries += 1;
      throw systemError("ENOENT");
    });
    expect(() => reserve()).toThrow("ENOENT");
    expect(tries).toBe(20);
  });
});

test("open files are touched until the last of them is done", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { reserve } = stage();
  const [first, second] = [reserve("first.txt"), reserve("second.txt")];
  first.done();
  for (const { file } of [first, second]) age(file, 600);
  vi.advanceTimersByTime(30_000);
  const isYoung = ({ file }: { file: string }) => Date.now() - fs.statSync(file).mtimeMs < 300_000;
  expect([isYoung(first), isYoung(second)]).toEqual([false, true]);
  second.done();
  expect(vi.getTimerCount()).toBe(0);
});

test("all that write into one folder share its bounds", () => {
  const { root } = disk();
  expect(outputsIn(root, root)).toBe(outputsIn(root, root));
  expect(outputsIn(path.join(root, "other"), root)).not.toBe(outputsIn(root, root));
});
