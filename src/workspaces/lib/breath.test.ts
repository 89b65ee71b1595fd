import { expect, onTestFinished, test, vi } from "vitest";

/** A breath of its own, with a clock that stands still unless it is told. */
async function fresh() {
  let now = 1_000;
  vi.resetModules();
  vi.doMock("./ticks.ts", () => ({ ticks: () => now }));
  onTestFinished(() => void vi.doUnmock("./ticks.ts"));
  const { breath } = await import("./breath.ts");
  const pass = (ms: number) => {
    now += ms;
  };
  /** Which of so many calls give others their turn. */
  const turns = async (calls: number) => {
    const found: number[] = [];
    for (let call = 1; call <= calls; call += 1) {
      let isOthers = false;
      setImmediate(() => {
        isOthers = true;
      });
      const pause = breath();
      if (!pause) continue;
      await pause;
      expect(isOthers).toBe(true);
      found.push(call);
    }
    return found;
  };
  return { turns, pass };
}

test("others get their turn when some time has passed, which is looked at now and then", async () => {
  const { turns, pass } = await fresh();
  expect(await turns(16)).toEqual([8]);
  pass(14);
  expect(await turns(8)).toEqual([]);
  pass(1);
  expect(await turns(7)).toEqual([]);
  expect(await turns(1)).toEqual([1]);
  expect(await turns(8)).toEqual([]);
});

test("and after very many in any case", async () => {
  const { turns } = await fresh();
  expect(await turns(600)).toEqual([8, 256, 512]);
});
