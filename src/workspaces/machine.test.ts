import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { equalBytes, isFolder, machineClock, newID, sha256, tempFolders } from "./machine.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("bytes are equal by what they hold; absence equals absence alone", () => {
  const one = bytes("one");
  const table: [a: Uint8Array | null, b: Uint8Array | null, equal: boolean][] = [
    [one, one, true],
    [one, bytes("one"), true],
    [one, bytes("two"), false],
    [one, bytes("one more"), false],
    [bytes(""), bytes(""), true],
    [bytes(""), null, false],
    [null, one, false],
    [null, null, true],
  ];
  for (const [a, b, equal] of table) expect([equalBytes(a, b), equalBytes(b, a)]).toEqual([equal, equal]);
});

test("a folder is told from a file, and from nothing", () =>
  expect([os.tmpdir(), import.meta.filename, "/nowhere/at/all"].map(isFolder)).toEqual([true, false, false]));

test("a hash is the one that everybody knows", () =>
  expect(sha256(bytes("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));

test("no id comes twice, and all of one process begin alike", () => {
  const ids = Array.from({ length: 1000 }, newID);
  expect(new Set(ids).size).toBe(1000);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(1);
  expect(ids[0]).toMatch(/^[\w-]{12,}$/);
});

test("a clock calls after the time, unless it was told not to", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const [called, cancelled] = [vi.fn(), vi.fn()];
  machineClock.after(10, called);
  machineClock.after(10, cancelled)();
  vi.advanceTimersByTime(9);
  expect(called).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([called.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0]);
  expect(machineClock.now()).toBe(Date.now());
});

describe("the temporary folder", () => {
  test.each([
    ["by its name alone, where that is where it is", "real", ["real"]],
    ["by its name and by where it really is", "link", ["link", "real"]],
    ["by its name, where there is none", "missing", ["missing"]],
  ])("%s", (_, name, expected) => {
    const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-temp-")));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      fs.rmSync(base, { recursive: true });
    });
    fs.mkdirSync(path.join(base, "real"));
    fs.symlinkSync("real", path.join(base, "link"));
    vi.stubEnv("TMPDIR", path.join(base, name));
    expect(tempFolders()).toEqual(expected.map((each) => path.join(base, each)));
  });

  test("is never the whole machine", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("TMPDIR", "/");
    expect(tempFolders()).toEqual([]);
  });
});
