import path from "node:path";
import { expect } from "vitest";
import { type OpenOptions, open, type Result } from "../../src/index.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { audit } from "./audit.ts";
import { everyAwait, type Moment, Trigger, watched } from "./ports.ts";
import { ownWriter, type Scenario } from "./scenarios.ts";
import { clearWorld, contentOf, makeWorld, type Swap, type World } from "./world.ts";

export type Mode = NonNullable<OpenOptions["mode"]>;

/** What goes wrong, at one moment of many. */
export type Fault = {
  name: string;
  fits?(moment: Moment): boolean;
  act(world: World, stop: AbortController, moment: Moment): void;
  swap?: Swap;
};

const AT_ONCE = 4;

/**
 * Runs the scenario again and again, with the fault at the first await, at the second, and so on, until it no longer
 * comes because there are no more. Gives the awaits that were covered.
 */
export async function atEveryAwait(scenario: Scenario, mode: Mode, fault: Fault): Promise<string[]> {
  const covered: string[] = [];
  for (let n = 1; ; n += AT_ONCE) {
    const fired = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, more) => attack(scenario, mode, fault, n + more)),
    );
    covered.push(...fired.filter((moment) => moment !== undefined));
    if (fired.includes(undefined)) return covered;
  }
}

async function attack(scenario: Scenario, mode: Mode, fault: Fault, n: number): Promise<string | undefined> {
  const world = await makeWorld(scenario);
  const stop = new AbortController();
  const trigger = new Trigger(n, fault.fits ?? everyAwait, (moment) => fault.act(world, stop, moment));
  const store = await sqliteStore(path.join(world.root, ".toolgate/store.db"));
  const ports = watched(
    { store, workspace: localWorkspace({ root: world.root }), approve: () => "once" },
    trigger.hear,
  );
  const gate = await open({ ...ports, mode, config: {}, tools: [ownWriter] });
  try {
    await scenario.earlier?.(gate);
    const start = Object.fromEntries(world.targets.map((file) => [file, contentOf(world, file)]));
    trigger.armed = true;
    const results = await scenario.run(gate, { signal: stop.signal });
    trigger.armed = false;
    if (trigger.fired) fault.swap?.clear?.(world);
    const foreign = trigger.fired ? fault.swap?.leaves : undefined;
    await audit({ world, start, results, ...(foreign !== undefined && { foreign }) });
    if (!trigger.fired) expectDone(results);
    return trigger.fired;
  } catch (error) {
    throw new Error(
      `${fault.name} at ${trigger.fired ?? "no moment"} (${n}): ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  } finally {
    await gate.close();
    await store.close();
    clearWorld(world);
  }
}

function expectDone(results: readonly Result[]): void {
  expect(results.map(({ status }) => status)).toEqual(results.map(() => "done"));
}
