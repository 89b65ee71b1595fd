import { expect, test, vi } from "vitest";
import { type Allowance, whenSpent } from "./spent.ts";

const MB = 1024 * 1024;
const PLENTY: Allowance = { cpuMs: 1e7, wallMs: 1e8, bytes: 1e12 };

test.each<[string, Partial<Allowance>, work: () => unknown]>([
  ["the process has grown", { bytes: 64 * MB }, () => Buffer.alloc(512 * MB, 1)],
  ["the processor has worked", { cpuMs: 50 }, () => worked(200)],
  ["time has gone by", { wallMs: 5 }, () => {}],
])("it is told once that %s, and not to who has ended it", async (_, few, work) => {
  const [told, plenty, ended] = [vi.fn(), vi.fn(), vi.fn()];
  whenSpent({ ...PLENTY, ...few }, told);
  const end = whenSpent(PLENTY, plenty);
  whenSpent({ ...PLENTY, ...few }, ended)();
  const kept = [work()];
  await expect.poll(() => told.mock.calls.length, { timeout: 20_000 }).toBe(1);
  expect([plenty.mock.calls.length, ended.mock.calls.length, kept.length]).toEqual([0, 0, 1]);
  end();
});

function worked(ms: number): void {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < ms * 1_000);
}
