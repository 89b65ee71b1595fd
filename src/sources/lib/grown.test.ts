import { expect, test, vi } from "vitest";
import { whenGrown } from "./grown.ts";

const MB = 1024 * 1024;

test("it is told when the process has grown by so much, once, and not after it ended", async () => {
  const [few, many, ended] = [vi.fn(), vi.fn(), vi.fn()];
  const ends = [whenGrown(64 * MB, few), whenGrown(100_000 * MB, many)];
  whenGrown(64 * MB, ended)();
  // filled, so that it is there and not only promised
  const grown = Buffer.alloc(256 * MB, 1);
  await expect.poll(() => few.mock.calls.length).toBe(1);
  expect([grown.at(-1), many.mock.calls.length, ended.mock.calls.length]).toEqual([1, 0, 0]);
  for (const end of ends) end();
});
