import { describe, expect, test } from "vitest";
import { open } from "../../src/index.ts";
import { audit } from "./audit.ts";
import { processes } from "./processes.ts";
import { type Scenario, scenarioOf } from "./scenarios.ts";
import { clearWorld, contentOf, makeWorld } from "./world.ts";

const run = processes();
const AT_ONCE = 2;

type Case = { name: string; mode?: "yolo" | "confirm-sensitive"; which?: "every" | "writing"; fewest: number };

/** Between two writes the disk stays as it is, so one scenario at every moment stands for all. */
const cases: readonly Case[] = [
  { name: "write_file, a new file in a new folder", which: "writing", fewest: 6 },
  { name: "write_file over a file", mode: "confirm-sensitive", fewest: 15 },
  { name: "edit_file", which: "writing", fewest: 6 },
  { name: "edit_file of a large file, twice", which: "writing", fewest: 10 },
  { name: "undo_file", which: "writing", fewest: 6 },
  { name: "undo_turn of two files", which: "writing", fewest: 6 },
  { name: "a tool that writes while it runs", which: "writing", fewest: 9 },
  { name: "callAll of several", which: "writing", fewest: 15 },
];

/** Whether the process was killed; if not, it had no n-th moment and ended well. */
async function killAt(scenario: Scenario, { mode = "yolo", which = "every" }: Case, n: number): Promise<boolean> {
  const world = await makeWorld(scenario);
  try {
    const earlier = await open({ workspace: world.root, mode: "yolo", config: {} });
    await scenario.earlier?.(earlier);
    await earlier.close();
    const start = Object.fromEntries(world.targets.map((file) => [file, contentOf(world, file)]));
    const { code, signal, errors } = await run("die", world.root, scenario.name, mode, String(n), which);
    if (signal !== "SIGKILL") expect({ code, errors }).toEqual({ code: 0, errors: "" });
    await audit({ world, start });
    return signal === "SIGKILL";
  } catch (error) {
    throw new Error(`killed at moment ${n}: ${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    clearWorld(world);
  }
}

describe("kill -9 at every await that writes, then a fresh gate", () => {
  test.each(cases)("$name", { timeout: 60_000 }, async (each) => {
    const scenario = scenarioOf(each.name);
    let killed = 0;
    for (let n = 1; ; n += AT_ONCE) {
      const ends = await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => killAt(scenario, each, n + more)));
      killed += ends.filter(Boolean).length;
      if (ends.includes(false)) break;
    }
    expect(killed).toBeGreaterThanOrEqual(each.fewest);
  });
});
