import fs from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { disk } from "../../test/contracts/disk.ts";

afterEach(() => void vi.restoreAllMocks());

/** How many turns others had between the first rename of a change and its last. */
async function turnsBetween(files: number): Promise<number> {
  const one = disk();
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  const seen: number[] = [];
  const rename = fs.renameSync;
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    seen.push(turns);
    rename(from, to);
  });
  setImmediate(turn);
  try {
    await one.commit(Array.from({ length: files }, (_, n) => one.change(`f${n}`, null, "x")));
  } finally {
    isOver = true;
  }
  expect(seen).toHaveLength(files);
  return (seen.at(-1) ?? 0) - (seen[0] ?? 0);
}

test("nothing comes between the files of a change", async () => expect(await turnsBetween(300)).toBe(0));

test("unless there are so many that everybody would have to wait", async () =>
  expect(await turnsBetween(900)).toBeGreaterThan(0));
